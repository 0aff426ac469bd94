//! [`InterruptibleVfs`]: a file system for a program that may have to stop at any moment.
//!
//! It remembers which new files have not got their name yet. A program that has to stop calls
//! [`abandon`](InterruptibleVfs::abandon) from any thread, and ends: nothing half made is left, no file gets
//! its name afterwards, and no existing file gets a commit. An option lets it go on without locks where the
//! file system below has none.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Vfs, VfsFile};
use crate::error::{Operation, Result, StoreError};
use crate::forward_to;

/// Files of another file system; the unfinished ones can be given up. Clones share their state.
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

    /// The same, but where the file system has no locks it goes on without. A lock that another has still
    /// keeps us out.
    #[must_use]
    pub fn going_without_locks(self) -> Self {
        Self { needs_locks: false, ..self }
    }

    /// Removes every file that has not got its name yet; from now on no file is made, named or committed.
    /// Returns the finished files, which stay.
    pub fn abandon(&self) -> Vec<PathBuf> {
        let mut files = self.hold();
        files.is_abandoned = true;
        for (path, file) in std::mem::take(&mut files.unfinished) {
            // Another writer may have removed the file as a leftover, and reused its name. The next writer of
            // the same target removes files that could not be removed now.
            if file.is_at(&path).unwrap_or(true) {
                let _ = self.inner.remove(&path);
            }
        }
        files.in_place.clone()
    }

    fn hold(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A caller that holds this keeps [`InterruptibleVfs::abandon`] waiting, so that a step is done whole or
    /// not at all.
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
