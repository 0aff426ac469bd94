//! [`Folder`]: where generated files go, beside nothing that others wrote.
//!
//! A folder of sources belongs to a generator: it may replace and remove files that have its mark in their
//! first line, and nothing else. So a label that is gone takes its class with it, and a mistyped folder loses
//! nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{GenerateError, Result};
use crate::source_file::{MARK, SourceFile};

/// The end of a file's name during its writing, after the number of the process and a rising number: two
/// generators of one folder never write the same file, and never remove each other's.
const UNFINISHED: &str = "varvite-new";
/// Longest first line that is read: no file of other programs is read whole.
const LINE_MAX: u64 = 1 << 10;

/// A folder for generated files.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    is_shared: bool,
}

/// The result of writing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that are new or have changed.
    pub changed: usize,
    /// Files that were there already, byte for byte, and were not touched.
    pub unchanged: usize,
    /// Files of an earlier run that nothing needs any more.
    pub removed: usize,
}

impl Folder {
    /// A folder that may be missing, and holds generated files only.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), is_shared: false }
    }

    /// Allows files of others beside the generated ones. One of theirs that has the name of a generated one
    /// is replaced.
    #[must_use]
    pub fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// Makes the folder hold these files, and none that was generated earlier. Files that are right already
    /// keep their times.
    ///
    /// Looks at the folders that the files go to, and not below them.
    ///
    /// # Errors
    /// [`GenerateError::Foreign`], before anything is written; [`GenerateError::Io`], with the files written
    /// so far in place.
    pub fn write(&self, files: &[SourceFile]) -> Result<Written> {
        let files: BTreeMap<PathBuf, &str> =
            files.iter().map(|file| (self.root.join(&file.path), file.text.as_str())).collect();
        let folders: BTreeSet<&Path> = files.keys().filter_map(|path| path.parent()).collect();
        let mut generated = Vec::new();
        for folder in &folders {
            generated.extend(self.generated_in(folder)?);
        }
        for folder in &folders {
            fs::create_dir_all(folder).map_err(|error| io_error("create the folder", folder, error))?;
        }
        let mut written = Written::default();
        for (path, text) in &files {
            written.add(write_file(path, text)?);
        }
        for path in generated.iter().filter(|path| !files.contains_key(*path)) {
            fs::remove_file(path).map_err(|error| io_error("remove", path, error))?;
            written.removed += 1;
        }
        Ok(written)
    }

    /// The generated files in a folder.
    fn generated_in(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let (mut generated, mut foreign) = (Vec::new(), Vec::new());
        for path in files_in(folder)? {
            if is_generated(&path)? { generated.push(path) } else { foreign.push(path) }
        }
        match foreign.first() {
            Some(first) if !self.is_shared => Err(GenerateError::Foreign {
                folder: folder.to_owned(),
                first: first.file_name().unwrap_or_default().into(),
                count: match foreign.len() {
                    1 => "a file".to_owned(),
                    count => format!("{count} files"),
                },
            }),
            _ => Ok(generated),
        }
    }
}

impl Written {
    fn add(&mut self, is_changed: bool) {
        *if is_changed { &mut self.changed } else { &mut self.unchanged } += 1;
    }
}

/// Everything in a folder that is whole and no folder, by name; nothing where there is none.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let at = |error| io_error("read the folder", folder, error);
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(at)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let entry = entry.map_err(at)?;
        let path = entry.path();
        let is_unfinished = path.extension().is_some_and(|extension| extension == UNFINISHED);
        if !is_unfinished && !entry.file_type().map_err(at)?.is_dir() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Whether the mark is in the first line. Pipes and devices are never read.
fn is_generated(path: &Path) -> Result<bool> {
    let at = |error| io_error("read", path, error);
    if !fs::metadata(path).is_ok_and(|data| data.is_file()) {
        return Ok(false);
    }
    let mut first = Vec::new();
    let file = fs::File::open(path).map_err(at)?;
    BufReader::new(file.take(LINE_MAX)).read_until(b'\n', &mut first).map_err(at)?;
    Ok(first.windows(MARK.len()).any(|window| window == MARK.as_bytes()))
}

/// Whether the file had to be written. It appears whole or not at all.
fn write_file(path: &Path, text: &str) -> Result<bool> {
    if fs::read(path).is_ok_and(|found| found == text.as_bytes()) {
        return Ok(false);
    }
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let beside = path.with_extension(format!("{}-{number}.{UNFINISHED}", std::process::id()));
    fs::write(&beside, text).map_err(|error| io_error("write", &beside, error))?;
    fs::rename(&beside, path).map_err(|error| {
        let _ = fs::remove_file(&beside);
        io_error("write", path, error)
    })?;
    Ok(true)
}

fn io_error(what: &'static str, path: &Path, source: io::Error) -> GenerateError {
    GenerateError::Io { what, path: path.to_owned(), source }
}
