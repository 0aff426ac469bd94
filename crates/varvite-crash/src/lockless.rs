//! [`LocklessVfs`]: files in memory on which the user insisted, though there are no locks.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::StoreError;
use varvite::vfs::{Attributes, MemoryVfs, Vfs, VfsFile};
use varvite_store::Mapping;

type Result<T> = std::result::Result<T, StoreError>;

/// A file system where nobody can be kept out.
#[derive(Clone, Debug)]
pub(crate) struct LocklessVfs(pub(crate) MemoryVfs);

fn lockless(file: Result<Arc<dyn VfsFile>>) -> Result<Arc<dyn VfsFile>> {
    Ok(Arc::new(LocklessFile(file?)))
}

impl Vfs for LocklessVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(self.0.open(path))
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(self.0.open_writable(path))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(self.0.create_new(path))
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        lockless(self.0.create_private(path))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.0.resolve(path)
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        self.0.link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.0.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.0.remove(path)
    }

    fn exists(&self, path: &Path) -> Result<bool> {
        self.0.exists(path)
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        self.0.sync_dir(path)
    }

    fn needs_locks(&self) -> bool {
        false
    }
}

#[derive(Debug)]
struct LocklessFile(Arc<dyn VfsFile>);

impl VfsFile for LocklessFile {
    fn len(&self) -> Result<u64> {
        self.0.len()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.0.read_exact_at(offset, buffer)
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.0.write_all_at(offset, bytes)
    }

    fn sync(&self) -> Result<()> {
        self.0.sync()
    }

    fn map(&self) -> Result<Option<Mapping>> {
        self.0.map()
    }

    fn attributes(&self) -> Result<Attributes> {
        self.0.attributes()
    }

    fn set_attributes(&self, attributes: &Attributes) -> Result<()> {
        self.0.set_attributes(attributes)
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.0.is_at(path)
    }

    fn name_count(&self) -> Result<u64> {
        self.0.name_count()
    }

    fn try_lock(&self) -> Result<()> {
        Err(StoreError::NoLocks { path: PathBuf::new(), reason: Arc::new(io::ErrorKind::Unsupported.into()) })
    }

    fn unlock(&self) {}
}
