//! [`FileChange`]: the only way to change an existing file.
//!
//! A change has four steps: open and lock the file, and check that the name still refers to it; work on the
//! file through the locked handle; check that no other program has changed it; publish. Only this module
//! opens a file for a change, and only once.

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

/// A locked file: no other writer changes it while this value lives.
#[derive(Debug)]
pub struct FileChange {
    vfs: Arc<dyn Vfs>,
    locked: Arc<LockedFile>,
    /// The end of the log that this change began.
    log_end: Arc<LogEnd>,
}

impl FileChange {
    /// Opens the file that `path` refers to, and locks it. Removes hidden files that earlier writers of the
    /// file left when they were stopped.
    ///
    /// # Errors
    /// [`StoreError::Busy`] with the holder, if another writer has the lock; [`StoreError::NoLocks`] if the
    /// file system has no locks; a fault in the file's first page; an error of the file system.
    pub fn begin(vfs: Arc<dyn Vfs>, path: &Path) -> Result<Self> {
        let path = if planted!(LinkNotFollowed) { path.to_owned() } else { vfs.resolve(path)? };
        let locked = LockedFile::open(&*vfs, &path)?;
        read_header(&**locked.file(), &path, None)?;
        remove_leftovers(&*vfs, &locked)?;
        planted!(LockDroppedEarly => locked.unlock());
        Ok(Self::of(vfs, Arc::new(locked)))
    }

    /// A change of a file that is locked already.
    pub(crate) fn of(vfs: Arc<dyn Vfs>, locked: Arc<LockedFile>) -> Self {
        Self { vfs, locked, log_end: Arc::default() }
    }

    /// The path of the file, with all symbolic links resolved.
    pub fn target(&self) -> &Path {
        self.locked.path()
    }

    /// Opens a store of the locked file, even if its name now refers to another file.
    ///
    /// # Errors
    /// [`StoreError::LostCommit`] if the newest commit is damaged; the errors of [`Store::open`].
    pub fn open_store(&self, options: impl Into<StoreOptions>) -> Result<Store> {
        let store = Store::of_file(Arc::clone(self.locked.file()), self.target(), options)?;
        if let Some(Recovery::Commit { generation: lost }) = store.recovery() {
            let (path, generation) = (self.target().to_owned(), store.superblock().generation);
            return Err(StoreError::LostCommit { path, lost, generation });
        }
        Ok(store)
    }

    /// Begins the next commit of the file. `base` is this file as [`FileChange::open_store`] opened it; those
    /// of its columns and segments that the new directory refers to are part of the commit.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if the name now refers to another file, or the file has changed; an error of
    /// the file system.
    pub fn append(&self, base: &Store) -> Result<StoreWriter> {
        let least = if planted!(LogOverwritten) { 0 } else { self.log_end.get() };
        let appended = AppendedFile::begin(Arc::clone(&self.locked), base, self.opened(base), least)?;
        Ok(StoreWriter::append(appended, base))
    }

    /// The state in which this file was opened as `base`, updated with the records that this change has
    /// appended since.
    fn opened(&self, base: &Store) -> OpenedState {
        let opened = base.opened_state();
        match self.log_end.last_record(base.superblock().generation) {
            Some(last) => opened.with_own_record(last),
            None => opened,
        }
    }

    /// Begins the log of the file's newest commit. `base` is this file as [`FileChange::open_store`] opened
    /// it, and [can begin a log](Store::can_begin_log).
    ///
    /// # Errors
    /// [`StoreError::NoLocks`] if no lock keeps a second writer out; [`StoreError::Replaced`] if the name now
    /// refers to another file, or the file has changed; damage, if `base` can't begin a log; an error of the
    /// file system.
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
        // The name may now refer to another file, and records must not be appended to that file.
        if !(self.locked.has_its_name()? && base.opened_state().is_untouched(&*file)?) {
            return Err(StoreError::Replaced { path: self.target().to_owned() });
        }
        let commit = (base.header(), base.superblock());
        Ok(LogWriter::begin(file, self.target(), commit, Arc::clone(&self.log_end)))
    }

    /// Whether [`FileChange::append`] is safe: false if the user insisted on writing without a lock. A
    /// [successor](FileChange::successor) is safe even then, because the later of two writers gets an error.
    pub fn can_append(&self) -> bool {
        self.locked.keeps_others_out()
    }

    /// Begins a new file that will replace this one and get its permissions. `base` is this file as
    /// [`FileChange::open_store`] opened it. Committing the successor fails with [`StoreError::Replaced`] if
    /// the name then refers to another file, or the file has changed.
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

impl StagedFile {
    /// A [`FileChange`] of the file under its temporary name, for further commits to a
    /// [draft](StagedFile::draft) that was committed.
    pub fn change(&self) -> FileChange {
        let (vfs, new) = self.unfinished();
        FileChange::of(vfs, new)
    }
}
