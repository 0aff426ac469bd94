//! [`WriteLock`]: the right to change what has a name.
//!
//! Every writer takes it before it opens what it changes, and holds it until its change is published. The lock is that of the file
//! `.NAME.lock` beside the target, which no writer ever removes: a lock on the target itself would end when another file takes
//! its name. Symbolic links are followed first, so that all ways to a file lead to one lock.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Result, StoreError};
use crate::vfs::{Vfs, VfsLock};

/// The right to change the file of one name, or to make it. Nobody else has it until this is dropped.
#[derive(Debug)]
pub struct WriteLock {
    target: PathBuf,
    lock: Box<dyn VfsLock>,
}

impl WriteLock {
    /// Takes the lock of the file that `path` leads to, which need not exist; its folder must.
    ///
    /// # Errors
    /// [`StoreError::Busy`] with the holder, if another has it; [`StoreError::NoLocks`] where the file system has none;
    /// else what the file system says.
    pub fn take(vfs: &dyn Vfs, path: &Path) -> Result<Self> {
        let target = vfs.resolve(path)?;
        planted!(LockNotTaken => return Ok(Self { target, lock: Box::new(crate::planted::NoLock) }));
        let locked = if planted!(LockOfLink) { path } else { &target };
        let lock = vfs.lock(&beside(locked, ".lock")?);
        let lock = lock.map_err(|error| match error {
            StoreError::Busy { holder, .. } => StoreError::Busy { path: target.clone(), holder },
            other => other,
        });
        Ok(Self { lock: lock?, target })
    }

    /// The file that the path leads to, through all symbolic links.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Whether leftovers of this target are nobody's: true unless the user insisted on going without a lock.
    pub(crate) fn keeps_others_out(&self) -> bool {
        self.lock.keeps_others_out()
    }
}

#[cfg(feature = "planted")]
impl WriteLock {
    /// The same in name alone.
    pub(crate) fn without_lock(&self) -> Self {
        Self { target: self.target.clone(), lock: Box::new(crate::planted::NoLock) }
    }
}

/// `.NAME` and an ending, in the target's folder.
pub(crate) fn beside(target: &Path, ending: &str) -> Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| StoreError::NotAFile { path: target.to_owned() })?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(ending);
    Ok(target.with_file_name(hidden))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::MemoryVfs;

    #[test]
    fn a_second_writer_names_the_holder() {
        let vfs = MemoryVfs::new();
        let target = Path::new("folder/code.varvite");
        let first = WriteLock::take(&vfs, target).unwrap();
        let error = WriteLock::take(&vfs, target).unwrap_err();
        let StoreError::Busy { path, holder: Some(holder) } = &error else { panic!("{error}") };
        assert_eq!((&**path, holder.process), (target, std::process::id()));
        assert!(error.to_string().contains(&format!("process {}", std::process::id())), "{error}");
        WriteLock::take(&vfs, Path::new("folder/other.varvite")).unwrap();
        drop(first);
        WriteLock::take(&vfs, target).unwrap();
    }

    #[test]
    fn a_path_without_a_name_has_no_lock() {
        let error = WriteLock::take(&MemoryVfs::new(), Path::new("/")).unwrap_err();
        assert!(matches!(error, StoreError::NotAFile { .. }));
    }
}
