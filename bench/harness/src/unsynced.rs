//! [`Unsynced`]: the real file system without its syncs, to tell what durability costs and to meet a peer that does
//! not sync on equal terms.

use std::path::Path;
use std::sync::Arc;

use varvite_store::vfs::RealVfs;
use varvite_store::{Mapping, StoreError, Vfs, VfsFile};

type Result<T> = std::result::Result<T, StoreError>;

/// Promises durability and does nothing for it: for measuring only.
#[derive(Debug)]
pub(crate) struct Unsynced;

impl Vfs for Unsynced {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        RealVfs.open(path)
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        unsynced(RealVfs.open_writable(path)?)
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        unsynced(RealVfs.create_new(path)?)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        RealVfs.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        RealVfs.remove(path)
    }

    fn exists(&self, path: &Path) -> Result<bool> {
        RealVfs.exists(path)
    }

    fn sync_dir(&self, _path: &Path) -> Result<()> {
        Ok(())
    }
}

fn unsynced(file: Arc<dyn VfsFile>) -> Result<Arc<dyn VfsFile>> {
    Ok(Arc::new(UnsyncedFile(file)))
}

#[derive(Debug)]
struct UnsyncedFile(Arc<dyn VfsFile>);

impl VfsFile for UnsyncedFile {
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
        Ok(())
    }

    fn map(&self) -> Result<Option<Mapping>> {
        self.0.map()
    }

    fn try_lock(&self) -> Result<bool> {
        self.0.try_lock()
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.0.is_at(path)
    }
}
