//! [`FaultVfs`]: a wrapper around a file system, with operations that fail on purpose.
//!
//! Operations are counted from 0. A test runs its workload once to count the operations, and then once for
//! each operation that fails. Operations before the failure are performed on the inner file system. A write
//! that fails may have written its first half, as on a real disk. A watch function is called before each
//! operation; it may, for example, act as another program at that moment.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use varvite_store::vfs::Attributes;
use varvite_store::{Mapping, Operation, Result, StoreError, Vfs, VfsFile};

/// A plan of failures: the operations that fail, and their errors.
#[derive(Debug, Clone, Default)]
pub struct FaultPlan {
    failing: Option<Failing>,
    tears_writes: bool,
    disk_bytes_max: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
struct Failing {
    first: u64,
    is_sticky: bool,
    kind: io::ErrorKind,
}

impl FaultPlan {
    /// A plan in which no operation fails; operations are only counted.
    pub fn none() -> FaultPlan {
        FaultPlan::default()
    }

    /// A plan in which operation number `index` fails with `kind`, and later ones succeed.
    pub fn fail_once(index: u64, kind: io::ErrorKind) -> FaultPlan {
        FaultPlan { failing: Some(Failing { first: index, is_sticky: false, kind }), ..FaultPlan::none() }
    }

    /// A plan in which operation number `index` and all later ones fail with `kind`.
    pub fn fail_from(index: u64, kind: io::ErrorKind) -> FaultPlan {
        FaultPlan { failing: Some(Failing { first: index, is_sticky: true, kind }), ..FaultPlan::none() }
    }

    /// A plan of a disk with room for `bytes` bytes: a write beyond that writes the bytes that fit, and fails
    /// with `StorageFull`.
    pub fn disk_full_after(bytes: u64) -> FaultPlan {
        FaultPlan { disk_bytes_max: Some(bytes), ..FaultPlan::none() }
    }

    /// The same plan, in which a failing write leaves the first half of its bytes.
    #[must_use]
    pub fn tearing_writes(self) -> FaultPlan {
        FaultPlan { tears_writes: true, ..self }
    }

    fn failure_at(&self, index: u64) -> Option<io::ErrorKind> {
        let failing = self.failing?;
        let is_due = if failing.is_sticky { index >= failing.first } else { index == failing.first };
        is_due.then_some(failing.kind)
    }
}

/// A file system that fails according to a [`FaultPlan`]. Clones share the count of operations.
#[derive(Debug, Clone)]
pub struct FaultVfs {
    inner: Arc<dyn Vfs>,
    faults: Arc<Faults>,
}

#[derive(Debug)]
struct Faults {
    plan: FaultPlan,
    operations: AtomicU64,
    written_bytes: AtomicU64,
    /// A function that is called with the number and kind of each operation.
    watch: Option<Watch<dyn Fn(u64, Operation) + Send + Sync>>,
    /// A function that is called with the range of bytes of each read.
    read_watch: Option<Watch<dyn Fn(Range<u64>) + Send + Sync>>,
}

/// A function that is called before each operation.
struct Watch<F: ?Sized>(Box<F>);

impl<F: ?Sized> fmt::Debug for Watch<F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Watch")
    }
}

impl FaultVfs {
    /// Wraps `inner`, with failures according to `plan`.
    pub fn new(inner: Arc<dyn Vfs>, plan: FaultPlan) -> FaultVfs {
        FaultVfs { inner, faults: Arc::new(Faults::of(plan)) }
    }

    /// Wraps `inner`, and calls `watch` before each operation with its number and kind. No operation fails.
    pub fn watched(inner: Arc<dyn Vfs>, watch: impl Fn(u64, Operation) + Send + Sync + 'static) -> FaultVfs {
        let watch: Option<Watch<dyn Fn(u64, Operation) + Send + Sync>> = Some(Watch(Box::new(watch)));
        FaultVfs { inner, faults: Arc::new(Faults { watch, ..Faults::of(FaultPlan::none()) }) }
    }

    /// Wraps `inner`, and calls `watch` before each read with the range of bytes in the file. No operation
    /// fails. Reads through a memory map are not watched.
    pub fn watched_reads(
        inner: Arc<dyn Vfs>,
        watch: impl Fn(Range<u64>) + Send + Sync + 'static,
    ) -> FaultVfs {
        let read_watch: Option<Watch<dyn Fn(Range<u64>) + Send + Sync>> = Some(Watch(Box::new(watch)));
        FaultVfs { inner, faults: Arc::new(Faults { read_watch, ..Faults::of(FaultPlan::none()) }) }
    }

    /// The number of operations so far, including failed ones.
    pub fn operation_count(&self) -> u64 {
        self.faults.operations.load(Ordering::Relaxed)
    }

    fn with_faults(&self, path: &Path, inner: Arc<dyn VfsFile>) -> Arc<dyn VfsFile> {
        Arc::new(FaultFile { inner, faults: Arc::clone(&self.faults), path: path.to_owned() })
    }
}

impl Faults {
    fn of(plan: FaultPlan) -> Faults {
        let (operations, written_bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        Faults { plan, operations, written_bytes, watch: None, read_watch: None }
    }

    /// Counts an operation, and fails if the operation fails in the plan.
    fn step(&self, operation: Operation, path: &Path) -> Result<()> {
        let index = self.operations.fetch_add(1, Ordering::Relaxed);
        if let Some(Watch(watch)) = &self.watch {
            watch(index, operation);
        }
        match self.plan.failure_at(index) {
            Some(kind) => Err(StoreError::io(operation, path, kind.into())),
            None => Ok(()),
        }
    }

    /// Takes room on the disk for `wanted` bytes, and returns the number of bytes that fit.
    fn take_space(&self, wanted: usize) -> usize {
        let Some(max) = self.plan.disk_bytes_max else { return wanted };
        let before = self.written_bytes.fetch_add(wanted as u64, Ordering::Relaxed);
        usize::try_from(max.saturating_sub(before)).map_or(wanted, |free| free.min(wanted))
    }
}

impl Vfs for FaultVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.faults.step(Operation::Open, path)?;
        Ok(self.with_faults(path, self.inner.open(path)?))
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.faults.step(Operation::Open, path)?;
        Ok(self.with_faults(path, self.inner.open_writable(path)?))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.faults.step(Operation::Create, path)?;
        Ok(self.with_faults(path, self.inner.create_new(path)?))
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.faults.step(Operation::Create, path)?;
        Ok(self.with_faults(path, self.inner.create_private(path)?))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.faults.step(Operation::Inspect, path)?;
        self.inner.resolve(path)
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        self.faults.step(Operation::Link, to)?;
        self.inner.link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.faults.step(Operation::Rename, to)?;
        self.inner.rename(from, to)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        self.faults.step(Operation::Remove, path)?;
        self.inner.remove(path)
    }

    fn exists(&self, path: &Path) -> Result<bool> {
        self.faults.step(Operation::Inspect, path)?;
        self.inner.exists(path)
    }

    fn sync_dir(&self, path: &Path) -> Result<()> {
        self.faults.step(Operation::SyncFolder, path)?;
        self.inner.sync_dir(path)
    }

    fn needs_locks(&self) -> bool {
        self.inner.needs_locks()
    }
}

#[derive(Debug)]
struct FaultFile {
    inner: Arc<dyn VfsFile>,
    faults: Arc<Faults>,
    path: PathBuf,
}

impl VfsFile for FaultFile {
    fn len(&self) -> Result<u64> {
        self.faults.step(Operation::Inspect, &self.path)?;
        self.inner.len()
    }

    fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.faults.step(Operation::Read, &self.path)?;
        if let Some(Watch(watch)) = &self.faults.read_watch {
            watch(offset..offset + buffer.len() as u64);
        }
        self.inner.read_exact_at(offset, buffer)
    }

    fn write_all_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        if let Err(failure) = self.faults.step(Operation::Write, &self.path) {
            if self.faults.plan.tears_writes {
                self.inner.write_all_at(offset, &bytes[..bytes.len() / 2])?;
            }
            return Err(failure);
        }
        let fitting = self.faults.take_space(bytes.len());
        self.inner.write_all_at(offset, &bytes[..fitting])?;
        if fitting < bytes.len() {
            return Err(StoreError::io(Operation::Write, &self.path, io::ErrorKind::StorageFull.into()));
        }
        Ok(())
    }

    fn sync(&self) -> Result<()> {
        self.faults.step(Operation::Sync, &self.path)?;
        self.inner.sync()
    }

    fn map(&self) -> Result<Option<Mapping>> {
        self.faults.step(Operation::Map, &self.path)?;
        self.inner.map()
    }

    fn attributes(&self) -> Result<Attributes> {
        self.faults.step(Operation::ReadAttributes, &self.path)?;
        self.inner.attributes()
    }

    fn set_attributes(&self, attributes: &Attributes) -> Result<()> {
        self.faults.step(Operation::SetAttributes, &self.path)?;
        self.inner.set_attributes(attributes)
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.faults.step(Operation::Inspect, path)?;
        self.inner.is_at(path)
    }

    fn name_count(&self) -> Result<u64> {
        self.faults.step(Operation::Inspect, &self.path)?;
        self.inner.name_count()
    }

    fn try_lock(&self) -> Result<()> {
        self.faults.step(Operation::Lock, &self.path)?;
        self.inner.try_lock()
    }

    fn unlock(&self) {
        self.inner.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::MemoryVfs;

    const KIND: io::ErrorKind = io::ErrorKind::PermissionDenied;

    /// Creates a file and writes to it three times. Returns the success of each of the four operations, and
    /// the content of the file.
    fn outcome(memory: &MemoryVfs, plan: FaultPlan) -> (Vec<bool>, Option<Vec<u8>>) {
        let faults = FaultVfs::new(Arc::new(memory.clone()), plan);
        let file = match faults.create_new(Path::new("f")) {
            Ok(file) => file,
            Err(_) => return (vec![false], None),
        };
        let writes = (0..3).map(|index| file.write_all_at(index * 4, b"abcd").is_ok());
        (std::iter::once(true).chain(writes).collect(), memory.contents("f"))
    }

    #[test]
    fn one_failure_is_followed_by_success() {
        let (succeeded, content) = outcome(&MemoryVfs::new(), FaultPlan::fail_once(2, KIND));
        assert_eq!(succeeded, [true, true, false, true]);
        assert_eq!(content.unwrap(), b"abcd\0\0\0\0abcd");
    }

    #[test]
    fn a_sticky_failure_stays() {
        let (succeeded, content) = outcome(&MemoryVfs::new(), FaultPlan::fail_from(2, KIND).tearing_writes());
        assert_eq!(succeeded, [true, true, false, false]);
        assert_eq!(content.unwrap(), b"abcdab\0\0ab");
    }

    #[test]
    fn a_full_disk_keeps_what_fitted() {
        let (succeeded, content) = outcome(&MemoryVfs::new(), FaultPlan::disk_full_after(6));
        assert_eq!(succeeded, [true, true, false, false]);
        assert_eq!(content.unwrap(), b"abcdab");
    }

    #[test]
    fn a_watch_is_called_before_each_operation() {
        let (memory, seen) = (MemoryVfs::new(), Arc::new(std::sync::Mutex::new(Vec::new())));
        let (looking, log) = (memory.clone(), Arc::clone(&seen));
        let watched = FaultVfs::watched(Arc::new(memory), move |index, operation| {
            log.lock().unwrap().push((index, operation, looking.contents("f")));
        });
        watched.create_new(Path::new("f")).unwrap().write_all_at(0, b"a").unwrap();
        let expected = [(0, Operation::Create, None), (1, Operation::Write, Some(Vec::new()))];
        assert_eq!(*seen.lock().unwrap(), expected);
    }

    #[test]
    fn reads_are_told_with_their_place() {
        let (memory, seen) = (MemoryVfs::new(), Arc::new(std::sync::Mutex::new(Vec::new())));
        memory.put("f", b"0123456789");
        let log = Arc::clone(&seen);
        let watched = FaultVfs::watched_reads(Arc::new(memory), move |bytes| log.lock().unwrap().push(bytes));
        watched.open(Path::new("f")).unwrap().read_exact_at(3, &mut [0; 4]).unwrap();
        assert_eq!(*seen.lock().unwrap(), vec![3..7]);
    }

    #[test]
    fn operations_are_counted() {
        let faults = FaultVfs::new(Arc::new(MemoryVfs::new()), FaultPlan::none());
        faults.create_new(Path::new("f")).unwrap().sync().unwrap();
        assert_eq!(faults.operation_count(), 2);
    }
}
