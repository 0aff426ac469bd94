//! Tests the page in a browser. Where none is installed, the tests are counted as skipped; in continuous
//! integration they fail instead.

use std::env;
use std::path::{Path, PathBuf};

use super::bundle::{ADVICE, FOLDER, build, npm};
use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, skipped};

pub(crate) const BROWSER_ADVICE: &str = "needs a browser: apt install chromium";
/// Names under which systems install the browser.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The tests of the short form: all but the pictures of the page, which other versions of the browser and
/// other fonts change, and the large graph.
const SHORT: [&str; 8] = ["accessible", "hostile", "paths", "refusals", "runs", "search", "symbol", "texts"];

/// Tests the page in a browser. `words` choose tests, as for Playwright: `symbol`, or `--update-snapshots`;
/// `--short` stands for the tests of `make test`.
pub(crate) fn test(root: &Path, words: &[String]) -> Outcome {
    let Some(browser) = browser() else { return skip(root) };
    build(root)?;
    let command = built::varvite(root, Profile::Dev)?;
    let folder = root.join(FOLDER);
    process::run(npm(&folder).args(["run", "--silent", "check"]), ADVICE)?;
    let results = target_dir(root).join("explorer-page");
    let mut tests = npm(&folder);
    tests.args(["run", "--silent", "test", "--"]);
    match words {
        [word] if word == "--short" => tests.args(SHORT),
        words => tests.args(words),
    };
    tests.env("VARVITE_COMMAND", command).env("VARVITE_CHROMIUM", browser);
    process::run(tests.env("VARVITE_PAGE_RESULTS", results), ADVICE)
}

/// The path of the browser: `VARVITE_CHROMIUM`, or the first of the usual names on `PATH`.
pub(crate) fn browser() -> Option<PathBuf> {
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
