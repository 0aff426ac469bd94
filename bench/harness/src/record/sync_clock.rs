//! [`SyncClock`]: the real file system, with a clock that measures the time of syncs. This time is the cost
//! of durability; it is subtracted in comparisons with a peer that does not sync.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use varvite_store::vfs::{Attributes, RealVfs};
use varvite_store::{Mapping, StoreError, Vfs, VfsFile};

type Result<T> = std::result::Result<T, StoreError>;

/// A clock that runs while files and folders are synced. All clones share the same clock.
#[derive(Clone, Debug, Default)]
pub(crate) struct SyncClock(Arc<AtomicU64>);

impl SyncClock {
    /// Returns the nanoseconds that syncs have taken since the last call.
    pub(crate) fn take(&self) -> u64 {
        self.0.swap(0, Ordering::Relaxed)
    }

    fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
        result
    }

    fn file(&self, file: Arc<dyn VfsFile>) -> Arc<dyn VfsFile> {
        Arc::new(TimedFile { file, clock: self.clone() })
    }
}

impl Vfs for SyncClock {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        RealVfs.open(path)
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        Ok(self.file(RealVfs.open_writable(path)?))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        Ok(self.file(RealVfs.create_new(path)?))
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        Ok(self.file(RealVfs.create_private(path)?))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        RealVfs.resolve(path)
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        RealVfs.link(from, to)
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

    fn sync_dir(&self, path: &Path) -> Result<()> {
        self.time(|| RealVfs.sync_dir(path))
    }
}

#[derive(Debug)]
struct TimedFile {
    file: Arc<dyn VfsFile>,
    clock: SyncClock,
}

impl VfsFile for TimedFile {
    fn len(&self) -> Result<u64> {
        self.file.len()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.file.read_exact_at(offset, buffer)
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.file.write_all_at(offset, bytes)
    }

    fn sync(&self) -> Result<()> {
        self.clock.time(|| self.file.sync())
    }

    fn map(&self) -> Result<Option<Mapping>> {
        self.file.map()
    }

    fn attributes(&self) -> Result<Attributes> {
        self.file.attributes()
    }

    fn set_attributes(&self, attributes: &Attributes) -> Result<()> {
        self.file.set_attributes(attributes)
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.file.is_at(path)
    }

    fn name_count(&self) -> Result<u64> {
        self.file.name_count()
    }

    fn try_lock(&self) -> Result<()> {
        self.file.try_lock()
    }

    fn unlock(&self) {
        self.file.unlock();
    }
}
