//! The `varvite` command: imports, describes, queries, changes and exports graphs.
//!
//! `commands` has a module for each subcommand. Each has the arguments, and a function `run` that writes its
//! answer through `output` or returns a [`Failure`](failure::Failure). There is no graph logic in this crate.
//!
//! Modules form layers, and each uses only modules below it. From the top: `command_line` defines the whole
//! command, and uses `commands`. `files` answers for one graph or many. `arguments` has the arguments that
//! several commands share. `joern` finds and starts Joern's programs. `failure`, `query_failure`,
//! `corpus_failure` and `exit_code` have messages and exit codes, and
//! `output` writes rows, formatted by the crate `varvite-show`, to standard output. `number_maps` writes the
//! new numbers of a compacted graph's nodes and edges, and `version` says what was compiled.
//!
//! The program, `main.rs`, only calls [`run`]: a release compiles this library for size, and links the
//! program for speed (note 113).

#![forbid(unsafe_code)]
// The print macros panic if standard output is closed or a device is full. The functions of `output` return
// errors instead.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod command_line;
mod commands;
mod corpus_failure;
mod disk;
mod exit_code;
mod explanation;
mod failure;
mod files;
mod joern;
mod number_maps;
mod output;
mod progress;
mod query_failure;
mod recovery;
mod version;

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the command with the arguments of the process, and returns its exit code.
pub fn run() -> ExitCode {
    ExitCode::from(run_words(std::env::args_os()))
}

/// Runs the command with these words, the name of the program first, and returns its exit code.
pub fn run_words(words: impl IntoIterator<Item = OsString>) -> u8 {
    #[cfg(unix)]
    disk::survive_size_limit();
    let command = command_line::parse(words.into_iter());
    let outcome = command.and_then(|command| commands::run(&command, command_line::definition));
    failure::report(outcome)
}
