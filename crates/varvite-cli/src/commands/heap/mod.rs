//! `varvite heap`: questions about heap profiles that a graph has as layers.

mod top;

use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};
use varvite_profile::Totals;

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

/// Sums over a run as JSON has them.
pub(super) fn totals_json(totals: &Totals) -> Json {
    json!({
        "calls": totals.calls, "temporary": totals.temporary, "peak_bytes": totals.peak_bytes,
        "leaked_bytes": totals.leaked_bytes, "suppressed_bytes": totals.suppressed_bytes,
        "runtime_ms": totals.runtime_ms, "peak_resident_bytes": totals.peak_resident_bytes,
    })
}
