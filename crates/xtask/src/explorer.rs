//! The page of the explorer: `cargo xtask explorer-page` bundles it into the files that the command takes into
//! its program, and `cargo xtask test-explorer` tests it in a browser.
//!
//! npm installs the packages of the lock file without running their scripts. Where no browser is installed, the
//! tests are counted as skipped; in continuous integration they fail instead.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot, skipped};

const FOLDER: &str = "crates/varvite-explorer/page";
const ADVICE: &str = "install Node 20 or newer with npm (Debian: apt install nodejs npm)";
const BROWSER_ADVICE: &str = "needs a browser: apt install chromium";
/// Names under which systems install the browser.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const LOCK: &str = "package-lock.json";
/// The copy of the lock file whose packages are installed.
const INSTALLED: &str = "node_modules/.installed-lock.json";

/// Bundles the page, for the next build of the command.
pub(crate) fn build(root: &Path) -> Outcome {
    let folder = root.join(FOLDER);
    install(&folder)?;
    process::run(npm(&folder).args(["run", "--silent", "build"]), ADVICE)
}

/// Bundles the page if npm is installed, and says so if not: what is built then shows a notice in its place.
pub(crate) fn build_if_possible(root: &Path) -> Outcome {
    if process::is_installed("npm") {
        return build(root);
    }
    println!("varvite: built without the page of varvite explore: {ADVICE}");
    Ok(())
}

/// Tests the page in a browser. `words` choose tests, as for Playwright: `symbol`, or `--update-snapshots`.
pub(crate) fn test(root: &Path, words: &[String]) -> Outcome {
    let Some(browser) = browser() else { return skip(root) };
    build(root)?;
    let command = built::varvite(root, Profile::Dev)?;
    let folder = root.join(FOLDER);
    process::run(npm(&folder).args(["run", "--silent", "check"]), ADVICE)?;
    let results = target_dir(root).join("explorer-page");
    let mut tests = npm(&folder);
    tests.args(["run", "--silent", "test", "--"]).args(words);
    tests.env("VARVITE_COMMAND", command).env("VARVITE_CHROMIUM", browser);
    process::run(tests.env("VARVITE_PAGE_RESULTS", results), ADVICE)
}

/// The lock file of the page's packages.
pub(crate) fn lock(root: &Path) -> Outcome<Json> {
    let path = root.join(FOLDER).join(LOCK);
    let lock = fs::read(&path).map_err(|error| cannot("read", &path, &error))?;
    serde_json::from_slice(&lock).map_err(|error| Failure(format!("{}: {error}", path.display())))
}

fn npm(folder: &Path) -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(folder);
    npm
}

/// Installs the packages of the lock file, unless the last call did.
fn install(folder: &Path) -> Outcome {
    let (lock, installed) = (folder.join(LOCK), folder.join(INSTALLED));
    let wanted = fs::read(&lock).map_err(|error| cannot("read", &lock, &error))?;
    if fs::read(&installed).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let mut npm = npm(folder);
    process::run(npm.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]), ADVICE)?;
    fs::write(&installed, wanted).map_err(|error| cannot("write", &installed, &error))
}

/// The path of the browser: `VARVITE_CHROMIUM`, or the first of the usual names on `PATH`.
fn browser() -> Option<PathBuf> {
    if let Some(path) = env::var_os("VARVITE_CHROMIUM") {
        return Some(PathBuf::from(path));
    }
    let folders = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    let mut paths = BROWSERS.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.find(|path| path.is_file())
}

/// Adds the tests to the list of skipped ones.
///
/// # Errors
/// In continuous integration, which sets `CI`, a missing browser is a failure.
fn skip(root: &Path) -> Outcome {
    if env::var_os("CI").is_some() {
        return Err(Failure(BROWSER_ADVICE.to_owned()));
    }
    println!("varvite: the page of the explorer is not tested: {BROWSER_ADVICE}");
    skipped::add(root, "explorer::page", BROWSER_ADVICE)
}
