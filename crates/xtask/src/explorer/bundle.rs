//! Bundles the page with npm, which installs the packages of the lock file without running their scripts.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use serde_json::Value as Json;

use crate::process;
use crate::{Failure, Outcome, cannot};

pub(crate) const FOLDER: &str = "crates/varvite-explorer/page";
pub(crate) const ADVICE: &str = "install Node 20 or newer with npm (Debian: apt install nodejs npm)";
/// The first file of the bundle.
const BUNDLED: &str = "crates/varvite-explorer/assets/index.html";
const PACKAGES: &str = "node_modules";
const LOCK: &str = "package-lock.json";
/// The copy of the lock file whose packages are installed.
const INSTALLED: &str = "node_modules/.installed-lock.json";

/// Bundles the page, for the next build of the command; with `--if-possible` only where npm is installed.
pub(crate) fn bundle(root: &Path, words: &[String]) -> Outcome {
    match words {
        [] => build(root),
        [word] if word == "--if-possible" => build_if_possible(root),
        _ => Err(Failure("usage: cargo xtask explorer-page [--if-possible]".into())),
    }
}

/// Bundles the page, unless the bundle is newer than all of its sources: the command embeds the bundle, and
/// would be compiled again.
pub(crate) fn build(root: &Path) -> Outcome {
    let folder = root.join(FOLDER);
    install(&folder)?;
    let bundled = modified(&root.join(BUNDLED));
    if bundled.is_some_and(|bundled| newest(&folder).is_some_and(|source| source < bundled)) {
        return Ok(());
    }
    process::run(npm(&folder).args(["run", "--silent", "build"]), ADVICE)
}

/// The time of the newest source in a folder. `None` if a file can't be looked at.
fn newest(folder: &Path) -> Option<SystemTime> {
    let mut newest = SystemTime::UNIX_EPOCH;
    for entry in fs::read_dir(folder).ok()? {
        let path = entry.ok()?.path();
        let time = match path.is_dir() {
            true if path.ends_with(PACKAGES) => continue,
            true => self::newest(&path)?,
            false => modified(&path)?,
        };
        newest = newest.max(time);
    }
    Some(newest)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|found| found.modified()).ok()
}

/// Bundles the page if npm is installed, and says so if not: what is built then shows a notice in its place.
pub(crate) fn build_if_possible(root: &Path) -> Outcome {
    if process::is_installed("npm") {
        return build(root);
    }
    println!("varvite: built without the page of varvite explore: {ADVICE}");
    Ok(())
}

/// The lock file of the page's packages.
pub(crate) fn lock(root: &Path) -> Outcome<Json> {
    let path = root.join(FOLDER).join(LOCK);
    let lock = fs::read(&path).map_err(|error| cannot("read", &path, &error))?;
    serde_json::from_slice(&lock).map_err(|error| Failure(format!("{}: {error}", path.display())))
}

pub(crate) fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(folder);
    npm
}

/// Installs the packages of a folder's lock file, unless the last call did.
pub(crate) fn install(folder: &Path) -> Outcome {
    let (lock, installed) = (folder.join(LOCK), folder.join(INSTALLED));
    let wanted = fs::read(&lock).map_err(|error| cannot("read", &lock, &error))?;
    if fs::read(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let mut npm = npm(folder);
    process::run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]), ADVICE)?;
    fs::write(&installed, wanted).map_err(|error| cannot("write", &installed, &error))
}
