//! `varvite source`: shows source code from a graph, and adds the sources of a program to its graph.

mod add;
mod line_counts;
mod show;

use clap::{Args, Subcommand};

pub(super) use self::add::{add_to, remark_sources, source_fields, source_sentence};
use self::show::ShowArgs;
use crate::arguments::GraphArgs;
use crate::failure::{Failure, Outcome};

/// Arguments of `varvite source`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SourceArgs {
    #[command(subcommand)]
    command: Option<SourceCommand>,
    #[command(flatten)]
    graph: Option<GraphArgs>,
    #[command(flatten)]
    show: ShowArgs,
}

#[derive(Debug, Subcommand)]
enum SourceCommand {
    /// Add the files of a program to its graph, as layer `source`
    Add(add::AddArgs),
}

/// Shows a function or the lines around a place, or adds sources.
pub(crate) fn run(args: &SourceArgs) -> Outcome {
    match (&args.command, &args.graph) {
        (Some(SourceCommand::Add(args)), _) => add::run(args),
        (None, Some(graph)) => show::run(graph, &args.show),
        (None, None) => Err(Failure::Usage("a graph and a METHOD are needed, or `add`".to_owned())),
    }
}
