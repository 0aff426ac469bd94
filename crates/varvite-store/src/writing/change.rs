//! [`FileChange`]: the one way to change a file that there is.
//!
//! Open, lock, and check that the name still leads there; work on the opened file, by the handle that has the
//! lock; check that no other program changed it; publish. Only this module opens a file for a change, and
//! only once.

use std::io;
use std::path::Path;
use std::sync::Arc;

use varvite_format::{Fault, FormatError, Part};

use crate::commits::commit::{Recovery, read_header};
use crate::commits::log_writer::{LogEnd, LogWriter};
use crate::commits::opened_state::OpenedState;
use crate::error::{Result, StoreError};
use crate::open::store::{Store, StoreOptions};
use crate::vfs::Vfs;
use crate::writing::append::AppendedFile;
use crate::writing::locked_file::{LockedFile, remove_leftovers};
use crate::writing::staged::{Old, StagedFile};
use crate::writing::writer::StoreWriter;

/// A file that no other writer changes while this lives.
#[derive(Debug)]
pub struct FileChange {
    vfs: Arc<dyn Vfs>,
    locked: Arc<LockedFile>,
    /// The end of the log that was begun.
    log_end: Arc<LogEnd>,
}

impl FileChange {
    /// Opens the file that `path` leads to, and locks it. Hidden files that stopped writers left of it are
    /// removed.
    ///
    /// # Errors
    /// [`StoreError::Busy`] with the holder, if another writer has it; [`StoreError::NoLocks`] where the file
    /// system has no locks; the fault of its first page; an error of the file system.
    pub fn begin(vfs: Arc<dyn Vfs>, path: &Path) -> Result<Self> {
        let path = if planted!(LinkNotFollowed) { path.to_owned() } else { vfs.resolve(path)? };
        let locked = LockedFile::open(&*vfs, &path)?;
        read_header(&**locked.file(), &path, None)?;
        remove_leftovers(&*vfs, &locked)?;
        planted!(LockDroppedEarly => locked.unlock());
        Ok(Self::of(vfs, Arc::new(locked)))
    }

    /// A file that is locked already.
    pub(crate) fn of(vfs: Arc<dyn Vfs>, locked: Arc<LockedFile>) -> Self {
        Self { vfs, locked, log_end: Arc::default() }
    }

    /// The file, through all symbolic links.
    pub fn target(&self) -> &Path {
        self.locked.path()
    }

    /// The file as a store: this opening of it, even if its name leads to another file by now.
    ///
    /// # Errors
    /// [`StoreError::LostCommit`] if its newest commit is damaged; as [`Store::open`].
    pub fn open_store(&self, options: impl Into<StoreOptions>) -> Result<Store> {
        let store = Store::of_file(Arc::clone(self.locked.file()), self.target(), options)?;
        if let Some(Recovery::Commit { generation: lost }) = store.recovery() {
            let (path, generation) = (self.target().to_owned(), store.superblock().generation);
            return Err(StoreError::LostCommit { path, lost, generation });
        }
        Ok(store)
    }

    /// The next commit of the file itself. `base` is this file as [`FileChange::open_store`] opened it; its
    /// columns and segments are part of the commit, as far as the directory names them.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if the name leads to another file or state by now; an error of the file
    /// system.
    pub fn append(&self, base: &Store) -> Result<StoreWriter> {
        let least = if planted!(LogOverwritten) { 0 } else { self.log_end.get() };
        let appended = AppendedFile::begin(Arc::clone(&self.locked), base, self.opened(base), least)?;
        Ok(StoreWriter::append(appended, base))
    }

    /// The state in which this file was opened as `base`, with the records that were appended here since.
    fn opened(&self, base: &Store) -> OpenedState {
        let opened = base.opened_state();
        match self.log_end.last_record(base.superblock().generation) {
            Some(last) => opened.with_own_record(last),
            None => opened,
        }
    }

    /// Begins the log of the commit that the file is at. `base` is this file as [`FileChange::open_store`]
    /// opened it, and [can begin one](Store::can_begin_log).
    ///
    /// # Errors
    /// [`StoreError::NoLocks`] if no lock keeps a second writer out; [`StoreError::Replaced`] if the name
    /// leads to another file or state by now; damage, if `base` can begin none; an error of the file system.
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
        let file = Arc::clone(self.locked.writable()?);
        // The name may lead to another file by now, and records must not go into that.
        if !(self.locked.has_its_name()? && base.opened_state().is_untouched(&*file)?) {
            return Err(StoreError::Replaced { path: self.target().to_owned() });
        }
        let commit = (base.header(), base.superblock());
        Ok(LogWriter::begin(file, self.target(), commit, Arc::clone(&self.log_end)))
    }

    /// Whether [`FileChange::append`] is safe: false if the user insisted on going without a lock. A
    /// successor is safe even then, as the later of two writers gets an error.
    pub fn can_append(&self) -> bool {
        self.locked.keeps_others_out()
    }

    /// The file that will take its place, with its rights. `base` is this file as [`FileChange::open_store`]
    /// opened it. Committing the successor fails with [`StoreError::Replaced`] if the name leads to another
    /// file or state by then.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn successor(&self, base: &Store) -> Result<StagedFile> {
        StagedFile::of_successor(Arc::clone(&self.vfs), self.old(base))
    }

    /// The file to replace, in the state in which it was opened as `base`.
    pub(crate) fn old(&self, base: &Store) -> Old {
        Old::Opened(Arc::clone(&self.locked), self.opened(base))
    }
}
