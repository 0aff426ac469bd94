//! [`StagedFolder`]: a folder of new files that appears whole under its name, or not at all.
//!
//! The files are written in the folder `.NAME.partial` beside the target. Committing syncs them, writes the
//! index, and renames the folder. A folder that is replaced is first renamed to `.NAME.replaced`, and removed
//! at the end: at every moment, one of the two names has the whole old folder, or the target has the whole
//! new one.
//!
//! The index is the first file of the folder, and locked until the end: two writers of one name conflict at
//! this lock. A writer that finds an unlocked index removes the folder as a leftover. Only folders of the
//! same [`FolderShape`] are ever removed: of a whole folder the files that its index lists, and of an
//! unfinished one, whose name is hidden, those with the ending of the shape. Other files are never touched.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Result, StoreError};
use crate::vfs::{RealVfs, Vfs, VfsFile};
use crate::writing::locked_file::{Leftover, LockedFile, NewFile, PARTIAL, beside};
use crate::writing::staged::IfExists;

/// The ending of the name of a folder that is being replaced.
const REPLACED: &str = ".replaced";

/// The longest index that is read, in bytes.
const INDEX_BYTES_MAX: u64 = 1 << 30;

/// The content that a folder may have: an index, and some folders with files of one ending.
#[derive(Clone, Copy, Debug)]
pub struct FolderShape {
    /// The name of the index, which every folder of this shape has.
    pub index: &'static str,
    /// The names of the folders.
    pub folders: &'static [&'static str],
    /// The ending of the files in these folders, such as `.parquet`.
    pub ending: &'static str,
    /// Reads the paths of all files from an index, each as `FOLDER/FILE`. `None` if the text is no index.
    pub files_of: fn(&mut dyn io::Read) -> Option<HashSet<String>>,
}

/// The files in a folder that its writer made.
enum OwnFiles {
    /// Those that the index lists.
    Listed(HashSet<String>),
    /// All with the ending of the shape: the index of an unfinished folder is empty.
    OfEnding(&'static str),
}

impl OwnFiles {
    fn has(&self, folder: &OsStr, (name, is_folder): &(OsString, bool)) -> bool {
        let is_own = match self {
            Self::Listed(paths) => {
                let path =
                    folder.to_str().zip(name.to_str()).map(|(folder, name)| format!("{folder}/{name}"));
                path.is_some_and(|path| paths.contains(&path))
            }
            Self::OfEnding(ending) => name.as_encoded_bytes().ends_with(ending.as_bytes()),
        };
        is_own && !is_folder
    }
}

/// An unfinished new folder. If it is dropped without [`commit`](StagedFolder::commit), it is removed.
#[derive(Debug)]
pub struct StagedFolder {
    vfs: Arc<dyn Vfs>,
    shape: FolderShape,
    target: PathBuf,
    temporary: PathBuf,
    replaces: bool,
    index: Option<LockedFile>,
    is_committed: bool,
}

/// A new file of a [`StagedFolder`], written from the beginning to the end.
#[derive(Debug)]
pub struct FolderFile {
    file: Arc<dyn VfsFile>,
    len: u64,
}

impl StagedFolder {
    /// Begins a folder that will get the name `target`. An unfinished folder of a stopped writer is removed.
    ///
    /// # Errors
    /// [`StoreError::Exists`] if the target exists and is not to be replaced; [`StoreError::NotAnExport`] if
    /// it is to be replaced and has other content than `shape` allows; [`StoreError::Busy`] if another writer
    /// is writing it; an error of the file system. The target is then untouched.
    pub fn create(vfs: Arc<dyn Vfs>, target: &Path, shape: FolderShape, if_exists: IfExists) -> Result<Self> {
        let target = vfs.resolve(target)?;
        let replaces = vfs.exists(&target)?;
        if replaces && if_exists == IfExists::Refuse {
            return Err(StoreError::Exists { path: target });
        }
        if replaces {
            shape.check(&*vfs, &target)?;
        }
        let temporary = beside(&target, PARTIAL)?;
        if vfs.exists(&temporary)? {
            shape.remove_leftover(&*vfs, &temporary, &target)?;
        }
        RealVfs.create_folder(&temporary)?;
        let mut folder = Self { vfs, shape, target, temporary, replaces, index: None, is_committed: false };
        folder.fill()?;
        Ok(folder)
    }

    /// Creates the index and the folders.
    fn fill(&mut self) -> Result<()> {
        let new =
            NewFile { target: &self.target, replaced: None, is_private: false, leftover: Leftover::Refuse };
        self.index = Some(LockedFile::create(&*self.vfs, &self.temporary.join(self.shape.index), &new)?);
        for name in self.shape.folders {
            RealVfs.create_folder(&self.temporary.join(name))?;
        }
        Ok(())
    }

    /// Creates a file in one of the folders.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn create_file(&self, folder: &str, name: &str) -> Result<FolderFile> {
        let file = self.vfs.create_new(&self.temporary.join(folder).join(name))?;
        Ok(FolderFile { file, len: 0 })
    }

    /// Writes the index, and gives the folder its name, durably. All files must have been
    /// [finished](FolderFile::finish).
    ///
    /// # Errors
    /// An error of the file system. Unless the error is [`StoreError::NotDurable`], the target is unchanged;
    /// if it was replaced and its new name could not be undone, the error is of the rename, and the old
    /// folder is `.NAME.replaced`.
    pub fn commit(mut self, index: &[u8]) -> Result<()> {
        let Some(file) = &self.index else { return Err(StoreError::Replaced { path: self.target.clone() }) };
        file.file().write_all_at(0, index)?;
        file.file().sync()?;
        for name in self.shape.folders {
            self.vfs.sync_dir(&self.temporary.join(name))?;
        }
        self.vfs.sync_dir(&self.temporary)?;
        if !file.has_its_name()? {
            return Err(StoreError::Replaced { path: self.temporary.clone() });
        }
        self.take_name()?;
        self.is_committed = true;
        let parent = self.target.parent().unwrap_or(Path::new(""));
        self.vfs
            .sync_dir(parent)
            .map_err(|reason| StoreError::NotDurable { path: self.target.clone(), reason: Arc::new(reason) })
    }

    fn take_name(&self) -> Result<()> {
        if !self.replaces {
            // A rename would replace an empty folder.
            if self.vfs.exists(&self.target)? {
                return Err(StoreError::Exists { path: self.target.clone() });
            }
            return self.vfs.rename(&self.temporary, &self.target);
        }
        let files = self.shape.check(&*self.vfs, &self.target)?;
        let old = beside(&self.target, REPLACED)?;
        if self.vfs.exists(&old)? {
            let left = self.shape.listed(&*self.vfs, &old)?.unwrap_or_default();
            self.shape.remove(&*self.vfs, &old, &OwnFiles::Listed(left))?;
        }
        self.vfs.rename(&self.target, &old)?;
        if let Err(error) = self.vfs.rename(&self.temporary, &self.target) {
            self.vfs.rename(&old, &self.target)?;
            return Err(error);
        }
        // The new folder is in place. If the old one cannot be removed, the next writer removes it.
        let _ = self.shape.remove(&*self.vfs, &old, &OwnFiles::Listed(files));
        Ok(())
    }
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        // If the removal fails, the next writer of the same target removes the leftover.
        if !self.is_committed {
            let _ = self.shape.remove(&*self.vfs, &self.temporary, &self.shape.unfinished());
        }
    }
}

impl FolderFile {
    /// The number of written bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Makes the bytes durable, and returns their number.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn finish(self) -> Result<u64> {
        self.file.sync()?;
        Ok(self.len)
    }
}

/// Writes at the end. Each error wraps a [`StoreError`].
impl io::Write for FolderFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all_at(self.len, bytes).map_err(io::Error::other)?;
        self.len += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FolderShape {
    /// Fails unless a folder has an index, and no content beside the files that the index lists, which are
    /// returned.
    fn check(&self, vfs: &dyn Vfs, folder: &Path) -> Result<HashSet<String>> {
        let refused = |found: String| StoreError::NotAnExport { path: folder.to_owned(), found };
        let names = RealVfs.folder_names(folder)?;
        if !names.iter().any(|(name, is_folder)| !is_folder && name == self.index) {
            return Err(refused(format!("no {}", self.index)));
        }
        let Some(listed) = self.listed(vfs, folder)? else {
            return Err(refused(format!("another {}", self.index)));
        };
        let own = OwnFiles::Listed(listed);
        for (name, is_folder) in names {
            if !is_folder && name == self.index {
                continue;
            }
            if !is_folder || !self.folders.iter().any(|folder| name == *folder) {
                return Err(refused(shown(&name)));
            }
            let inner = RealVfs.folder_names(&folder.join(&name))?;
            if let Some((file, _)) = inner.iter().find(|entry| !own.has(&name, entry)) {
                return Err(refused(format!("{}/{}", shown(&name), shown(file))));
            }
        }
        match own {
            OwnFiles::Listed(listed) => Ok(listed),
            OwnFiles::OfEnding(_) => Ok(HashSet::new()),
        }
    }

    /// The files that the index of a folder lists. `None` if there is no index of an export.
    fn listed(&self, vfs: &dyn Vfs, folder: &Path) -> Result<Option<HashSet<String>>> {
        let path = folder.join(self.index);
        if !vfs.exists(&path)? {
            return Ok(None);
        }
        let file = vfs.open(&path)?;
        let len = file.len()?;
        Ok(if len > INDEX_BYTES_MAX { None } else { (self.files_of)(&mut FileText { file, at: 0, len }) })
    }

    /// The files of an unfinished folder.
    fn unfinished(&self) -> OwnFiles {
        OwnFiles::OfEnding(self.ending)
    }

    /// Removes the folder that a stopped writer left. Fails if a writer is using it.
    fn remove_leftover(&self, vfs: &dyn Vfs, folder: &Path, target: &Path) -> Result<()> {
        let busy = |error| match error {
            StoreError::Busy { holder, .. } => StoreError::Busy { path: target.to_owned(), holder },
            error => error,
        };
        let lock = LockedFile::open_if_there(vfs, &folder.join(self.index)).map_err(busy)?;
        if lock.as_ref().is_some_and(|lock| !lock.keeps_others_out()) {
            return Err(StoreError::Unfinished { path: target.to_owned(), partial: folder.to_owned() });
        }
        self.remove(vfs, folder, &self.unfinished())
    }

    /// Removes a folder and its own files. Fails if it has other content. The index goes last, so that a
    /// folder whose removal was interrupted is still known as one of this shape.
    fn remove(&self, vfs: &dyn Vfs, folder: &Path, own: &OwnFiles) -> Result<()> {
        for name in self.folders {
            let inner = folder.join(name);
            if !vfs.exists(&inner)? {
                continue;
            }
            for entry in RealVfs.folder_names(&inner)?.iter().filter(|entry| own.has(OsStr::new(name), entry))
            {
                vfs.remove(&inner.join(&entry.0))?;
            }
            RealVfs.remove_folder(&inner)?;
        }
        let index = folder.join(self.index);
        if vfs.exists(&index)? {
            vfs.remove(&index)?;
        }
        RealVfs.remove_folder(folder)
    }
}

/// Reads a file from its beginning to its end. Each error wraps a [`StoreError`].
struct FileText {
    file: Arc<dyn VfsFile>,
    at: u64,
    len: u64,
}

impl io::Read for FileText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(usize::try_from(self.len - self.at).unwrap_or(usize::MAX));
        let (wanted, _) = buffer.split_at_mut(count);
        self.file.read_exact_at(self.at, wanted).map_err(io::Error::other)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// A name as text, with escapes for control characters.
fn shown(name: &OsStr) -> String {
    name.to_string_lossy().escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    /// The index begins with `=`, and has a path on each further line.
    const SHAPE: FolderShape =
        FolderShape { index: "_index", folders: &["nodes", "edges"], ending: ".parquet", files_of };

    fn files_of(index: &mut dyn io::Read) -> Option<HashSet<String>> {
        let mut text = String::new();
        index.read_to_string(&mut text).unwrap();
        text.strip_prefix('=').map(|paths| paths.lines().map(String::from).collect())
    }

    fn begin(target: &Path, if_exists: IfExists) -> Result<StagedFolder> {
        StagedFolder::create(Arc::new(RealVfs), target, SHAPE, if_exists)
    }

    fn put(folder: &StagedFolder, name: &str, bytes: &[u8]) {
        let mut file = folder.create_file("nodes", name).unwrap();
        file.write_all(bytes).unwrap();
        assert_eq!(file.finish().unwrap(), bytes.len() as u64);
    }

    fn names(path: &Path) -> Vec<String> {
        let names = RealVfs.folder_names(path).unwrap();
        names.into_iter().map(|(name, _)| name.into_string().unwrap()).collect()
    }

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("out");
        let staged = begin(&target, IfExists::Refuse).unwrap();
        put(&staged, "A.parquet", b"old");
        assert_eq!(names(place.path()), [".out.partial"]);
        drop(staged);
        assert_eq!(names(place.path()), [] as [&str; 0]);
        let staged = begin(&target, IfExists::Refuse).unwrap();
        put(&staged, "A.parquet", b"old");
        staged.commit(b"=nodes/A.parquet").unwrap();
        assert_eq!(names(place.path()), ["out"]);
        assert_eq!(fs::read(target.join("nodes/A.parquet")).unwrap(), b"old");
        assert_eq!(fs::read(target.join("_index")).unwrap(), b"=nodes/A.parquet");
    }

    #[test]
    fn an_old_folder_stays_whole_until_its_successor_is() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("out");
        let staged = begin(&target, IfExists::Refuse).unwrap();
        put(&staged, "A.parquet", b"old");
        staged.commit(b"=nodes/A.parquet").unwrap();
        assert!(matches!(begin(&target, IfExists::Refuse), Err(StoreError::Exists { .. })));
        let staged = begin(&target, IfExists::Replace).unwrap();
        put(&staged, "B.parquet", b"new");
        assert_eq!(fs::read(target.join("nodes/A.parquet")).unwrap(), b"old");
        staged.commit(b"=nodes/B.parquet").unwrap();
        assert_eq!(
            (names(place.path()), names(&target.join("nodes"))),
            (vec!["out".into()], vec!["B.parquet".into()])
        );
    }

    #[test]
    fn other_content_is_never_removed() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("home");
        fs::create_dir(&target).unwrap();
        let refused = |words: &str| {
            let error = begin(&target, IfExists::Replace).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        refused("no _index");
        fs::write(target.join("_index"), "").unwrap();
        refused("another _index");
        fs::write(target.join("_index"), "=nodes/A.parquet").unwrap();
        fs::create_dir(target.join("nodes")).unwrap();
        for name in ["nodes/thesis.doc", "nodes/mine.parquet", "nodes/a.parquet"] {
            fs::write(target.join(name), "mine").unwrap();
            refused(name);
            fs::remove_file(target.join(name)).unwrap();
        }
        // Content that comes later is found before the folder is renamed.
        let staged = begin(&target, IfExists::Replace).unwrap();
        fs::write(target.join("thesis.doc"), "mine").unwrap();
        assert!(matches!(staged.commit(b"="), Err(StoreError::NotAnExport { .. })));
        assert_eq!(fs::read(target.join("thesis.doc")).unwrap(), b"mine");
        assert_eq!(names(place.path()), ["home"]);
    }

    #[test]
    fn a_folder_whose_removal_was_interrupted_loses_only_its_own_files() {
        let place = tempfile::tempdir().unwrap();
        let (target, old) = (place.path().join("out"), place.path().join(".out.replaced"));
        begin(&target, IfExists::Refuse).unwrap().commit(b"=").unwrap();
        fs::create_dir_all(old.join("nodes")).unwrap();
        fs::write(old.join("_index"), "=nodes/A.parquet\nnodes/B.parquet").unwrap();
        fs::write(old.join("nodes/B.parquet"), "old").unwrap();
        fs::write(old.join("nodes/mine.parquet"), "mine").unwrap();
        assert!(begin(&target, IfExists::Replace).unwrap().commit(b"=").is_err());
        assert_eq!(names(&old.join("nodes")), ["mine.parquet"]);
        fs::remove_file(old.join("nodes/mine.parquet")).unwrap();
        begin(&target, IfExists::Replace).unwrap().commit(b"=").unwrap();
        assert_eq!(names(place.path()), ["out"]);
    }

    #[test]
    fn two_writers_conflict_and_a_leftover_does_not() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("out");
        let first = begin(&target, IfExists::Refuse).unwrap();
        assert!(
            matches!(begin(&target, IfExists::Refuse), Err(StoreError::Busy { path, .. }) if path == target)
        );
        drop(first);
        let left = place.path().join(".out.partial");
        fs::create_dir_all(left.join("nodes")).unwrap();
        fs::write(left.join("nodes/A.parquet"), "half").unwrap();
        fs::write(left.join("_index"), "").unwrap();
        begin(&target, IfExists::Refuse).unwrap().commit(b"=").unwrap();
        assert_eq!((names(place.path()), names(&target.join("nodes"))), (vec!["out".into()], vec![]));
    }
}
