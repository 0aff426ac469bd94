//! `varvite corpus`: many graphs together: their files, an index of their names, and copied functions.

mod clones;
mod index;
mod open;

use clap::{Args, Subcommand};

use crate::failure::Outcome;

/// Arguments of `varvite corpus`.
#[derive(Debug, Args)]
pub(crate) struct CorpusArgs {
    #[command(subcommand)]
    command: CorpusCommand,
}

/// The subcommands of `varvite corpus`.
#[derive(Debug, Subcommand)]
enum CorpusCommand {
    /// List the graphs of a folder or pattern with their sizes, and the files that can't be opened
    Open(open::OpenArgs),
    /// Write a graph of the names that many graphs define and use, linked across files; a second run reads
    /// only files that changed
    Index(index::IndexArgs),
    /// List functions with equal or similar content in different places, from an index
    Clones(clones::ClonesArgs),
}

/// Runs the subcommand.
pub(crate) fn run(args: &CorpusArgs) -> Outcome {
    match &args.command {
        CorpusCommand::Open(args) => open::run(args),
        CorpusCommand::Index(args) => index::run(args),
        CorpusCommand::Clones(args) => clones::run(args),
    }
}
