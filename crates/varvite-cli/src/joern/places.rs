//! Finds the folders of programs on this machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder; `~` at its beginning is that of the user, if there is one.
pub(super) fn from_home(folder: &str) -> Option<PathBuf> {
    match folder.strip_prefix("~/") {
        Some(rest) => Some(Path::new(&env::var_os("HOME")?).join(rest)),
        None => Some(PathBuf::from(folder)),
    }
}

/// The program that a shell would start, links followed.
pub(super) fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let file = env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    fs::canonicalize(file).ok()
}
