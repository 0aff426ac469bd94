//! `cargo xtask skipped`: lists the tests that were skipped since the last call of this command.
//!
//! A test that is skipped appends a line to a list (`varvite_model::skip`). Such a test needs data that is
//! not in the repository, a program that is not installed, or rights that the user does not have.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::Path;

use crate::process::target_dir;
use crate::{Outcome, cannot};

const LIST: &str = "skipped-tests";

/// Prints the list, and removes it.
pub(crate) fn run(root: &Path) -> Outcome {
    let path = target_dir(root).join(LIST);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| cannot("read", &path, &error))?,
    };
    let lines: BTreeSet<&str> = text.lines().collect();
    println!("varvite: {} tests skipped", lines.len());
    lines.iter().for_each(|line| println!("  {line}"));
    match fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(cannot("remove", &path, &error)),
        _ => Ok(()),
    }
}

/// Adds a test that a command of xtask skips.
pub(crate) fn add(root: &Path, test: &str, reason: &str) -> Outcome {
    let path = target_dir(root).join(LIST);
    let list = OpenOptions::new().create(true).append(true).open(&path);
    let added = list.and_then(|mut list| writeln!(list, "{test}: {reason}"));
    added.map_err(|error| cannot("write", &path, &error))
}
