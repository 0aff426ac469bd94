//! Installs the wheel in an empty environment of Python, without a compiler and without an index of packages,
//! and asks it a question.

use std::path::Path;
use std::process::Command;

use super::command::{check_version, holds_in_order};
use super::sandbox::Sandbox;
use crate::python::{ADVICE, program};
use crate::release::build::Speed;
use crate::release::target::Target;
use crate::release::{Release, wheel};
use crate::{Failure, Outcome, process};

const GRAPH: &str = "examples/data/zlib.cpg.bin";
const QUESTION: &str = "import sys, varvite; print(varvite.open(sys.argv[1]).ask('cpg.call.size'), 'CALLs')";
const ANSWER: &str = "14910 CALLs";
/// Prints the files of the installed package.
const FILES: &str = "import importlib.metadata as m; print(*sorted(map(str, m.files('varvite'))), sep='\\n')";
/// Files that the package must have beside its code, in the order of their names.
const INSTALLED: &str =
    "licenses/LICENSE\nlicenses/THIRD-PARTY-LICENCES.txt\nvarvite-python.cyclonedx.json\npy.typed";

/// Installs the wheel, and checks files, version and answer.
pub(super) fn test(release: &Release<'_>, sandbox: &Sandbox, host: Target) -> Outcome {
    let (wheel, folder) = (wheel::find(release, host)?, sandbox.empty("wheel")?);
    check_name(release, &wheel)?;
    process::output(Command::new("python3").args(["-m", "venv"]).arg(&folder), ADVICE)?;
    let (python, varvite) = (program(&folder, "python"), program(&folder, "varvite"));
    let mut install = sandbox.command(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]);
    process::output(install.arg(&wheel), "")?;
    holds_in_order(&process::output(sandbox.command(&python).args(["-c", FILES]), "")?, INSTALLED)?;
    check_version(release, sandbox, &varvite)?;
    let graph = folder.join("zlib.varvite");
    let mut import = sandbox.command(&varvite);
    process::output(import.arg("import").arg(release.root.join(GRAPH)).arg("-o").arg(&graph), "")?;
    let answer = process::output(sandbox.command(&python).args(["-c", QUESTION]).arg(&graph), "")?;
    holds_in_order(&answer, ANSWER)
}

/// The name says that one wheel serves all versions of Python, and how old glibc may be.
fn check_name(release: &Release<'_>, wheel: &Path) -> Outcome {
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    let wanted =
        if release.speed == Speed::Optimised { "-cp310-abi3-manylinux_2_17_" } else { "-cp310-abi3-" };
    match name.contains(wanted) {
        true => Ok(()),
        false => Err(Failure(format!("the wheel is called {name}, expected {wanted}"))),
    }
}
