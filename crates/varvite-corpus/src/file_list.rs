//! [`FileList`]: the paths of a corpus, from a folder, a pattern or a list.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{CorpusError, Result};
use crate::file_key::FileKey;
use crate::pattern::{DEPTH_MAX, FilePattern, Found, WILD, too_deep};

/// The ending of graph files, which a folder is searched for.
const ENDING: &str = "varvite";

/// The files of a corpus, in the order of their paths. A file with several names is listed by the first one.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct FileList {
    /// The paths of the files.
    pub files: Vec<PathBuf>,
    /// Folders below the given one that can't be read.
    pub unreadable: Vec<UnreadableFolder>,
    /// Further names of listed files.
    pub other_names: Vec<OtherName>,
}

/// A folder that can't be read, so that its files are unknown.
#[derive(Debug)]
#[non_exhaustive]
pub struct UnreadableFolder {
    /// The folder.
    pub path: PathBuf,
    /// The error of the operating system.
    pub error: io::Error,
}

/// A second name of a file: a link, or the same path written otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OtherName {
    /// The name that is left out.
    pub name: PathBuf,
    /// The name under which the file is listed.
    pub of: PathBuf,
}

/// Whether words name many files: an existing folder, or a pattern that is not the name of a file.
pub fn names_many(words: &Path) -> bool {
    match fs::metadata(words) {
        Ok(found) => found.is_dir(),
        Err(_) => words.to_str().is_some_and(|text| text.contains(WILD)),
    }
}

impl UnreadableFolder {
    /// The error of work that needs the files of all folders.
    pub fn refusal(&self) -> CorpusError {
        let Self { path, error } = self.clone();
        CorpusError::Folder { path, reason: error }
    }
}

impl Clone for UnreadableFolder {
    /// The folder, with an error of the same kind and message.
    fn clone(&self) -> Self {
        let error = io::Error::new(self.error.kind(), self.error.to_string());
        Self { path: self.path.clone(), error }
    }
}

impl FileList {
    /// The files that words name: a folder with all `.varvite` files below it, a pattern (`*`, `?`, `[a-z]`,
    /// and `**` for any number of folders), or a single file. Links to folders are not followed below a
    /// folder and by `**`; the other parts of a pattern follow them, and enter each folder once.
    ///
    /// **Cost**: a visit of each folder, and one question to the file system for each file.
    ///
    /// # Errors
    /// [`CorpusError::NoFiles`], [`CorpusError::NoMatch`], [`CorpusError::BadPattern`] and
    /// [`CorpusError::Folder`].
    pub fn at(words: &Path) -> Result<Self> {
        match fs::metadata(words) {
            Ok(found) if found.is_dir() => Self::in_folder(words),
            Ok(_) => Ok(Self::of([words.to_owned()])),
            Err(_) => Self::matching(words),
        }
    }

    /// The given files, in the given order.
    pub fn of(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { files: paths.into_iter().collect(), ..Self::default() }.with_each_once()
    }

    /// The list without a file, whatever it is called.
    #[must_use]
    pub fn without(mut self, path: &Path) -> Self {
        let Ok(left_out) = FileKey::of(path) else { return self };
        self.files.retain(|file| FileKey::of(file).ok().as_ref() != Some(&left_out));
        self
    }

    fn in_folder(folder: &Path) -> Result<Self> {
        let mut list = Self::default();
        let mut waiting = vec![(folder.to_owned(), 0)];
        while let Some((path, depth)) = waiting.pop() {
            let read = list.read_folder(&path, |found| waiting.push((found, depth + 1)), depth < DEPTH_MAX);
            match read {
                Ok(()) => {}
                Err(reason) if depth == 0 => return Err(CorpusError::Folder { path, reason }),
                Err(error) => list.unreadable.push(UnreadableFolder { path, error }),
            }
        }
        if list.files.is_empty() && list.unreadable.is_empty() {
            return Err(CorpusError::NoFiles { folder: folder.to_owned() });
        }
        Ok(list.in_order())
    }

    /// Lists the graphs of one folder, and passes on its folders.
    fn read_folder(&mut self, path: &Path, mut folder: impl FnMut(PathBuf), goes_on: bool) -> io::Result<()> {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let (kind, found) = (entry.file_type()?, entry.path());
            if kind.is_dir() && goes_on {
                folder(found);
            } else if kind.is_dir() {
                self.unreadable.push(UnreadableFolder { path: found, error: too_deep() });
            } else if found.extension().is_some_and(|ending| ending == ENDING)
                && !is_link_to_folder(kind, &found)
            {
                self.files.push(found);
            }
        }
        Ok(())
    }

    fn matching(words: &Path) -> Result<Self> {
        let pattern = words.to_string_lossy().into_owned();
        let bad = |reason: String| CorpusError::BadPattern { pattern: pattern.clone(), reason };
        let text = words.to_str().ok_or_else(|| bad("it is not UTF-8".to_owned()))?;
        let found = FilePattern::parse(text).map_err(|error| bad(error.msg.to_owned()))?.find();
        let Found { files, unreadable } = found;
        let unreadable =
            unreadable.into_iter().map(|(path, error)| UnreadableFolder { path, error }).collect();
        let list = Self { files, unreadable, ..Self::default() };
        if list.files.is_empty() && list.unreadable.is_empty() {
            return Err(CorpusError::NoMatch { pattern });
        }
        Ok(list.in_order())
    }

    fn in_order(mut self) -> Self {
        self.files.sort_unstable();
        self.unreadable.sort_unstable_by(|one, other| one.path.cmp(&other.path));
        self.with_each_once()
    }

    /// Moves further names of a file to `other_names`.
    fn with_each_once(mut self) -> Self {
        let mut first: HashMap<FileKey, usize> = HashMap::new();
        let mut files: Vec<PathBuf> = Vec::with_capacity(self.files.len());
        for path in std::mem::take(&mut self.files) {
            let listed = FileKey::of(&path).ok().and_then(|key| match first.get(&key) {
                Some(number) => files.get(*number),
                None => {
                    first.insert(key, files.len());
                    None
                }
            });
            match listed.cloned() {
                Some(of) => self.other_names.push(OtherName { name: path, of }),
                None => files.push(path),
            }
        }
        Self { files, ..self }
    }
}

fn is_link_to_folder(kind: fs::FileType, path: &Path) -> bool {
    kind.is_symlink() && path.is_dir()
}
