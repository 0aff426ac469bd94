//! The traits [`Vfs`] and [`VfsFile`]: the few operations that Varvite needs from a file system.
//!
//! The effects of a power failure are part of the contract. Bytes are durable once [`VfsFile::sync`]
//! returned. Names (a creation, rename or removal) are durable once [`Vfs::sync_dir`] of their folder
//! returned. There is no operation that shortens a file, because other programs may have it mapped.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::attributes::Attributes;
use crate::error::Result;
use crate::memory::mapping::Mapping;

/// A file system. Cheap to share; any thread may call all methods.
pub trait Vfs: fmt::Debug + Send + Sync {
    /// Opens an existing regular file for reading.
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Opens an existing regular file for reading and writing.
    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Creates a file for reading and writing; fails with `AlreadyExists` if the name is taken.
    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Creates a file that only its owner may read or write; otherwise the same as [`Vfs::create_new`].
    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Follows the symbolic link `path`, and every further link, to its target; returns `path` itself if it
    /// is no link. The target need not exist.
    fn resolve(&self, path: &Path) -> Result<PathBuf>;

    /// Gives the file at `from` the second name `to`, atomically.
    ///
    /// # Errors
    /// `AlreadyExists` if the name is taken. If the file system has no hard links, the error that it returns;
    /// the caller then renames the file instead.
    fn link(&self, from: &Path, to: &Path) -> Result<()>;

    /// Gives the file at `from` the name `to`, atomically, and replaces a file that has that name.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Removes the name `path`. Open handles and maps stay valid.
    fn remove(&self, path: &Path) -> Result<()>;

    /// Whether anything has the name `path`, a dangling symbolic link included.
    fn exists(&self, path: &Path) -> Result<bool>;

    /// Makes the names in folder `path` durable. An empty path stands for the current folder.
    fn sync_dir(&self, path: &Path) -> Result<()>;

    /// Whether writers need locks. False if the user allowed writing without locks on a file system that has
    /// none.
    fn needs_locks(&self) -> bool {
        true
    }
}

/// An open file. Reads and writes carry their offset, so threads may share a handle.
#[allow(clippy::len_without_is_empty)] // A length that can fail has no use for `is_empty`.
pub trait VfsFile: fmt::Debug + Send + Sync {
    /// The present length in bytes.
    fn len(&self) -> Result<u64>;

    /// Fills `buffer` from `offset`, or fails with [`StoreError::Truncated`](crate::StoreError::Truncated).
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// Writes all of `bytes` at `offset`, extending the file if need be.
    ///
    /// # Errors
    /// After an error any part of `bytes` may have been written.
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// Writes the few bytes that commit all earlier writes, such as a superblock. This is a separate method,
    /// because some file systems of this crate record which files were committed.
    ///
    /// # Errors
    /// As [`VfsFile::write_all_at`].
    fn write_pointer_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.write_all_at(offset, bytes)
    }

    /// Makes the bytes and the length durable.
    ///
    /// # Errors
    /// After an error, nothing that was written since the last successful sync can be trusted, even if a
    /// second sync succeeds.
    fn sync(&self) -> Result<()>;

    /// Maps the whole file, at its present length, for reading; `None` if this file system can't map files.
    fn map(&self) -> Result<Option<Mapping>>;

    /// The owner, permissions and extended attributes of the file.
    fn attributes(&self) -> Result<Attributes>;

    /// Gives the file the attributes of another file. The owner is set only if the system allows it.
    fn set_attributes(&self, attributes: &Attributes) -> Result<()>;

    /// Whether `path` still names this file, and not another file that replaced it.
    fn is_at(&self, path: &Path) -> Result<bool>;

    /// The number of names of the file: 2 with one additional hard link, 0 once the last name was removed. 1
    /// if the system does not report the number.
    fn name_count(&self) -> Result<u64>;

    /// Locks the file, not one of its names, until [`VfsFile::unlock`] or until this handle is closed; the
    /// locks of a killed process end. While the lock is held, no other handle can take it, in this process or
    /// another. Never waits.
    ///
    /// # Errors
    /// [`Busy`](crate::StoreError::Busy) with the holder if another handle has the lock;
    /// [`NoLocks`](crate::StoreError::NoLocks) if the file system has no locks.
    fn try_lock(&self) -> Result<()>;

    /// Releases the lock. Does nothing if this handle does not have the lock.
    fn unlock(&self);
}
