//! `varvite heap`: analyses profiles, in layers of a graph or in files.

mod asked;
mod callers;
mod diff;
mod flame;
mod leaks;
mod measured;
mod on_code;
mod sizes;
mod timeline;
mod told;
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
    /// Rank METHODs and CALLs by allocations or run time, and show the loops around them and their callers
    OnCode(on_code::OnCodeArgs),
    /// Rank functions, lines, files or modules by allocations or run time
    Top(top::TopArgs),
    /// Show the callers of a function, their callers, and the values of each call path
    Callers(callers::CallersArgs),
    /// Show where leaked memory was allocated, with the call stacks
    Leaks(leaks::LeaksArgs),
    /// Compare the profiles of two runs
    Diff(diff::DiffArgs),
    /// Write a flame graph, or the stacks in the format of another viewer
    Flame(flame::FlameArgs),
    /// Show the memory in use over time, as a table or a drawing
    Timeline(timeline::TimelineArgs),
    /// Show a histogram of allocation sizes; needs a graph whose profile was imported with --events
    Sizes(sizes::SizesArgs),
}

/// Runs a subcommand of `varvite heap`.
pub(crate) fn run(args: &HeapArgs) -> Outcome {
    match &args.command {
        HeapCommand::OnCode(args) => on_code::run(args),
        HeapCommand::Top(args) => top::run(args),
        HeapCommand::Callers(args) => callers::run(args),
        HeapCommand::Leaks(args) => leaks::run(args),
        HeapCommand::Diff(args) => diff::run(args),
        HeapCommand::Flame(args) => flame::run(args),
        HeapCommand::Timeline(args) => timeline::run(args),
        HeapCommand::Sizes(args) => sizes::run(args),
    }
}
