//! [`LockedFile`]: an open file that no other writer changes.
//!
//! The lock belongs to the file and not to a name: all hard links, bind mounts and symbolic links lead to the
//! same lock. A writer reads and writes through the handle that has the lock. The lock is advisory: readers
//! take no lock and never wait. Taking a lock never waits either, and a lock ends with its process.
//!
//! A name may be given to another file between opening and locking. So a writer checks the name again once it
//! has the lock, and starts again if the name now refers to another file.
//! docs/decisions/0091-lock-the-file-not-its-name.md has the protocol.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite_format::Header;

use crate::error::{Result, StoreError};
use crate::vfs::{Vfs, VfsFile};

/// The number of attempts to open and lock a file if the name is given to another file meanwhile.
pub(crate) const ATTEMPTS: usize = 8;

/// A locked file and one of its names. The lock is released when this value is dropped.
#[derive(Debug)]
pub(crate) struct LockedFile {
    path: PathBuf,
    file: Arc<dyn VfsFile>,
    /// Whether the lock was taken: false if the user insisted on writing without a lock.
    is_locked: bool,
    /// The error if the file can't be opened for writing. Such a file can still be replaced.
    read_only: Option<StoreError>,
}

impl LockedFile {
    /// Opens and locks the file that `path` names; `path` must not be a symbolic link.
    ///
    /// # Errors
    /// [`StoreError::Busy`] with the holder, if another handle has the lock; [`StoreError::NoLocks`] if the
    /// file system has no locks; an error of the file system.
    pub(crate) fn open(vfs: &dyn Vfs, path: &Path) -> Result<Self> {
        for _ in 0..ATTEMPTS {
            let (file, read_only) = match vfs.open_writable(path) {
                Ok(file) => (file, None),
                Err(error) if is_read_only(&error) => (vfs.open(path)?, Some(error)),
                Err(error) => return Err(error),
            };
            let locked = Self { is_locked: try_lock(vfs, &*file)?, path: path.to_owned(), file, read_only };
            if planted!(NameNotCheckedAgain) || locked.has_its_name()? {
                return Ok(locked);
            }
        }
        Err(StoreError::Busy { path: path.to_owned(), holder: None })
    }

    /// Opens and locks a file as [`LockedFile::open`] does; `None` if the file does not exist.
    ///
    /// # Errors
    /// As [`LockedFile::open`].
    pub(crate) fn open_if_there(vfs: &dyn Vfs, path: &Path) -> Result<Option<Self>> {
        match Self::open(vfs, path) {
            Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Creates and locks a file under the hidden name `path`. The file will get the name `new.target`, which
    /// the file `new.replaced` has now. If a stopped writer left a file under the hidden name, that file is
    /// removed, never reused.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if another writer is using the hidden file; [`StoreError::Unfinished`] if a
    /// stopped writer left a file that must not be removed; [`StoreError::NoLocks`]; an error of the file
    /// system.
    pub(crate) fn create(vfs: &dyn Vfs, path: &Path, new: &NewFile<'_>) -> Result<Self> {
        for _ in 0..ATTEMPTS {
            let created = match new.is_private {
                true => vfs.create_private(path),
                false => vfs.create_new(path),
            };
            match created {
                Ok(file) => {
                    if let Some(locked) = Self::of_new(vfs, path, file)? {
                        return Ok(locked);
                    }
                }
                Err(error) if error.io_kind() == Some(io::ErrorKind::AlreadyExists) => {
                    planted!(LeftoverReused => return Ok(Self { path: path.to_owned(), file: vfs.open_writable(path)?, is_locked: true, read_only: None }));
                    new.make_way(vfs, path)?;
                }
                Err(error) => return Err(error),
            }
        }
        Err(StoreError::Busy { path: new.target.to_owned(), holder: None })
    }

    /// Locks a file that was just created; `None` if another writer took it for a leftover before it was
    /// locked.
    fn of_new(vfs: &dyn Vfs, path: &Path, file: Arc<dyn VfsFile>) -> Result<Option<Self>> {
        let locked = match try_lock(vfs, &*file) {
            Err(StoreError::Busy { .. }) => return Ok(None),
            is_locked => is_locked.map(|is_locked| Self {
                path: path.to_owned(),
                file: Arc::clone(&file),
                is_locked,
                read_only: None,
            }),
        };
        let is_ours =
            locked.and_then(|locked| locked.has_its_name().map(|is_ours| is_ours.then_some(locked)));
        if is_ours.is_err() && !matches!(file.is_at(path), Ok(false)) {
            remove_if_there(vfs, path)?;
        }
        is_ours
    }

    /// The name by which the file was opened.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The handle that has the lock.
    pub(crate) fn file(&self) -> &Arc<dyn VfsFile> {
        &self.file
    }

    /// The handle that has the lock, for writing.
    ///
    /// # Errors
    /// The error with which the file system refused to open the file for writing.
    pub(crate) fn writable(&self) -> Result<&Arc<dyn VfsFile>> {
        match &self.read_only {
            None => Ok(&self.file),
            Some(error) => Err(error.clone()),
        }
    }

    /// Whether the lock keeps other writers out: false if the user insisted on writing without a lock.
    pub(crate) fn keeps_others_out(&self) -> bool {
        self.is_locked
    }

    /// Whether the name still refers to this file.
    ///
    /// # Errors
    /// An error of the file system.
    pub(crate) fn has_its_name(&self) -> Result<bool> {
        self.file.is_at(&self.path)
    }

    /// Releases the lock too early, as a deliberate bug that the crash harness must find.
    #[cfg(feature = "planted")]
    pub(crate) fn unlock(&self) {
        self.file.unlock();
    }
}

impl Drop for LockedFile {
    /// Releases the lock explicitly, because readers may keep the handle open.
    fn drop(&mut self) {
        self.file.unlock();
    }
}

/// The treatment of an unfinished file that another writer left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leftover {
    /// Remove the file: its content has no value.
    Remove,
    /// Fail with [`StoreError::Unfinished`]: the file may be a recording that can't be repeated.
    Refuse,
}

/// Options for creating an unfinished file.
#[derive(Debug)]
pub(crate) struct NewFile<'a> {
    /// The name that the new file will get.
    pub(crate) target: &'a Path,
    /// The file that has that name now; `None` if there is none.
    pub(crate) replaced: Option<&'a LockedFile>,
    /// Whether only the owner of the new file may read it.
    pub(crate) is_private: bool,
    /// The treatment of an unfinished file of a stopped writer.
    pub(crate) leftover: Leftover,
}

impl NewFile<'_> {
    /// Removes the file that has the hidden name, if it is a leftover.
    fn make_way(&self, vfs: &dyn Vfs, path: &Path) -> Result<()> {
        let unfinished = || StoreError::Unfinished { path: self.target.to_owned(), partial: path.to_owned() };
        // A writer was stopped after it gave its file the final name and before it removed the hidden name.
        // We have already locked that file, so locking it again would fail.
        if let Some(replaced) = self.replaced
            && replaced.file.is_at(path)?
        {
            return remove_if_there(vfs, path);
        }
        let Some(left) = Leftover::find(vfs, path).map_err(|error| busy_at(error, self.target))? else {
            return Ok(());
        };
        if self.leftover == Leftover::Refuse || !left.keeps_others_out() {
            return Err(unfinished());
        }
        remove_if_there(vfs, path)
    }
}

impl Leftover {
    /// Finds and locks the file that a stopped writer left under a hidden name. `None` if the name is free by
    /// now. A symbolic link with this name was not made by a writer, and is removed.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if a writer is using the file; an error of the file system.
    fn find(vfs: &dyn Vfs, path: &Path) -> Result<Option<LockedFile>> {
        if vfs.resolve(path)? != path {
            remove_if_there(vfs, path)?;
            return Ok(None);
        }
        LockedFile::open_if_there(vfs, path)
    }
}

/// Removes the hidden files that stopped writers left beside the graph `target`. The graph is locked, so no
/// running writer has a file that will replace the graph. A hidden file that is not an unfinished graph is
/// kept, because it may be a recording. The file of a running writer is kept too.
pub(crate) fn remove_leftovers(vfs: &dyn Vfs, target: &LockedFile) -> Result<()> {
    // Every writer removes the name of its scratch file at once, so a file of that name is a leftover.
    let scratch = beside(target.path(), SCRATCH)?;
    if vfs.exists(&scratch)? {
        remove_if_there(vfs, &scratch)?;
    }
    for ending in [PARTIAL, COMPACTED] {
        let path = beside(target.path(), ending)?;
        if !vfs.exists(&path)? {
            continue;
        }
        if target.file.is_at(&path)? {
            remove_if_there(vfs, &path)?;
            continue;
        }
        match Leftover::find(vfs, &path) {
            Ok(Some(left)) if left.keeps_others_out() && is_begun_graph(&*left.file)? => {
                remove_if_there(vfs, &path)?;
            }
            // The file belongs to another user, is in use, or is not a graph, so it is kept.
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

/// The ending of the name that a new file has until it is complete.
pub(crate) const PARTIAL: &str = ".partial";
/// The ending of the name of a replacement: a new file that is written while the old file still gets commits.
pub(crate) const COMPACTED: &str = ".compacted";

/// The ending of the name of a temporary file for data beyond memory.
pub(crate) const SCRATCH: &str = ".scratch";

/// The path `.NAME` plus an ending, in the folder of `target`.
pub(crate) fn beside(target: &Path, ending: &str) -> Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| StoreError::NotAFile { path: target.to_owned() })?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(ending);
    Ok(target.with_file_name(hidden))
}

/// Tries to take the lock. Returns false if the file system has no locks and the user insisted on writing
/// without one.
fn try_lock(vfs: &dyn Vfs, file: &dyn VfsFile) -> Result<bool> {
    planted!(LockNotTaken => return Ok(true));
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(StoreError::NoLocks { .. }) if !vfs.needs_locks() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether a file is an unfinished graph: it is empty or begins as a graph does.
fn is_begun_graph(file: &dyn VfsFile) -> Result<bool> {
    if file.len()? == 0 {
        return Ok(true);
    }
    let mut magic = [0; 16];
    match file.read_exact_at(0, &mut magic) {
        Ok(()) => Ok(Header::has_magic(&magic)),
        Err(StoreError::Truncated { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn is_read_only(error: &StoreError) -> bool {
    matches!(error.io_kind(), Some(io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem))
}

fn remove_if_there(vfs: &dyn Vfs, path: &Path) -> Result<()> {
    match vfs.remove(path) {
        Err(error) if error.io_kind() == Some(io::ErrorKind::NotFound) => Ok(()),
        removed => removed,
    }
}

/// Turns the error for a hidden file into one for its target.
fn busy_at(error: StoreError, target: &Path) -> StoreError {
    match error {
        StoreError::Busy { holder, .. } => StoreError::Busy { path: target.to_owned(), holder },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::{TempDir, tempdir};
    use varvite_format::Profile;

    use super::*;
    use crate::vfs::RealVfs;

    const TARGET: &str = "code.varvite";
    const TEMPORARY: &str = ".code.varvite.partial";

    /// A temporary folder whose file names the test lists.
    struct Folder(TempDir);

    impl Folder {
        fn new() -> Self {
            Self(tempdir().unwrap())
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn put(&self, name: &str, bytes: &[u8]) {
            fs::write(self.path(name), bytes).unwrap();
        }

        fn names(&self) -> Vec<String> {
            let files = fs::read_dir(self.0.path()).unwrap();
            let mut names: Vec<String> =
                files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }

        fn open(&self, name: &str) -> Result<LockedFile> {
            LockedFile::open(&RealVfs, &self.path(name))
        }

        fn create(&self, leftover: Leftover) -> Result<LockedFile> {
            let target = &self.path(TARGET);
            let new = NewFile { target, replaced: None, is_private: false, leftover };
            LockedFile::create(&RealVfs, &self.path(TEMPORARY), &new)
        }
    }

    #[test]
    fn a_second_writer_is_refused_by_any_name() {
        let folder = Folder::new();
        folder.put(TARGET, b"graph");
        fs::hard_link(folder.path(TARGET), folder.path("other")).unwrap();
        let first = folder.open(TARGET).unwrap();
        let error = folder.open("other").unwrap_err();
        assert!(matches!(&error, StoreError::Busy { path, .. } if *path == folder.path("other")), "{error}");
        let reader = Arc::clone(first.file());
        drop(first);
        folder.open("other").expect("whoever reads by the handle keeps nobody out");
        drop(reader);
    }

    #[test]
    fn what_is_locked_under_a_hidden_name_is_in_use_and_else_a_leftover() {
        let folder = Folder::new();
        let first = folder.create(Leftover::Remove).unwrap();
        first.file().write_all_at(0, b"first").unwrap();
        let error = folder.create(Leftover::Remove).unwrap_err();
        assert!(matches!(error, StoreError::Busy { path, .. } if path == folder.path(TARGET)));
        drop(first);
        assert!(matches!(folder.create(Leftover::Refuse), Err(StoreError::Unfinished { .. })));
        assert_eq!(fs::read(folder.path(TEMPORARY)).unwrap(), b"first");
        folder.create(Leftover::Remove).unwrap();
        assert_eq!(fs::read(folder.path(TEMPORARY)).unwrap(), b"", "never reused");
    }

    #[test]
    fn a_writer_removes_what_stopped_writers_left_of_its_graph_and_nothing_else() {
        let folder = Folder::new();
        let compacted = ".code.varvite.compacted";
        folder.put(TARGET, b"graph");
        let target = folder.open(TARGET).unwrap();
        folder.put(TEMPORARY, b"a recording");
        folder.put(".code.varvite.scratch", b"");
        folder.put(compacted, &Header { file_id: [7; 16], profile: Profile::Direct }.to_page());
        remove_leftovers(&RealVfs, &target).unwrap();
        assert_eq!(folder.names(), [TEMPORARY, TARGET]);
        fs::remove_file(folder.path(TEMPORARY)).unwrap();
        fs::hard_link(folder.path(TARGET), folder.path(TEMPORARY)).unwrap();
        let running = RealVfs.create_new(&folder.path(compacted)).unwrap();
        running.try_lock().unwrap();
        remove_leftovers(&RealVfs, &target).unwrap();
        assert_eq!(folder.names(), [compacted, TARGET]);
        drop(running);
        remove_leftovers(&RealVfs, &target).unwrap();
        assert_eq!(folder.names(), [TARGET]);
    }
}
