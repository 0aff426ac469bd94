//! [`LocklessVfs`]: a wrapper around a file system, without locks.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite_store::{Result, StoreError, Vfs, VfsFile, forward_to};

/// A file system without locks, like some network file systems.
#[derive(Clone, Debug)]
pub struct LocklessVfs {
    inner: Arc<dyn Vfs>,
    needs_locks: bool,
}

impl LocklessVfs {
    /// Wraps another file system. Writers get an error, since they need locks.
    pub fn over(inner: Arc<dyn Vfs>) -> Self {
        Self { inner, needs_locks: true }
    }

    /// The same file system, but with writing permitted without locks, as if the user had asked for it.
    #[must_use]
    pub fn going_without_locks(self) -> Self {
        Self { needs_locks: false, ..self }
    }
}

fn lockless(path: &Path, inner: Result<Arc<dyn VfsFile>>) -> Result<Arc<dyn VfsFile>> {
    Ok(Arc::new(LocklessFile { path: path.to_owned(), inner: inner? }))
}

impl Vfs for LocklessVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(path, self.inner.open(path))
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(path, self.inner.open_writable(path))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(path, self.inner.create_new(path))
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(path, self.inner.create_private(path))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.inner.resolve(path)
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        self.inner.link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.inner.remove(path)
    }

    fn exists(&self, path: &Path) -> Result<bool> {
        self.inner.exists(path)
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        self.inner.sync_dir(path)
    }

    fn needs_locks(&self) -> bool {
        self.needs_locks && self.inner.needs_locks()
    }
}

#[derive(Debug)]
struct LocklessFile {
    path: PathBuf,
    inner: Arc<dyn VfsFile>,
}

impl VfsFile for LocklessFile {
    forward_to! {
        inner: len read_exact_at write_all_at write_pointer_at sync map attributes set_attributes is_at name_count unlock
    }

    fn try_lock(&self) -> Result<()> {
        let reason = Arc::new(io::ErrorKind::Unsupported.into());
        Err(StoreError::NoLocks { path: self.path.clone(), reason })
    }
}
