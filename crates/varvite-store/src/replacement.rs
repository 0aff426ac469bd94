//! [`Replacement`]: a file that is written beside another while that goes on getting commits, and takes its place in the end.
//!
//! A [successor](FileChange::successor) is made under the lock of the file that it replaces, so nobody commits to that meanwhile. A
//! replacement has a name of its own, `.NAME.compacted`, and a lock of that name: it may take as long as it likes, and two
//! of them never meet. Only [publishing](Replacement::publish) needs the lock of the other file. Whoever publishes has to know
//! that the replacement has everything that the other file has by then.
//!
//! What a crash leaves is a file of that name, which the next replacement removes.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::change::FileChange;
use crate::error::{Result, StoreError};
use crate::staged::StagedFile;
use crate::store::Store;
use crate::vfs::Vfs;
use crate::write_lock::{WriteLock, beside};

/// A file on its way to the name of another. It is removed when this is dropped before it has got there.
#[derive(Debug)]
pub struct Replacement {
    vfs: Arc<dyn Vfs>,
    lock: Arc<WriteLock>,
    is_published: bool,
}

impl Replacement {
    /// Begins the replacement of the file that `path` leads to. Nothing is written yet, and nobody is kept from that file.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another replacement of the file is under way; [`StoreError::NoLocks`] where locks keep nobody out;
    /// what the file system says.
    pub fn begin(vfs: Arc<dyn Vfs>, path: &Path) -> Result<Self> {
        let target = vfs.resolve(path)?;
        let lock = Arc::new(WriteLock::take(&*vfs, &beside(&target, ".compacted")?)?);
        if !lock.keeps_others_out() {
            let reason =
                Arc::new(io::Error::other("a file that others write to needs a lock to be replaced"));
            return Err(StoreError::NoLocks { path: target, reason });
        }
        Ok(Self { vfs, lock, is_published: false })
    }

    /// The name that it has until it is published.
    pub fn path(&self) -> &Path {
        self.lock.target()
    }

    /// Begins the file, in place of one that was made before. Only its owner may read it.
    ///
    /// # Errors
    /// What the file system says.
    pub fn create(&self) -> Result<StagedFile> {
        self.remove()?;
        StagedFile::create_private(Arc::clone(&self.vfs), Arc::clone(&self.lock))
    }

    /// The file, to commit to it.
    ///
    /// # Errors
    /// What the file system says.
    pub fn change(&self) -> Result<FileChange> {
        FileChange::of_lock(Arc::clone(&self.vfs), Arc::clone(&self.lock))
    }

    /// Gives the file the name of another, with its rights. `target` is the right to change that one, and `base` the state in which
    /// it is as [`FileChange::open_store`] opened it.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if `target` is not in that state; those of [`StagedFile::commit`]. The other file is then as it
    /// was, unless the error is [`StoreError::NotDurable`].
    pub fn publish(mut self, target: &FileChange, base: &Store) -> Result<()> {
        let staged = target.take_up(self.path())?;
        target.check(base)?;
        self.is_published = true;
        staged.commit()
    }

    fn remove(&self) -> Result<()> {
        match self.vfs.remove(self.path()) {
            Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(()),
            removed => removed,
        }
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // If even this fails, the next replacement removes it.
        if !self.is_published {
            let _ = self.remove();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::MemoryVfs;

    const TARGET: &str = "code.varvite";
    const NAME: &str = ".code.varvite.compacted";

    fn begin(disk: &MemoryVfs) -> Result<Replacement> {
        Replacement::begin(Arc::new(disk.clone()), Path::new(TARGET))
    }

    #[test]
    fn a_replacement_keeps_nobody_from_the_file_and_another_out() {
        let disk = MemoryVfs::new();
        disk.put(TARGET, b"old");
        disk.put(NAME, b"left by a crash");
        let replacement = begin(&disk).unwrap();
        assert!(matches!(begin(&disk), Err(StoreError::Busy { .. })));
        let _writer = WriteLock::take(&disk, Path::new(TARGET)).unwrap();
        let mut staged = replacement.create().unwrap();
        assert_eq!(disk.contents(NAME), None, "what a crash left is gone");
        staged.write_all_at(0, b"new").unwrap();
        staged.commit().unwrap();
        assert_eq!(disk.contents(NAME).as_deref(), Some(&b"new"[..]));
        let attributes = disk.open(Path::new(NAME)).unwrap().attributes().unwrap();
        assert_eq!(attributes.mode(), 0o600);
        drop(replacement);
        assert_eq!(disk.contents(NAME), None);
        assert_eq!(disk.contents(TARGET).as_deref(), Some(&b"old"[..]));
        begin(&disk).unwrap();
    }
}
