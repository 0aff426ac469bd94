//! The command `varvite`, which the package installs beside the module.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command with these words, the name of the program first, and returns its exit code.
///
/// The command takes over standard output and the handlers of signals, so a program calls it once and then
/// ends.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| varvite_cli::run_words(words))
}
