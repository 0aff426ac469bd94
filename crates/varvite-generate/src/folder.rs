//! [`Folder`]: writes generated files into a folder, without overwriting files of other programs.
//!
//! A generator owns the files of a folder that have its mark in their first line: it may replace and remove
//! these files, and no others. So the class of a label that no longer exists is removed, and generating into
//! the wrong folder destroys nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{GenerateError, Result};
use crate::source_file::{MARK, SourceFile};

/// The suffix of a file's name while the file is being written. The process id and a counter come before it
/// in the name, so two generators that write to one folder never write the same temporary file, and never
/// remove each other's.
const UNFINISHED: &str = "varvite-new";
/// The largest number of bytes of a first line that are read, so that files of other programs are never read
/// completely.
const LINE_MAX: u64 = 1 << 10;

/// A folder for generated files.
#[derive(Clone, Debug)]
pub struct Folder {
    root: PathBuf,
    is_shared: bool,
}

/// The numbers of files that a write changed, left unchanged or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that were added or changed.
    pub changed: usize,
    /// Files that already existed with the same bytes, and were not touched.
    pub unchanged: usize,
    /// Files of an earlier run that were removed because they are no longer needed.
    pub removed: usize,
}

impl Folder {
    /// A folder that contains only generated files, or does not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), is_shared: false }
    }

    /// Allows files of other programs beside the generated files. Such a file is replaced if a generated file
    /// has the same name.
    #[must_use]
    pub fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// Writes these files, and removes files that were generated earlier and are not among `files`. Files
    /// that already have the right content keep their modification times.
    ///
    /// Only the folders that get files are examined, not their subfolders.
    ///
    /// # Errors
    /// [`GenerateError::Foreign`], before anything is written, or [`GenerateError::Io`]; in that case, the
    /// files written so far stay.
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

/// The complete files in a folder, sorted by name; empty if the folder does not exist.
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

/// Whether a file has the mark in its first line. Pipes and devices are not read.
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

/// Writes a file, unless it already has this text; returns whether it was written. The file appears under its
/// name only once it is complete.
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
