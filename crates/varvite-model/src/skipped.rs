//! Tests that have nothing to run on, such as data outside of the repository: `cargo xtask skipped` counts
//! them.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The list of skipped tests, with a line for each, in cargo's target folder.
const LIST: &str = "skipped-tests";

/// Says that a test did not run, and why.
///
/// # Panics
/// If the list of such tests can't be written: then the skipped test would not be counted.
pub fn skip(test: &str, reason: &str) {
    let path = target().join(LIST);
    let file = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(format!("{test}: {reason}\n").as_bytes()));
    written.unwrap_or_else(|error| {
        panic!("{test} is skipped, and {} can't be written: {error}", path.display())
    });
}

fn target() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}
