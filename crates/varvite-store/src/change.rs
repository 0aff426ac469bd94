//! [`FileChange`]: the one way to change a file that there is.
//!
//! Lock, then open; work on what was opened; check that the name still leads to it; publish. Whoever opened the file before
//! the lock may have opened one that another writer replaces meanwhile, and would then work on the wrong one; so nobody
//! but this opens a file that is to be changed, and nobody opens it twice.

use std::io;
use std::path::Path;
use std::sync::Arc;

use varvite_format::{Fault, FormatError, Part};

use crate::append::AppendedFile;
use crate::commit::{Commit, Recovery};
use crate::error::{Result, StoreError};
use crate::log_writer::{LogEnd, LogWriter};
use crate::staged::StagedFile;
use crate::store::{Store, StoreOptions};
use crate::vfs::{Vfs, VfsFile};
use crate::write_lock::WriteLock;
use crate::writer::StoreWriter;

/// A file that nobody else changes while this lives.
#[derive(Debug)]
pub struct FileChange {
    vfs: Arc<dyn Vfs>,
    lock: Arc<WriteLock>,
    file: Arc<dyn VfsFile>,
    /// Where the log ends that was begun.
    log_end: Arc<LogEnd>,
}

impl FileChange {
    /// Locks the file that `path` leads to, and opens it.
    ///
    /// # Errors
    /// Those of [`WriteLock::take`], and of [`Store::open`]. Where there is no graph, no lock file is made.
    pub fn begin(vfs: Arc<dyn Vfs>, path: &Path) -> Result<Self> {
        // A lock file beside a mistyped path would stay there for ever; nothing of this opening is used.
        drop(Commit::read(&*vfs.open(path)?, path)?);
        planted!(LockAfterOpening => let file = vfs.open(path)?; let lock = Arc::new(WriteLock::take(&*vfs, path)?); return Ok(Self { vfs, lock, file, log_end: Arc::default() }));
        let lock = Arc::new(WriteLock::take(&*vfs, path)?);
        let file = vfs.open(lock.target())?;
        planted!(LockDroppedEarly => return Ok(Self { vfs, lock: Arc::new(lock.without_lock()), file, log_end: Arc::default() }));
        Ok(Self { vfs, lock, file, log_end: Arc::default() })
    }

    /// The file that has the locked name.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn of_lock(vfs: Arc<dyn Vfs>, lock: Arc<WriteLock>) -> Result<Self> {
        let file = vfs.open(lock.target())?;
        Ok(Self { vfs, lock, file, log_end: Arc::default() })
    }

    /// The file, through all symbolic links.
    pub fn target(&self) -> &Path {
        self.lock.target()
    }

    /// The file as a store: this very opening, whatever its name leads to meanwhile.
    ///
    /// # Errors
    /// [`StoreError::LostCommit`] if its newest commit is damaged; as [`Store::open`].
    pub fn open_store(&self, options: impl Into<StoreOptions>) -> Result<Store> {
        let store = Store::of_file(Arc::clone(&self.file), self.target(), options)?;
        if let Some(Recovery::Commit { generation: lost }) = store.recovery() {
            let (path, generation) = (self.target().to_owned(), store.superblock().generation);
            return Err(StoreError::LostCommit { path, lost, generation });
        }
        Ok(store)
    }

    /// The next commit of the file itself. `base` is this file as [`FileChange::open_store`] opened it; its columns and segments are
    /// part of the commit, as far as the directory names them.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if the name leads to another file or state by now; what the file system says.
    pub fn append(&self, base: &Store) -> Result<StoreWriter> {
        let least = if planted!(LogOverwritten) { 0 } else { self.log_end.get() };
        let appended = AppendedFile::begin(&*self.vfs, Arc::clone(&self.lock), base, least)?;
        Ok(StoreWriter::append(appended, base))
    }

    /// Begins the log of the commit that the file is at. `base` is this file as [`FileChange::open_store`] opened it, and
    /// [can begin one](Store::can_begin_log).
    ///
    /// # Errors
    /// [`StoreError::NoLocks`] if no lock keeps a second writer out; [`StoreError::Replaced`] if the name leads to another file
    /// or state by now; damage, if `base` can begin none; what the file system says.
    pub fn begin_log(&self, base: &Store) -> Result<LogWriter> {
        if !self.can_append() {
            let reason = Arc::new(io::Error::other("a log needs a lock"));
            return Err(StoreError::NoLocks { path: self.target().to_owned(), reason });
        }
        if !base.can_begin_log() {
            let fault = Fault::Missing { what: "commit that a log can follow", number: None };
            let error = FormatError::damaged(Part::Superblocks, fault);
            return Err(StoreError::format(self.target(), error));
        }
        let file = self.vfs.open_writable(self.target())?;
        // The name may lead to another file by now, and records must not go into that.
        let is_base =
            file.is_at(self.target())? && Commit::is_at(&base.commit_identity(), &*file, self.target())?;
        if !is_base {
            return Err(StoreError::Replaced { path: self.target().to_owned() });
        }
        let commit = (base.header(), base.superblock());
        Ok(LogWriter::begin(file, self.target(), commit, Arc::clone(&self.log_end)))
    }

    /// Whether [`FileChange::append`] is safe: false if the user insisted on going without a lock. A successor then is, as the one
    /// of two writers who comes too late is told so.
    pub fn can_append(&self) -> bool {
        self.lock.keeps_others_out()
    }

    /// The file that will take its place, with its rights. Committing it fails with [`StoreError::Replaced`] if the name leads to
    /// another file by then.
    ///
    /// # Errors
    /// What the file system says.
    pub fn successor(&self) -> Result<StagedFile> {
        StagedFile::of_successor(Arc::clone(&self.vfs), Arc::clone(&self.lock), Arc::clone(&self.file))
    }

    /// The file at `path`, which is whole, as the one that will take its place.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn take_up(&self, path: &Path) -> Result<StagedFile> {
        StagedFile::of_whole(Arc::clone(&self.vfs), Arc::clone(&self.lock), Arc::clone(&self.file), path)
    }

    /// Looks whether the store still is what was opened: asked before its successor is published.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if someone who knows nothing of locks wrote to the file itself.
    pub fn check(&self, store: &Store) -> Result<()> {
        match store.has_same_identity_now()? {
            true => Ok(()),
            false => Err(StoreError::Replaced { path: self.target().to_owned() }),
        }
    }
}
