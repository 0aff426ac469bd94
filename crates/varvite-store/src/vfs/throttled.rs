//! [`ThrottledVfs`]: a file system that limits the bytes written per second, for work that must not slow down
//! other programs.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Vfs, VfsFile};
use crate::error::Result;
use crate::forward_to;
use crate::work::cancel::Cancel;

/// The longest sleep between two checks of the cancel flag.
const NAP: Duration = Duration::from_millis(20);

/// A wrapper of another file system, with a limit on the bytes written per second to all its files together.
/// Clones share the limit.
#[derive(Clone, Debug)]
pub struct ThrottledVfs {
    inner: Arc<dyn Vfs>,
    throttle: Arc<Throttle>,
}

#[derive(Debug)]
struct Throttle {
    bytes_per_second: u64,
    cancel: Cancel,
    is_off: AtomicBool,
    /// The earliest time of the next write.
    next: Mutex<Instant>,
}

impl ThrottledVfs {
    /// Wraps `inner`, and writes at most `bytes_per_second` bytes per second to it; 0 stands for 1. Waiting
    /// writes end with an error when `cancel` is set.
    pub fn over(inner: Arc<dyn Vfs>, bytes_per_second: u64, cancel: &Cancel) -> Self {
        let throttle = Throttle {
            bytes_per_second: bytes_per_second.max(1),
            cancel: cancel.clone(),
            is_off: AtomicBool::new(false),
            next: Mutex::new(Instant::now()),
        };
        Self { inner, throttle: Arc::new(throttle) }
    }

    /// Ends the limit: from now on writes do not wait. Call this method before the last steps of the work if
    /// other threads or programs wait for the work to end.
    pub fn let_go(&self) {
        self.throttle.is_off.store(true, Ordering::Relaxed);
    }

    fn file(&self, inner: Arc<dyn VfsFile>) -> Arc<dyn VfsFile> {
        Arc::new(ThrottledFile { inner, throttle: Arc::clone(&self.throttle) })
    }
}

impl Throttle {
    /// Waits until `bytes` bytes may be written.
    fn wait_for(&self, bytes: usize) -> Result<()> {
        let seconds = bytes as f64 / self.bytes_per_second as f64;
        let until = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            // Time in which nothing was written does not permit faster writes later.
            let until = (*next).max(Instant::now());
            *next = until + Duration::from_secs_f64(seconds);
            until
        };
        while !self.is_off.load(Ordering::Relaxed) {
            self.cancel.check()?;
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left.min(NAP));
        }
        Ok(())
    }
}

impl Vfs for ThrottledVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.inner.open(path)
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        Ok(self.file(self.inner.open_writable(path)?))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        Ok(self.file(self.inner.create_new(path)?))
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        Ok(self.file(self.inner.create_private(path)?))
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
        self.inner.needs_locks()
    }
}

#[derive(Debug)]
struct ThrottledFile {
    inner: Arc<dyn VfsFile>,
    throttle: Arc<Throttle>,
}

impl VfsFile for ThrottledFile {
    forward_to! { inner: len read_exact_at write_pointer_at sync map attributes set_attributes is_at name_count try_lock unlock }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.throttle.wait_for(bytes.len())?;
        self.inner.write_all_at(offset, bytes)
    }
}
