//! [`Replacement`]: a file that is written beside another, which goes on getting commits, and takes its
//! place.
//!
//! A [successor](FileChange::successor) is made under the lock of the file that it replaces, so no writer
//! commits to that file meanwhile. A replacement is locked itself, under a name of its own,
//! `.NAME.compacted`: it may take any time, and two replacements never meet. Only
//! [publishing](Replacement::publish) needs the lock of the other file. The caller has to ensure that the
//! replacement has everything that the other file has by then.
//!
//! A killed writer leaves a file of that name, which the next writer of the graph removes.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::open::store::Store;
use crate::vfs::Vfs;
use crate::writing::change::FileChange;
use crate::writing::locked_file::{COMPACTED, Leftover, LockedFile, NewFile, beside};
use crate::writing::staged::StagedFile;

/// A file on its way to the name of another. It is removed when this is dropped before it has got there.
#[derive(Debug)]
pub struct Replacement {
    vfs: Arc<dyn Vfs>,
    locked: Arc<LockedFile>,
    is_published: bool,
}

impl Replacement {
    /// Begins the replacement of the file that `path` leads to: an empty file that only its owner may read.
    /// Other programs may still use the old file.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another replacement of the file is under way; [`StoreError::NoLocks`] where
    /// locks have no effect; an error of the file system.
    pub fn begin(vfs: Arc<dyn Vfs>, path: &Path) -> Result<Self> {
        let target = vfs.resolve(path)?;
        let (replaced, leftover) = (None, Leftover::Remove);
        let new = NewFile { target: &target, replaced, is_private: true, leftover };
        let locked = LockedFile::create(&*vfs, &beside(&target, COMPACTED)?, &new)?;
        let replacement = Self { vfs, locked: Arc::new(locked), is_published: false };
        if !replacement.locked.keeps_others_out() {
            let reason =
                Arc::new(io::Error::other("a file that others write to needs a lock to be replaced"));
            return Err(StoreError::NoLocks { path: target, reason });
        }
        Ok(replacement)
    }

    /// The name that it has until it is published.
    pub fn path(&self) -> &Path {
        self.locked.path()
    }

    /// The file, to be written once: committing it makes it durable under the name that it has.
    pub fn file(&self) -> StagedFile {
        StagedFile::of_named(Arc::clone(&self.vfs), Arc::clone(&self.locked))
    }

    /// The file, to commit to it once it was written.
    pub fn change(&self) -> FileChange {
        FileChange::of(Arc::clone(&self.vfs), Arc::clone(&self.locked))
    }

    /// Gives the file the name of another, with its rights. `target` is the right to change that one, and
    /// `base` the state in which it is as [`FileChange::open_store`] opened it.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if `target` is not in that state; those of [`StagedFile::commit`]. The other
    /// file is then as it was, unless the error is [`StoreError::NotDurable`].
    pub fn publish(mut self, target: &FileChange, base: &Store) -> Result<()> {
        let old = target.old(base);
        self.is_published = true;
        StagedFile::of_whole(Arc::clone(&self.vfs), Arc::clone(&self.locked), old).commit()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // If even this fails, the next writer of the graph removes it.
        if !self.is_published && !matches!(self.locked.has_its_name(), Ok(false)) {
            let _ = self.vfs.remove(self.path());
        }
    }
}
