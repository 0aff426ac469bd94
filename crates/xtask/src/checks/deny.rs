//! Checks licences, sources, duplicates and advisories of the dependencies with `cargo deny`.
//!
//! The tool is optional: if it is not installed, the command prints how to install it, and does not fail. The
//! check of advisories needs a database from the network. If cargo cannot fetch the database, the command
//! says that it skipped this check, and runs the others.

use std::path::Path;
use std::process::Command;

use crate::process::{self, cargo};
use crate::{Failure, Outcome};

const ADVICE: &str = "cargo install --locked cargo-deny";
/// The message of `cargo deny` when it cannot fetch the database.
const NO_DATABASE: &str = "failed to fetch advisory database";

/// Checks the dependencies of the workspace at `root`, if `cargo deny` is installed.
pub(crate) fn run(root: &Path) -> Outcome {
    let version = cargo().args(["deny", "--version"]).output();
    if !version.is_ok_and(|output| output.status.success()) {
        eprintln!("varvite: dependencies not checked: {ADVICE}");
        return Ok(());
    }
    process::run(check(root).args(["bans", "licenses", "sources"]), ADVICE)?;
    advisories(root)
}

fn advisories(root: &Path) -> Outcome {
    let mut command = check(root);
    let output = command.arg("advisories").output();
    let output = output.map_err(|error| process::could_not_start(&command, &error, ADVICE))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains(NO_DATABASE) {
        eprintln!("varvite: advisories not checked: their database could not be fetched");
        return Ok(());
    }
    eprint!("{said}");
    Err(Failure(format!("failed ({}): {}", output.status, process::line(&command))))
}

fn check(root: &Path) -> Command {
    let mut command = cargo();
    command.current_dir(root).args(["deny", "--log-level", "error", "check"]);
    command
}
