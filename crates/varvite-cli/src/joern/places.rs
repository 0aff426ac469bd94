//! Finds programs and folders on this machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a folder. `~` at its beginning means the user's home folder. `None` if that is unknown.
pub(super) fn from_home(folder: &str) -> Option<PathBuf> {
    match folder.strip_prefix("~/") {
        Some(rest) => Some(Path::new(&env::var_os("HOME")?).join(rest)),
        None => Some(PathBuf::from(folder)),
    }
}

/// The path of the program that a shell would start, with links resolved.
pub(super) fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let file = env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    fs::canonicalize(file).ok()
}
