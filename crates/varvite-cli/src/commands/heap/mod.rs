//! `varvite heap`: questions about profiles that a graph has as layers.

mod asked;
mod callers;
mod diff;
mod flame;
mod leaks;
mod measured;
mod new_file;
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
    /// Show METHODs and CALLs by what they allocate or how long they run, the loops around them, and how they
    /// were reached
    OnCode(on_code::OnCodeArgs),
    /// Show what allocates or runs most: functions, places, files or modules
    Top(top::TopArgs),
    /// Show who called a function, who called these, and what came each way
    Callers(callers::CallersArgs),
    /// Show where memory was allocated that was never given back, and how that was reached
    Leaks(leaks::LeaksArgs),
    /// Show what one run does that another does not
    Diff(diff::DiffArgs),
    /// Write the stacks for viewers: collapsed, or as a drawing
    Flame(flame::FlameArgs),
    /// Show what was in use as time went by: as a table, or as a drawing
    Timeline(timeline::TimelineArgs),
    /// Show how often memory of which size was asked for, of a graph whose profile was imported with --events
    Sizes(sizes::SizesArgs),
}

/// Answers a question about a profile.
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
