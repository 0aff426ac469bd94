//! [`StagedFile`]: a new file that appears whole under its name, or not at all.
//!
//! It is written under a temporary name in the same folder; committing syncs it, renames it and syncs the folder. At
//! every moment the target is therefore entirely the old file or entirely the new one, power failure included.
//! The temporary name follows from the target's, and is locked: two writers of one target find each other, and
//! what a crash left behind is replaced by the next writer.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::vfs::{Vfs, VfsFile};

/// How often another writer may take the temporary name from us before we call the target busy.
const ATTEMPTS: usize = 8;

/// What to do if the target's name is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfExists {
    /// Fail with [`StoreError::Exists`], before anything is written and again before the rename.
    Refuse,
    /// Replace it on commit. Whoever has the old file open or mapped keeps it; a symbolic link is replaced itself.
    Replace,
}

/// A file in the making. Dropping it without [`commit`](StagedFile::commit) removes it.
///
/// # Example
/// A reader sees nothing of the new file until all of it is safe:
/// ```
/// use std::{path::Path, sync::Arc};
/// use varvite_store::{IfExists, StagedFile, vfs::MemoryVfs};
///
/// let disk = MemoryVfs::new();
/// let mut staged = StagedFile::create(Arc::new(disk.clone()), Path::new("code.varvite"), IfExists::Refuse)?;
/// staged.write_all_at(0, b"varves")?;
/// assert_eq!(disk.contents("code.varvite"), None);
/// staged.commit()?;
/// assert_eq!(disk.contents("code.varvite").as_deref(), Some(&b"varves"[..]));
/// # Ok::<(), varvite_store::StoreError>(())
/// ```
#[derive(Debug)]
pub struct StagedFile {
    vfs: Arc<dyn Vfs>,
    file: Arc<dyn VfsFile>,
    temporary: PathBuf,
    target: PathBuf,
    if_exists: IfExists,
    first_failure: Option<Arc<StoreError>>,
    is_renamed: bool,
}

impl StagedFile {
    /// Begins a file that will be named `target`.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the target exists and is not to be replaced, [`StoreError::Busy`] if another writer is
    /// at it, else what the file system says. The target is untouched, and nothing new is in its folder.
    pub fn create(vfs: Arc<dyn Vfs>, target: &Path, if_exists: IfExists) -> Result<StagedFile> {
        refuse_taken_target(&*vfs, target, if_exists)?;
        let temporary = temporary_path(target)?;
        let file =
            create_locked(&*vfs, &temporary)?.ok_or_else(|| StoreError::Busy { path: target.to_owned() })?;
        let target = target.to_owned();
        Ok(StagedFile { vfs, file, temporary, target, if_exists, first_failure: None, is_renamed: false })
    }

    /// The name that the file will have.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// How many bytes it has so far.
    pub fn length(&self) -> Result<u64> {
        self.file.len()
    }

    /// Fills `buffer` from what was written.
    pub fn read_exact_at(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        self.file.read_exact_at(offset, buffer)
    }

    /// Writes all of `bytes` at `offset`.
    ///
    /// # Errors
    /// What the file system says; from then on [`StoreError::Poisoned`], whatever is asked.
    pub fn write_all_at(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.unless_poisoned(|staged| staged.file.write_all_at(offset, bytes))
    }

    /// Makes what was written durable, still under the temporary name.
    ///
    /// # Errors
    /// What the file system says; from then on [`StoreError::Poisoned`], whatever is asked.
    pub fn sync(&mut self) -> Result<()> {
        self.unless_poisoned(|staged| staged.file.sync())
    }

    /// Gives the file its name, durably: once this returns, the target survives power failure.
    ///
    /// # Errors
    /// [`StoreError::NotDurable`] if the target is in place but the folder could not be synced. After any other error
    /// the target is as it was before, and the temporary file is removed.
    pub fn commit(mut self) -> Result<()> {
        self.sync()?;
        refuse_taken_target(&*self.vfs, &self.target, self.if_exists)?;
        self.vfs.rename(&self.temporary, &self.target)?;
        self.is_renamed = true;
        self.vfs
            .sync_dir(folder_of(&self.target))
            .map_err(|reason| StoreError::NotDurable { path: self.target.clone(), reason: Arc::new(reason) })
    }

    fn unless_poisoned(&mut self, action: impl FnOnce(&Self) -> Result<()>) -> Result<()> {
        if let Some(first) = &self.first_failure {
            return Err(StoreError::Poisoned { first: Arc::clone(first) });
        }
        let result = action(self);
        self.first_failure = result.as_ref().err().cloned().map(Arc::new);
        result
    }
}

impl Drop for StagedFile {
    fn drop(&mut self) {
        if !self.is_renamed {
            // If even this fails, what is left behind is replaced by the next writer of the same target.
            let _ = self.vfs.remove(&self.temporary);
        }
    }
}

fn refuse_taken_target(vfs: &dyn Vfs, target: &Path, if_exists: IfExists) -> Result<()> {
    if if_exists == IfExists::Refuse && vfs.exists(target)? {
        return Err(StoreError::Exists { path: target.to_owned() });
    }
    Ok(())
}

/// `.<name>.partial` in the target's folder.
fn temporary_path(target: &Path) -> Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| StoreError::NotAFile { path: target.to_owned() })?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(".partial");
    Ok(target.with_file_name(temporary))
}

fn folder_of(target: &Path) -> &Path {
    target.parent().unwrap_or(Path::new(""))
}

/// A new, empty, locked file at `temporary`; `None` if another writer holds it.
///
/// Only the owner of a temporary file removes or renames it.
fn create_locked(vfs: &dyn Vfs, temporary: &Path) -> Result<Option<Arc<dyn VfsFile>>> {
    for _ in 0..ATTEMPTS {
        let Some((file, is_new)) = create_or_open(vfs, temporary)? else { continue };
        match find_owner(&*file, temporary) {
            Ok(Owner::Us) if is_new => return Ok(Some(file)),
            Ok(Owner::Us) => vfs.remove(temporary)?,
            Ok(Owner::Nobody) => {}
            Ok(Owner::Another) => return Ok(None),
            Err(error) => {
                if is_new && matches!(file.is_at(temporary), Ok(true)) {
                    let _ = vfs.remove(temporary);
                }
                return Err(error);
            }
        }
    }
    Ok(None)
}

/// The file at `temporary` and whether it is new; `None` if it vanished between the two questions.
fn create_or_open(vfs: &dyn Vfs, temporary: &Path) -> Result<Option<(Arc<dyn VfsFile>, bool)>> {
    match vfs.create_new(temporary) {
        Ok(file) => return Ok(Some((file, true))),
        Err(error) if error.io_kind() == Some(io::ErrorKind::AlreadyExists) => {}
        Err(error) => return Err(error),
    }
    match vfs.open_writable(temporary) {
        Ok(file) => Ok(Some((file, false))),
        Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Who may remove or rename a temporary file.
enum Owner {
    Us,
    Another,
    /// The name passed to another file before we had the lock, so this one is out of the game.
    Nobody,
}

/// Tries to become the owner: a lock counts only once the name is seen to belong to the locked file, since between
/// creating and locking another writer may have taken ours for a leftover.
fn find_owner(file: &dyn VfsFile, temporary: &Path) -> Result<Owner> {
    if !file.try_lock()? {
        return Ok(Owner::Another);
    }
    Ok(if file.is_at(temporary)? { Owner::Us } else { Owner::Nobody })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vfs::{FaultPlan, FaultVfs, MemoryVfs};

    const TARGET: &str = "folder/code.varvite";
    const TEMPORARY: &str = "folder/.code.varvite.partial";

    fn stage(vfs: impl Vfs + 'static, if_exists: IfExists) -> Result<StagedFile> {
        StagedFile::create(Arc::new(vfs), Path::new(TARGET), if_exists)
    }

    #[test]
    fn the_target_appears_with_the_commit() {
        let vfs = MemoryVfs::new();
        let mut staged = stage(vfs.clone(), IfExists::Refuse).unwrap();
        staged.write_all_at(0, b"varves").unwrap();
        assert_eq!(vfs.paths(), [Path::new(TEMPORARY)]);
        staged.commit().unwrap();
        assert_eq!(vfs.paths(), [Path::new(TARGET)]);
        assert_eq!(vfs.durable_image().contents(TARGET).unwrap(), b"varves");
    }

    #[test]
    fn what_was_written_can_be_read_back() {
        let mut staged = stage(MemoryVfs::new(), IfExists::Refuse).unwrap();
        staged.write_all_at(2, b"abc").unwrap();
        let mut buffer = [0; 2];
        staged.read_exact_at(3, &mut buffer).unwrap();
        assert_eq!((staged.length().unwrap(), &buffer), (5, b"bc"));
    }

    #[test]
    fn dropping_it_removes_it() {
        let vfs = MemoryVfs::new();
        vfs.put(TARGET, b"old");
        drop(stage(vfs.clone(), IfExists::Replace).unwrap());
        assert_eq!(vfs.paths(), [Path::new(TARGET)]);
    }

    #[test]
    fn an_existing_target_is_refused_unless_it_is_to_be_replaced() {
        let vfs = MemoryVfs::new();
        vfs.put(TARGET, b"old");
        let error = stage(vfs.clone(), IfExists::Refuse).unwrap_err();
        assert!(matches!(error, StoreError::Exists { path } if path == Path::new(TARGET)));
        stage(vfs.clone(), IfExists::Replace).unwrap().commit().unwrap();
        assert_eq!(vfs.contents(TARGET).unwrap(), b"");
    }

    #[test]
    fn a_target_that_appears_meanwhile_is_refused_too() {
        let vfs = MemoryVfs::new();
        let staged = stage(vfs.clone(), IfExists::Refuse).unwrap();
        vfs.put(TARGET, b"theirs");
        assert!(matches!(staged.commit(), Err(StoreError::Exists { .. })));
        assert_eq!(vfs.contents(TARGET).unwrap(), b"theirs");
        assert_eq!(vfs.paths(), [Path::new(TARGET)]);
    }

    #[test]
    fn a_second_writer_finds_the_target_busy() {
        let vfs = MemoryVfs::new();
        let first = stage(vfs.clone(), IfExists::Refuse).unwrap();
        let error = stage(vfs.clone(), IfExists::Refuse).unwrap_err();
        assert!(matches!(error, StoreError::Busy { path } if path == Path::new(TARGET)));
        drop(first);
        stage(vfs, IfExists::Refuse).unwrap();
    }

    #[test]
    fn what_a_crash_left_behind_is_replaced() {
        let vfs = MemoryVfs::new();
        vfs.put(TEMPORARY, b"left behind, and longer than the new file");
        let mut staged = stage(vfs.clone(), IfExists::Refuse).unwrap();
        staged.write_all_at(0, b"new").unwrap();
        staged.commit().unwrap();
        assert_eq!(vfs.contents(TARGET).unwrap(), b"new");
        assert_eq!(vfs.paths(), [Path::new(TARGET)]);
    }

    #[test]
    fn a_failed_write_stops_everything_after_it() {
        let memory = MemoryVfs::new();
        memory.put(TARGET, b"old");
        let full = FaultVfs::new(Arc::new(memory.clone()), FaultPlan::disk_full_after(4));
        let mut staged = stage(full, IfExists::Replace).unwrap();
        let first = staged.write_all_at(0, b"12345").unwrap_err();
        assert_eq!(first.io_kind(), Some(io::ErrorKind::StorageFull));
        let poisoned = |result: Result<()>| match result {
            Err(StoreError::Poisoned { first }) => {
                assert_eq!(first.io_kind(), Some(io::ErrorKind::StorageFull))
            }
            other => panic!("not poisoned: {other:?}"),
        };
        poisoned(staged.write_all_at(0, b""));
        poisoned(staged.sync());
        poisoned(staged.commit());
        assert_eq!(memory.contents(TARGET).unwrap(), b"old");
        assert_eq!(memory.paths(), [Path::new(TARGET)]);
    }

    #[test]
    fn a_lock_on_a_file_that_lost_its_name_counts_for_nothing() {
        let vfs = MemoryVfs::new();
        let temporary = Path::new(TEMPORARY);
        let ours = vfs.create_new(temporary).unwrap();
        vfs.remove(temporary).unwrap();
        let theirs = vfs.create_new(temporary).unwrap();
        assert!(matches!(find_owner(&*ours, temporary), Ok(Owner::Nobody)));
        assert!(matches!(find_owner(&*theirs, temporary), Ok(Owner::Us)));
    }

    #[test]
    fn a_path_without_a_name_is_refused() {
        let error =
            StagedFile::create(Arc::new(MemoryVfs::new()), Path::new("/"), IfExists::Replace).unwrap_err();
        assert!(matches!(error, StoreError::NotAFile { .. }));
    }
}
