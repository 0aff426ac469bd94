//! `varvite impact`: shows the METHODs that a change touches, and the METHODs above them.
//!
//! `changes` reads the changed lines; `report` collects the METHODs to show. `rows`, `document` and
//! `markdown` are the forms of the answer, and `remarks` tells what it lacks.

mod changes;
mod document;
mod markdown;
mod markdown_text;
mod remarks;
mod report;
mod rows;

use clap::Args;
use varvite::{Budget, Graph};
use varvite_cpg::impact::Impact;

use self::changes::{ChangeArgs, Changes};
use self::report::Report;
use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs};
use crate::failure::Outcome;
use crate::output::Format;

/// Arguments of `varvite impact`.
#[derive(Debug, Args)]
pub(crate) struct ImpactArgs {
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    changes: ChangeArgs,
    /// Show callers that are at most N calls away. Entry points and tests are shown at any distance
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: u32,
    /// Mark METHODs as tests by a regular expression that must match the whole FILENAME or FULL_NAME, such as
    /// '.*[Tt]est.*'
    #[arg(long, value_name = "REGEX")]
    tests: Option<String>,
    /// Show at most N METHODs, the nearest first
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Write Markdown, for a comment on a pull request
    #[arg(long, conflicts_with = "format")]
    markdown: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the METHODs with changed lines, their callers, and the entry points and tests among these.
pub(crate) fn run(args: &ImpactArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &ImpactArgs, graph: &Graph) -> Outcome {
    let budget = Budget::of(&args.memory.task(graph));
    let changes = Changes::read(&args.changes, &budget)?;
    let impact = Impact::of(graph, &changes.files, &budget)?;
    changes.check(graph, &impact, &budget)?;
    let report = Report::of(args, graph, &changes, impact)?;
    match (args.markdown, args.format.format) {
        (true, _) => markdown::write(graph, &report)?,
        (_, Format::Json) => document::write(graph, &report)?,
        (_, format) => rows::write(graph, &report, format)?,
    }
    remarks::write(&report);
    Ok(())
}
