//! Checks the workflow of releases with `actionlint`.
//!
//! The tool is optional: if it is not installed, the command prints how to install it, and does not fail.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::process;

const WORKFLOW: &str = ".github/workflows/release.yml";
const ADVICE: &str = "go install github.com/rhysd/actionlint/cmd/actionlint@latest";

/// Checks the workflow of the repository at `root`, if `actionlint` is installed.
pub(crate) fn run(root: &Path) -> Outcome {
    if !process::is_installed("actionlint") {
        eprintln!("varvite: {WORKFLOW} not checked: {ADVICE}");
        return Ok(());
    }
    process::run(Command::new("actionlint").arg(WORKFLOW).current_dir(root), ADVICE)
}
