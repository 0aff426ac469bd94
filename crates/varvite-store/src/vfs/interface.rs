//! The traits [`Vfs`] and [`VfsFile`]: the few operations that Varvite asks of a file system.
//!
//! What a power failure may undo is part of the contract. Bytes are durable once [`VfsFile::sync`] returned. Names
//! (a creation, rename or removal) are durable once [`Vfs::sync_dir`] of their folder returned. There is no
//! operation that shortens a file, because others may have it mapped.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::error::Result;
use crate::mapping::Mapping;

/// A file system. Cheap to share; all methods may be called from any thread.
pub trait Vfs: fmt::Debug + Send + Sync {
    /// Opens an existing regular file for reading.
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Opens an existing regular file for reading and writing.
    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Creates a file for reading and writing; fails with `AlreadyExists` if the name is taken.
    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>>;

    /// Gives the file at `from` the name `to`, in one step, replacing what has that name.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Removes the name `path`. Open handles and maps stay good.
    fn remove(&self, path: &Path) -> Result<()>;

    /// Whether anything has the name `path`, a dangling symbolic link included.
    fn exists(&self, path: &Path) -> Result<bool>;

    /// Makes the names in folder `path` durable. An empty path is the current folder.
    fn sync_dir(&self, path: &Path) -> Result<()>;
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

    /// Makes the bytes and the length durable.
    ///
    /// # Errors
    /// After an error nothing written since the last good sync can be trusted, not even if a second sync succeeds.
    fn sync(&self) -> Result<()>;

    /// Maps the whole file as it is now for reading; `None` where this file system cannot.
    fn map(&self) -> Result<Option<Mapping>>;

    /// Takes the advisory write lock until the last handle of this opening is dropped; `false` if another has it.
    ///
    /// Where the file system knows no locks, this is `true` and keeps nobody out.
    fn try_lock(&self) -> Result<bool>;

    /// Whether `path` still names this very file, and not one that replaced it.
    fn is_at(&self, path: &Path) -> Result<bool>;
}
