//! The program `varvite`. Its code is in the library of this package.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    varvite_cli::run()
}
