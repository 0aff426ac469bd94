//! The traits [`Vfs`] and [`VfsFile`]: the few operations that Varvite needs from a file system.
//!
//! The effects of a power failure are part of the contract. Bytes are durable once [`VfsFile::sync`]
//! returned. Names (a creation, rename or removal) are durable once [`Vfs::sync_dir`] of their folder
//! returned. There is no operation that shortens a file, because others may have it mapped.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::attributes::Attributes;
use crate::error::Result;
use crate::memory::mapping::Mapping;

/// A file system. Cheap to share; all methods may be called from any thread.
pub trait Vfs: fmt::Debug + Send + Sync {
    /// Opens an existing regular file for reading.
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Opens an existing regular file for reading and writing.
    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Creates a file for reading and writing; fails with `AlreadyExists` if the name is taken.
    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// The same for a file that only its owner may read or write.
    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// The target of the symbolic link `path`, through every link on the way; `path` itself if it is no link.
    /// The file there need not exist.
    fn resolve(&self, path: &Path) -> Result<PathBuf>;

    /// Gives the file at `from` the second name `to`, in one step.
    ///
    /// # Errors
    /// `AlreadyExists` if the name is taken. Without hard links, the error of the file system: the caller
    /// then renames.
    fn link(&self, from: &Path, to: &Path) -> Result<()>;

    /// Gives the file at `from` the name `to`, in one step, replacing a file that has that name.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Removes the name `path`. Open handles and maps stay good.
    fn remove(&self, path: &Path) -> Result<()>;

    /// Whether anything has the name `path`, a dangling symbolic link included.
    fn exists(&self, path: &Path) -> Result<bool>;

    /// Makes the names in folder `path` durable. An empty path is the current folder.
    fn sync_dir(&self, path: &Path) -> Result<()>;

    /// False if writers go on where the file system has no locks, because the user insisted.
    fn needs_locks(&self) -> bool {
        true
    }
}

/// An open file. Reads and writes carry their offset, so threads may share a handle.
#[allow(clippy::len_without_is_empty)] // A length that can fail has no use for `is_empty`.
pub trait VfsFile: fmt::Debug + Send + Sync {
    /// The length in bytes, now.
    fn len(&self) -> Result<u64>;

    /// Fills `buffer` from `offset`, or fails with [`StoreError::Truncated`](crate::StoreError::Truncated).
    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// Writes all of `bytes` at `offset`, extending the file if need be.
    ///
    /// # Errors
    /// After an error any part of `bytes` may have been written.
    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()>;

    /// The same for the few bytes that commit all writes before, such as a superblock: some file systems of
    /// this crate record committed files.
    ///
    /// # Errors
    /// As [`VfsFile::write_all_at`].
    fn write_pointer_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.write_all_at(offset, bytes)
    }

    /// Makes the bytes and the length durable.
    ///
    /// # Errors
    /// After an error nothing written since the last good sync can be trusted, not even if a second sync
    /// succeeds.
    fn sync(&self) -> Result<()>;

    /// Maps the whole file as it is now for reading; `None` where this file system cannot.
    fn map(&self) -> Result<Option<Mapping>>;

    /// Its owner, its rights, and its extended attributes.
    fn attributes(&self) -> Result<Attributes>;

    /// Gives it the attributes of another file, the owner only if the system lets us.
    fn set_attributes(&self, attributes: &Attributes) -> Result<()>;

    /// Whether `path` still names this very file, and not one that replaced it.
    fn is_at(&self, path: &Path) -> Result<bool>;

    /// The number of names of the file: 2 with one hard link, 0 once the last name was removed. 1 where the
    /// system does not report it.
    fn name_count(&self) -> Result<u64>;

    /// Locks the file, independent of its names, until [`VfsFile::unlock`] or until this handle is closed; a
    /// process that is killed gives its locks back. The lock keeps out every other handle, in this process
    /// and in others. Never waits.
    ///
    /// # Errors
    /// [`Busy`](crate::StoreError::Busy) with its holder if another handle has it,
    /// [`NoLocks`](crate::StoreError::NoLocks) where the file system has none.
    fn try_lock(&self) -> Result<()>;

    /// Gives the lock back; nothing if this handle has none.
    fn unlock(&self);
}
