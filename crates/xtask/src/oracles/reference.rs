//! `cargo xtask reference`: compares Varvite's files with the reference libraries of the formats.
//!
//! The reference libraries are Python packages, whose versions are in a list beside each test. Each list has
//! an environment of its own in the target folder. The tests, `check.py`, describe what they compare:
//! framings of compressed data by `varvite-codec`, and Arrow's structs by `varvite-arrow`, through
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

/// Builds Varvite's programs, installs the reference libraries, and compares.
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
