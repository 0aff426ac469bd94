//! `cargo xtask reference`: our files against the reference libraries of the formats.
//!
//! These are Python packages, whose versions stand in a list beside each test; they go into an environment of
//! their own in the folder of built things, once for each list. The tests themselves, `check.py`, name the
//! comparisons: framings of compressed bytes in `varvite-codec`, Arrow's structs in `varvite-arrow`, through
//! `bindings/c`.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::built::{self, Profile};
use crate::c::Staged;
use crate::process;
use crate::python::{self, ADVICE};

const FRAMES: &str = "crates/varvite-codec/tests/reference";
const ARROW: &str = "bindings/c/tests/reference";
const LIST: &str = "requirements.txt";
const SOURCE: &str = "examples/data/zlib.cpg.bin";

/// Builds our side, installs theirs, and compares.
pub(crate) fn run(root: &Path) -> Outcome {
    check_frames(root)?;
    check_arrow(root)
}

fn check_frames(root: &Path) -> Outcome {
    let python = python::environment(root, &root.join(FRAMES).join(LIST), "reference")?;
    let frame = built::build(root, Profile::Dev, &["--example", "frame"])?.join("examples/frame");
    process::run(Command::new(python).arg(root.join(FRAMES).join("check.py")).arg(frame), ADVICE)
}

fn check_arrow(root: &Path) -> Outcome {
    let python = python::environment(root, &root.join(ARROW).join(LIST), "reference-arrow")?;
    let staged = Staged::build(root)?;
    let graph = process::target_dir(root).join("reference-arrow/zlib.varvite");
    let mut check = Command::new(python);
    check.arg(root.join(ARROW).join("check.py")).arg(staged.library());
    process::run(check.arg(root.join(SOURCE)).arg(graph), ADVICE)
}
