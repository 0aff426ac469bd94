//! `cargo xtask reference`: what we write against the libraries of those who made the formats.
//!
//! These are Python packages, whose versions stand in a list beside each test; they go into an environment of their own in the
//! folder of built things, once for each list. What is compared stands in the tests themselves, `check.py`: framings of compressed bytes
//! in `varvite-codec`, Arrow's structs in `bindings/c`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::c::Staged;
use crate::process;
use crate::{Failure, Outcome};

const FRAMES: &str = "crates/varvite-codec/tests/reference";
const ARROW: &str = "bindings/c/tests/reference";
const SOURCE: &str = "examples/data/zlib.cpg.bin";
const ADVICE: &str = "install Python 3.9 or newer with venv (Debian: apt install python3-venv)";
const PACKAGES_ADVICE: &str = "pip could not install its packages; is PyPI reachable?";

/// Builds our side, installs theirs, and compares.
pub(crate) fn run(root: &Path) -> Outcome {
    check_frames(root)?;
    check_arrow(root)
}

fn check_frames(root: &Path) -> Outcome {
    let python = environment(root, FRAMES, "reference")?;
    let mut cargo = process::cargo();
    cargo.current_dir(root).args(["build", "--quiet", "--package", "varvite-codec", "--example", "frame"]);
    process::run(&mut cargo, "see rustup.rs")?;
    let frame = process::target_dir(root).join("debug/examples/frame");
    process::run(Command::new(python).arg(root.join(FRAMES).join("check.py")).arg(frame), ADVICE)
}

fn check_arrow(root: &Path) -> Outcome {
    let python = environment(root, ARROW, "reference-arrow")?;
    let staged = Staged::build(root)?;
    let graph = process::target_dir(root).join("reference-arrow/zlib.varvite");
    let mut check = Command::new(python);
    check.arg(root.join(ARROW).join("check.py")).arg(staged.library());
    process::run(check.arg(root.join(SOURCE)).arg(graph), ADVICE)
}

/// The Python of an environment with the packages of the list in a folder.
fn environment(root: &Path, test: &str, name: &str) -> Outcome<PathBuf> {
    let list = root.join(test).join("requirements.txt");
    let wanted =
        fs::read(&list).map_err(|error| Failure(format!("cannot read {}: {error}", list.display())))?;
    let folder = process::target_dir(root).join(name);
    let (python, installed) = (folder.join("bin/python"), folder.join("installed.txt"));
    if fs::read(&installed).is_ok_and(|list| list == wanted) {
        return Ok(python);
    }
    process::output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder), ADVICE)?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"]).arg(&list);
    process::output(&mut pip, ADVICE)
        .map_err(|failure| Failure(format!("{PACKAGES_ADVICE} {}", failure.0)))?;
    fs::write(&installed, wanted)
        .map_err(|error| Failure(format!("cannot write {}: {error}", installed.display())))?;
    Ok(python)
}
