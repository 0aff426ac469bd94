//! [`InterruptibleVfs`]: a file system for a program that may be told to stop at any moment.
//!
//! It remembers which new files have not got their name yet. A program that is told to stop calls
//! [`abandon`](InterruptibleVfs::abandon) from wherever it hears of it, and ends: nothing half made is left, and no file gets its name
//! afterwards; nor does a commit to a file that there is. It can also be told to go on where the file system below has no locks.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::forward::forward_to;
use super::{Vfs, VfsFile};
use crate::error::{Operation, Result, StoreError};

/// Files of another file system, of which the unfinished ones can be given up. Clones are one.
#[derive(Clone, Debug)]
pub struct InterruptibleVfs {
    inner: Arc<dyn Vfs>,
    files: Arc<Mutex<Files>>,
    needs_locks: bool,
}

#[derive(Debug, Default)]
struct Files {
    unfinished: BTreeMap<PathBuf, Arc<dyn VfsFile>>,
    in_place: Vec<PathBuf>,
    is_abandoned: bool,
}

impl InterruptibleVfs {
    /// Looks after the files that are made in `inner`.
    pub fn over(inner: Arc<dyn Vfs>) -> Self {
        Self { inner, files: Arc::default(), needs_locks: true }
    }

    /// The same, but where the file system has no locks it goes on without. A lock that another has still keeps us out.
    #[must_use]
    pub fn going_without_locks(self) -> Self {
        Self { needs_locks: false, ..self }
    }

    /// Removes every file that has not got its name yet; from now on nothing is made, named or committed. Returns the files that are
    /// in place: what was done before stays done.
    pub fn abandon(&self) -> Vec<PathBuf> {
        let mut files = self.hold();
        files.is_abandoned = true;
        for (path, file) in std::mem::take(&mut files.unfinished) {
            // Another writer may have taken the file for a leftover, and the name for its own. What could not be removed now
            // is removed by the next writer of the same target.
            if file.is_at(&path).unwrap_or(true) {
                let _ = self.inner.remove(&path);
            }
        }
        files.in_place.clone()
    }

    fn hold(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Who holds this keeps [`InterruptibleVfs::abandon`] waiting, so that a step is done whole or not at all.
    fn step(&self, operation: Operation, path: &Path) -> Result<MutexGuard<'_, Files>> {
        let files = self.hold();
        match files.is_abandoned {
            false => Ok(files),
            true => Err(StoreError::io(operation, path, io::ErrorKind::Interrupted.into())),
        }
    }

    fn create(
        &self,
        path: &Path,
        create: impl FnOnce(&dyn Vfs) -> Result<Arc<dyn VfsFile>>,
    ) -> Result<Arc<dyn VfsFile>> {
        let mut files = self.step(Operation::Create, path)?;
        let file = create(&*self.inner)?;
        files.unfinished.insert(path.to_owned(), Arc::clone(&file));
        Ok(file)
    }
}

impl Vfs for InterruptibleVfs {
    fn open(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.inner.open(path)
    }

    fn open_writable(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        let inner = self.inner.open_writable(path)?;
        Ok(Arc::new(CommittedFile { inner, path: path.to_owned(), vfs: self.clone() }))
    }

    fn create_new(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.create(path, |inner| inner.create_new(path))
    }

    fn create_private(&self, path: &Path) -> Result<Arc<dyn VfsFile>> {
        self.create(path, |inner| inner.create_private(path))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.inner.resolve(path)
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        let mut files = self.step(Operation::Link, to)?;
        self.inner.link(from, to)?;
        files.in_place.push(to.to_owned());
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let mut files = self.step(Operation::Rename, to)?;
        self.inner.rename(from, to)?;
        files.unfinished.remove(from);
        files.in_place.push(to.to_owned());
        Ok(())
    }

    fn remove(&self, path: &Path) -> Result<()> {
        let mut files = self.step(Operation::Remove, path)?;
        self.inner.remove(path)?;
        files.unfinished.remove(path);
        Ok(())
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

/// A file that may get a commit.
#[derive(Debug)]
struct CommittedFile {
    inner: Arc<dyn VfsFile>,
    path: PathBuf,
    vfs: InterruptibleVfs,
}

impl VfsFile for CommittedFile {
    forward_to! { inner: len read_exact_at write_all_at sync map attributes set_attributes is_at name_count try_lock unlock }

    fn write_pointer_at(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let mut files = self.vfs.step(Operation::Write, &self.path)?;
        self.inner.write_pointer_at(offset, bytes)?;
        files.in_place.push(self.path.clone());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::{FaultPlan, FaultVfs, LocklessVfs, MemoryVfs};
    use crate::{IfExists, StagedFile};

    const TARGET: &str = "code.varvite";

    fn stage(vfs: &InterruptibleVfs, target: &str) -> Result<StagedFile> {
        StagedFile::create(Arc::new(vfs.clone()), Path::new(target), IfExists::Replace)
    }

    #[test]
    fn who_is_told_to_stop_leaves_nothing_half_made() {
        let memory = MemoryVfs::new();
        memory.put(TARGET, b"old");
        let vfs = InterruptibleVfs::over(Arc::new(memory.clone()));
        stage(&vfs, "done").unwrap().commit().unwrap();
        let mut staged = stage(&vfs, TARGET).unwrap();
        staged.write_all_at(0, b"half").unwrap();
        assert_eq!(memory.paths().len(), 3);
        assert_eq!(vfs.abandon(), [Path::new("done")]);
        assert_eq!(memory.paths(), [Path::new(TARGET), Path::new("done")]);
        assert_eq!(staged.commit().unwrap_err().io_kind(), None, "its own temporary file is gone");
        assert_eq!(stage(&vfs, "new").unwrap_err().io_kind(), Some(io::ErrorKind::Interrupted));
        assert_eq!(memory.contents(TARGET).unwrap(), b"old");
    }

    #[test]
    fn who_is_told_to_stop_commits_nothing_more() {
        let memory = MemoryVfs::new();
        memory.put(TARGET, b"old.");
        let vfs = InterruptibleVfs::over(Arc::new(memory.clone()));
        let file = vfs.open_writable(Path::new(TARGET)).unwrap();
        file.write_all_at(4, b"new").unwrap();
        file.write_pointer_at(0, b"OLD").unwrap();
        assert_eq!(vfs.abandon(), [Path::new(TARGET)], "that is committed");
        let error = file.write_pointer_at(0, b"XXX").unwrap_err();
        assert_eq!(error.io_kind(), Some(io::ErrorKind::Interrupted));
        assert_eq!(memory.contents(TARGET).unwrap(), b"OLD.new");
    }

    fn without_locks(memory: &MemoryVfs) -> InterruptibleVfs {
        InterruptibleVfs::over(Arc::new(LocklessVfs::over(Arc::new(memory.clone()))))
    }

    #[test]
    fn without_locks_nothing_is_written_unless_the_user_insists() {
        let memory = MemoryVfs::new();
        let vfs = without_locks(&memory);
        let error = stage(&vfs, TARGET).unwrap_err();
        assert!(matches!(error, StoreError::NoLocks { .. }));
        assert!(error.to_string().contains("--no-lock"), "{error}");
        assert_eq!(memory.paths(), [] as [&Path; 0]);
        stage(&vfs.going_without_locks(), TARGET).unwrap().commit().unwrap();
        assert_eq!(memory.paths(), [Path::new(TARGET)]);
    }

    #[test]
    fn without_locks_the_unfinished_file_of_another_is_never_removed() {
        let memory = MemoryVfs::new();
        let vfs = without_locks(&memory).going_without_locks();
        let mut first = stage(&vfs, TARGET).unwrap();
        first.write_all_at(0, b"first").unwrap();
        assert!(matches!(stage(&vfs, TARGET), Err(StoreError::Unfinished { .. })));
        first.commit().unwrap();
        assert_eq!(memory.contents(TARGET).unwrap(), b"first");
    }

    #[test]
    fn who_goes_without_locks_is_still_kept_out_by_one() {
        let memory = MemoryVfs::new();
        let vfs = InterruptibleVfs::over(Arc::new(memory.clone())).going_without_locks();
        memory.put(TARGET, b"old");
        let held = memory.open(Path::new(TARGET)).unwrap();
        held.try_lock().unwrap();
        assert!(matches!(stage(&vfs, TARGET), Err(StoreError::Busy { .. })));
    }

    #[test]
    fn failures_below_pass_through() {
        let memory = MemoryVfs::new();
        let faults = FaultVfs::new(Arc::new(memory), FaultPlan::fail_once(0, io::ErrorKind::Other));
        let vfs = InterruptibleVfs::over(Arc::new(faults));
        assert_eq!(stage(&vfs, TARGET).unwrap_err().io_kind(), Some(io::ErrorKind::Other));
    }

    #[test]
    fn a_file_that_lost_its_name_to_another_is_not_removed_in_its_place() {
        let memory = MemoryVfs::new();
        let vfs = InterruptibleVfs::over(Arc::new(memory.clone()));
        let _staged = stage(&vfs, TARGET).unwrap();
        memory.put(".code.varvite.partial", b"of another writer");
        vfs.abandon();
        assert_eq!(memory.paths(), [Path::new(".code.varvite.partial")]);
    }
}
