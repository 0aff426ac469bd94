//! `cargo xtask skipped`: lists the tests that found no input since the last call of this command.
//!
//! Each of them has left a line (`varvite_model::skip`): data that stays outside of the repository, a program
//! that is not installed, a right that this user has.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::process::target_dir;
use crate::{Outcome, cannot};

const LIST: &str = "skipped-tests";

/// Prints them, and forgets them.
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
