//! Notes tests that are skipped because their data is missing, such as data that is not in the repository.
//! `cargo xtask skipped` counts these tests.

use std::io::Write;
use std::path::{Path, PathBuf};

/// The file in cargo's target folder that lists the skipped tests, with a line for each.
const LIST: &str = "skipped-tests";

/// Notes that a test did not run, and the reason.
///
/// # Panics
/// Panics if the list of skipped tests cannot be written, because the test would then not be counted.
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
