//! [`Replacement`]: a new file that will replace another one. The old file may get commits until then.
//!
//! A [successor](FileChange::successor) is made under the lock of the file that it replaces, so no writer can
//! commit to that file meanwhile. A replacement has its own lock and its own name, `.NAME.compacted`. So
//! writing it may take any time, and there can be only one unfinished replacement of a file. Only
//! [publishing](Replacement::publish) needs the lock of the old file. The caller must ensure that the
//! replacement then has everything that the old file has.
//!
//! A killed writer leaves a file with the name `.NAME.compacted`, which the next writer of the graph removes.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::open::store::Store;
use crate::vfs::Vfs;
use crate::writing::change::FileChange;
use crate::writing::locked_file::{COMPACTED, Leftover, LockedFile, NewFile, beside};
use crate::writing::staged::StagedFile;

/// A file that will get the name of another file. If this value is dropped before the file is published, the
/// file is removed.
#[derive(Debug)]
pub struct Replacement {
    vfs: Arc<dyn Vfs>,
    locked: Arc<LockedFile>,
    is_published: bool,
}

impl Replacement {
    /// Begins the replacement of the file that `path` refers to. The replacement is an empty file that only
    /// its owner may read. Other programs may still use the old file.
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

    /// The name that the file has until it is published.
    pub fn path(&self) -> &Path {
        self.locked.path()
    }

    /// Returns the file, so that the caller can write its content, once. Committing this file makes it
    /// durable under its present name.
    pub fn file(&self) -> StagedFile {
        StagedFile::of_named(Arc::clone(&self.vfs), Arc::clone(&self.locked))
    }

    /// A [`FileChange`] of the file, for further commits after the file was written.
    pub fn change(&self) -> FileChange {
        FileChange::of(Arc::clone(&self.vfs), Arc::clone(&self.locked))
    }

    /// Gives the file the name and permissions of the old file. `target` is the [`FileChange`] of the old
    /// file, and `base` is the old file as [`FileChange::open_store`] opened it.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if the old file is not in the state of `base` any more; the errors of
    /// [`StagedFile::commit`]. After an error, the old file is unchanged, unless the error is
    /// [`StoreError::NotDurable`].
    pub fn publish(mut self, target: &FileChange, base: &Store) -> Result<()> {
        let old = target.old(base);
        self.is_published = true;
        StagedFile::of_whole(Arc::clone(&self.vfs), Arc::clone(&self.locked), old).commit()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // If the removal fails, the next writer of the graph removes the file.
        if !self.is_published && !matches!(self.locked.has_its_name(), Ok(false)) {
            let _ = self.vfs.remove(self.path());
        }
    }
}
