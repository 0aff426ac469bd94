//! The files of the repository as the rules see them: path, size, and text if it is a text file.

use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Failure, Outcome, process};

/// Every file that git tracks or would add with `git add`.
#[derive(Default)]
pub(crate) struct Files(Vec<File>);

/// A file; `path` is relative to the root, with `/` as separator.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) size: u64,
    pub(crate) text: Option<String>,
}

/// A violation of a rule, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) path: String,
    /// The line number, from one; zero for the whole file.
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl Files {
    /// Lists and reads the files of the repository at `root`. Files that git lists but that no longer exist
    /// are left out.
    pub(crate) fn of_repository(root: &Path) -> Outcome<Self> {
        let mut git = Command::new("git");
        git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let output =
            git.output().map_err(|error| process::could_not_start(&git, &error, "apt install git"))?;
        if !output.status.success() {
            return Err(Failure("tidy needs a git checkout: git ls-files failed".into()));
        }
        let listed = String::from_utf8_lossy(&output.stdout);
        let paths = listed.split('\0').filter(|path| !path.is_empty());
        Ok(Self(paths.filter_map(|path| File::read(root, path)).collect()))
    }

    /// Makes files from texts, for tests.
    #[cfg(test)]
    pub(crate) fn of_texts(texts: &[(&str, &str)]) -> Self {
        Self(texts.iter().map(|(path, text)| File::of_bytes(path, text.as_bytes())).collect())
    }

    /// All files, sorted by path.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &File> {
        self.0.iter()
    }

    /// The text files, each with its text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&File, &str)> {
        self.iter().filter_map(|file| Some((file, file.text.as_deref()?)))
    }

    /// The text of the file at a path; empty if there is no such file.
    pub(crate) fn text(&self, path: &str) -> &str {
        self.texts().find(|(file, _)| file.path == path).map_or("", |(_, text)| text)
    }

    /// Whether there is a file at this path, or a folder that contains files.
    pub(crate) fn exists(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty() || self.iter().any(|file| file.path == path || file.path.starts_with(&folder))
    }
}

impl File {
    fn read(root: &Path, path: &str) -> Option<Self> {
        Some(Self::of_bytes(path, &fs::read(root.join(path)).ok()?))
    }

    fn of_bytes(path: &str, bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0')).map(str::to_owned);
        Self { path: path.to_owned(), size: bytes.len() as u64, text }
    }

    /// The part of the file's name after the last dot.
    pub(crate) fn extension(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        name.rsplit_once('.').map_or("", |(_, extension)| extension)
    }

    /// The folder of the crate to whose sources the file belongs: `NAME` for `crates/NAME/src/..`, and in the
    /// same way for `bindings`. `None` for other files.
    pub(crate) fn source_of_crate(&self) -> Option<&str> {
        let inside = ["crates/", "bindings/"].iter().find_map(|folder| self.path.strip_prefix(folder))?;
        let (name, rest) = inside.split_once('/')?;
        (rest.starts_with("src/") && self.extension() == "rs").then_some(name)
    }

    /// A finding about a line; line zero means the whole file.
    pub(crate) fn finding(&self, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: self.path.clone(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.what),
            line => write!(f, "{}:{line}: {}", self.path, self.what),
        }
    }
}

/// Compares the lines at which a rule has findings in a file with the expected lines.
#[cfg(test)]
#[track_caller]
pub(super) fn check_lines(rule: fn(&Files) -> Vec<Finding>, path: &str, text: &str, lines: &[usize]) {
    let findings = rule(&Files::of_texts(&[(path, text)]));
    let found: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
    assert_eq!(found, lines, "in {path}");
}
