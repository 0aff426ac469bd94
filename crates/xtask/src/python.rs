//! Python environments. Each is a folder below the target folder, made only once, with the packages of a list
//! in the versions that the list pins.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process;
use crate::{Failure, Outcome, cannot};

/// Advice for users without Python.
pub(crate) const ADVICE: &str = "install Python 3.10 or newer with venv (Debian: apt install python3-venv)";
const PACKAGES_ADVICE: &str = "pip could not install its packages; is PyPI reachable?";

/// The path of Python in the environment `name`, which has the packages of a list. `make test` runs several
/// commands at once, and the first of them makes the environment.
pub(crate) fn environment(root: &Path, list: &Path, name: &str) -> Outcome<PathBuf> {
    environment_of(root, &[list.to_owned()], name)
}

/// The same as [`environment`], with the packages of several lists.
pub(crate) fn environment_of(root: &Path, lists: &[PathBuf], name: &str) -> Outcome<PathBuf> {
    let mut wanted = Vec::new();
    for list in lists {
        wanted.extend(fs::read(list).map_err(|error| cannot("read", list, &error))?);
    }
    let folder = process::target_dir(root).join(name);
    let _lock = lock(&folder.with_extension("lock"))?;
    let (python, installed) = (program(&folder, "python"), folder.join("installed.txt"));
    if fs::read(&installed).is_ok_and(|list| list == wanted) {
        return Ok(python);
    }
    process::output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), ADVICE)?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(lists.iter().flat_map(|list| [OsStr::new("--requirement"), list.as_os_str()]));
    process::output(&mut pip, ADVICE)
        .map_err(|failure| Failure(format!("{PACKAGES_ADVICE} {}", failure.0)))?;
    fs::write(&installed, wanted).map_err(|error| cannot("write", &installed, &error))?;
    Ok(python)
}

/// The path of a program in an environment.
pub(crate) fn program(folder: &Path, name: &str) -> PathBuf {
    match cfg!(windows) {
        true => folder.join("Scripts").join(name).with_extension("exe"),
        false => folder.join("bin").join(name),
    }
}

/// A lock that other processes wait for until it is dropped.
fn lock(path: &Path) -> Outcome<File> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))?;
    let file = File::create(path).map_err(|error| cannot("create", path, &error))?;
    file.lock().map_err(|error| cannot("lock", path, &error))?;
    Ok(file)
}
