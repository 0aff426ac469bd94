//! The `varvite` command: import a graph, look inside, ask it questions, export it again.
//!
//! One file for each subcommand in `commands`, all of the same shape: the arguments, and a `run` that writes its answer
//! through `output` or returns a [`Failure`](failure::Failure). No graph logic lives here; what a question needs beyond
//! one call of the library is in `condition`, `names`, `sites`, `tree_walk` and `view`.

#![forbid(unsafe_code)]
// They panic where nobody reads or a device is full; what is in `output` returns errors.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod arguments;
mod commands;
mod condition;
mod disk;
mod failure;
mod names;
mod output;
mod progress;
mod query_failure;
mod sites;
mod tree_walk;
mod view;

use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = arguments::parse(std::env::args_os()).and_then(|command| commands::run(&command));
    failure::report(outcome)
}
