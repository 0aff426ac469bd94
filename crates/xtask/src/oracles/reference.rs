//! `cargo xtask reference`: compares Varvite's data with the reference libraries of its formats.
//!
//! The reference libraries are Python packages; a list beside each test states their versions. Each list gets
//! its own Python environment in the target folder. Each test is a file `check.py`, which describes its
//! comparison: one is about the framings of compressed data in `varvite-codec`, one about the Arrow structs
//! that `varvite-arrow` makes, through `bindings/c`, and one about the SCIP indexes that `varvite-import`
//! reads.

use std::path::Path;
use std::process::Command;

use crate::Outcome;
use crate::built::{self, Profile};
use crate::c::Staged;
use crate::process;
use crate::python::{self, ADVICE};

const FRAMES: &str = "crates/varvite-codec/tests/reference";
const ARROW: &str = "bindings/c/tests/reference";
const SCIP: &str = "crates/varvite-import/tests/scip/reference";
/// Indexes of real packages, each with its sources.
const INDEXES: [&str; 2] =
    ["crates/varvite-import/tests/scip/data/iniconfig", "crates/varvite-import/tests/scip/data/mitt"];
const LIST: &str = "requirements.txt";
const SOURCE: &str = "examples/data/zlib.cpg.bin";

/// Builds Varvite's programs, installs the reference libraries, and runs all tests.
pub(crate) fn run(root: &Path) -> Outcome {
    check_frames(root)?;
    check_arrow(root)?;
    check_scip(root)
}

fn check_scip(root: &Path) -> Outcome {
    let python = python::environment(root, &root.join(SCIP).join(LIST), "reference-scip")?;
    let program = built::varvite(root, Profile::Dev)?;
    let mut check = Command::new(python);
    check.arg(root.join(SCIP).join("check.py")).arg(program).args(INDEXES.map(|index| root.join(index)));
    process::run(&mut check, ADVICE)
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
