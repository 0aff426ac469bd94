//! `varvite heap`: questions about heap profiles that a graph has as layers.

mod top;

use clap::{Args, Subcommand};

use crate::failure::Outcome;

/// Arguments of `varvite heap`.
#[derive(Debug, Args)]
pub(crate) struct HeapArgs {
    #[command(subcommand)]
    command: HeapCommand,
}

#[derive(Debug, Subcommand)]
enum HeapCommand {
    /// Show what allocates most: functions, places, files or modules
    Top(top::TopArgs),
}

/// Answers a question about a profile.
pub(crate) fn run(args: &HeapArgs) -> Outcome {
    match &args.command {
        HeapCommand::Top(args) => top::run(args),
    }
}
