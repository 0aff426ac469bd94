//! [`InterruptibleVfs`]: a file system for a program that may have to stop at any moment.
//!
//! The file system remembers which new files do not have their final name yet. A program that has to stop
//! calls [`abandon`](InterruptibleVfs::abandon) from any thread, and ends: no unfinished file is left, no
//! file gets its final name afterwards, and no existing file gets a commit. An option permits writing without
//! locks if the wrapped file system has none.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Vfs, VfsFile};
use crate::error::{Operation, Result, StoreError};
use crate::forward_to;

/// A wrapper of another file system whose unfinished files can be removed at any time. Clones share their
/// state.
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
    /// Wraps `inner`, and tracks the files that are created in it.
    pub fn over(inner: Arc<dyn Vfs>) -> Self {
        Self { inner, files: Arc::default(), needs_locks: true }
    }

    /// Permits writing without locks if the wrapped file system has none. If it has locks, it is still an
    /// error to write a file that another writer has locked.
    #[must_use]
    pub fn going_without_locks(self) -> Self {
        Self { needs_locks: false, ..self }
    }

    /// Removes every file that does not have its final name yet. From now on, no file is created, renamed or
    /// committed. Returns the finished files, which are kept.
    pub fn abandon(&self) -> Vec<PathBuf> {
        let mut files = self.hold();
        files.is_abandoned = true;
        for (path, file) in std::mem::take(&mut files.unfinished) {
            // Another writer may have removed the file as a leftover, and reused its name. If a file can't be
            // removed now, the next writer of the same target removes it.
            if file.is_at(&path).unwrap_or(true) {
                let _ = self.inner.remove(&path);
            }
        }
        files.in_place.clone()
    }

    fn hold(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a step, unless the files were abandoned. While the caller holds the guard,
    /// [`InterruptibleVfs::abandon`] waits, so that the step is done completely or not at all.
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

/// An existing file that may get a commit.
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
        // A commit to a file without its final name changes nothing that others see.
        if !files.unfinished.contains_key(&self.path) {
            files.in_place.push(self.path.clone());
        }
        Ok(())
    }
}
