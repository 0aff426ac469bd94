//! Runs other programs. If a program is missing or fails, the failure names the program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Failure, Outcome};

/// Runs a program to its end and shows its output. `advice` says how to install the program.
pub(crate) fn run(command: &mut Command, advice: &str) -> Outcome {
    let status = command.status().map_err(|error| could_not_start(command, &error, advice))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure(format!("failed ({status}): {}", line(command))))
}

/// Runs a program to its end and returns its standard output.
pub(crate) fn output(command: &mut Command, advice: &str) -> Outcome<String> {
    let output = command.output().map_err(|error| could_not_start(command, &error, advice))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    Err(Failure(format!("failed ({}): {}", output.status, line(command))))
}

/// Whether the operating system can start a program.
pub(crate) fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// The failure for a program that could not be started.
pub(crate) fn could_not_start(command: &Command, error: &io::Error, advice: &str) -> Failure {
    let program = command.get_program().to_string_lossy();
    match error.kind() {
        io::ErrorKind::NotFound => Failure(format!("needs {program}: {advice}")),
        _ => Failure(format!("cannot run {program}: {error}")),
    }
}

/// The command that runs cargo: the same cargo that started this process, if one did.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Cargo's target folder.
pub(crate) fn target_dir(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// The command line as a user would type it.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

/// A search path for programs: first this folder, then the folders of `PATH`.
pub(crate) fn path_with(folder: &Path) -> Outcome<OsString> {
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()].into_iter().chain(env::split_paths(&others));
    env::join_paths(folders).map_err(|error| Failure(format!("{}: {error}", folder.display())))
}
