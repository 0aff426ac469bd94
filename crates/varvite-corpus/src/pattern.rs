//! [`FilePattern`]: a pattern of paths, and the search for its files.
//!
//! The folder before the first wildcard is searched. Each part of the pattern searches a folder once, so a
//! search ends in a time that is limited by the folders and the length of the pattern, however links lead
//! from one folder to another.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf, is_separator};

use glob::{MatchOptions, Pattern, PatternError};

use crate::file_key::FileKey;

/// The depth of folders down to which `**` and a folder are searched.
pub(crate) const DEPTH_MAX: usize = 64;
/// Characters that make a path a pattern, if no file has the path as its name.
pub(crate) const WILD: [char; 3] = ['*', '?', '['];

/// A pattern of paths.
#[derive(Debug)]
pub(crate) struct FilePattern {
    /// The folder before the first wildcard.
    base: PathBuf,
    parts: Vec<Part>,
}

/// A part of a pattern, between two separators.
#[derive(Debug)]
enum Part {
    /// `**`: the folder itself, and all folders below it. Links are not followed.
    Folders,
    /// The name of a file or folder, which may be a link.
    Name(String),
    /// All files or folders with such names, which may be links.
    Names(Pattern),
}

/// The result of a search.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The files, in no order.
    pub(crate) files: Vec<PathBuf>,
    /// Folders that can't be read.
    pub(crate) unreadable: Vec<(PathBuf, io::Error)>,
}

impl FilePattern {
    /// Parses a pattern.
    pub(crate) fn parse(text: &str) -> Result<Self, PatternError> {
        Pattern::new(text)?;
        let fixed = text.split(WILD).next().unwrap_or(text);
        let (base, rest) = text.split_at(fixed.rfind(is_separator).map_or(0, |before| before + 1));
        let parts = rest.split(is_separator).map(Part::parse).collect::<Result<_, _>>()?;
        Ok(Self { base: PathBuf::from(base), parts })
    }

    /// Searches the files with such paths. Of several paths to a folder one is followed, the same in each
    /// search.
    pub(crate) fn find(&self) -> Found {
        let (seen, waiting, found) = (HashSet::new(), Vec::new(), Found::default());
        let mut search = Search { parts: &self.parts, seen, waiting, found };
        if self.base.as_os_str().is_empty() || self.base.is_dir() {
            search.waiting.push(Place { folder: self.base.clone(), part: 0, depth: 0 });
        }
        while let Some(place) = search.waiting.pop() {
            let first = search.waiting.len();
            if let Err(error) = search.visit(&place) {
                search.found.unreadable.push((place.folder, error));
            }
            // The last place is taken first.
            if let Some(new) = search.waiting.get_mut(first..) {
                new.reverse();
            }
        }
        search.found
    }
}

impl Part {
    fn parse(text: &str) -> Result<Self, PatternError> {
        Ok(match text {
            "**" => Self::Folders,
            _ if text.contains(WILD) => Self::Names(Pattern::new(text)?),
            _ => Self::Name(text.to_owned()),
        })
    }
}

/// A folder that is to be searched for a part of a pattern.
#[derive(Debug)]
struct Place {
    folder: PathBuf,
    /// The number of the part.
    part: usize,
    /// The number of folders that `**` has passed.
    depth: usize,
}

struct Search<'p> {
    parts: &'p [Part],
    /// The folders that were searched, for each part.
    seen: HashSet<(usize, FileKey)>,
    waiting: Vec<Place>,
    found: Found,
}

impl Search<'_> {
    fn visit(&mut self, place: &Place) -> io::Result<()> {
        let folder = if place.folder.as_os_str().is_empty() { Path::new(".") } else { &place.folder };
        if !self.seen.insert((place.part, FileKey::of(folder)?)) {
            return Ok(());
        }
        match self.parts.get(place.part) {
            None => {}
            Some(Part::Folders) => {
                self.waiting.push(Place { folder: place.folder.clone(), part: place.part + 1, depth: 0 });
                self.descend(folder, place)?;
            }
            Some(Part::Name(name)) => {
                let path = place.folder.join(name);
                match fs::symlink_metadata(&path) {
                    Ok(found) => self.enter(path, found.file_type(), place),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    Err(error) => return Err(error),
                }
            }
            Some(Part::Names(pattern)) => {
                for (name, kind) in entries(folder)? {
                    if pattern.matches_with(&name.to_string_lossy(), MatchOptions::new()) {
                        self.enter(place.folder.join(name), kind, place);
                    }
                }
            }
        }
        Ok(())
    }

    /// Goes on in the folders of a folder.
    fn descend(&mut self, folder: &Path, place: &Place) -> io::Result<()> {
        for (name, kind) in entries(folder)? {
            if !kind.is_dir() {
                continue;
            }
            let folder = place.folder.join(name);
            if place.depth < DEPTH_MAX {
                self.waiting.push(Place { folder, part: place.part, depth: place.depth + 1 });
            } else {
                self.found.unreadable.push((folder, too_deep()));
            }
        }
        Ok(())
    }

    /// Takes a file of the last part, or goes on in a folder of any other part.
    fn enter(&mut self, path: PathBuf, kind: fs::FileType, place: &Place) {
        let is_folder = kind.is_dir() || kind.is_symlink() && path.is_dir();
        let is_last = place.part + 1 == self.parts.len();
        match (is_folder, is_last) {
            (true, false) => self.waiting.push(Place { folder: path, part: place.part + 1, depth: 0 }),
            (false, true) => self.found.files.push(path),
            _ => {}
        }
    }
}

/// The names in a folder, sorted, each with its kind; a link is no folder.
fn entries(folder: &Path) -> io::Result<Vec<(OsString, fs::FileType)>> {
    let named = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name(), entry.file_type()?))
    };
    let mut names = fs::read_dir(folder)?.map(named).collect::<io::Result<Vec<_>>>()?;
    names.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(names)
}

/// The error of a folder below too many others.
pub(crate) fn too_deep() -> io::Error {
    io::Error::other(format!("more than {DEPTH_MAX} folders below the first"))
}
