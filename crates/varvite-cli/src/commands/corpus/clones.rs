//! `varvite corpus clones`: lists functions with equal content.

use std::path::PathBuf;

use clap::Args;
use varvite::Task;
use varvite_corpus::{CloneGroup, ClonedFunction, LeftOut, clones};

use crate::arguments::{MemoryArgs, OutputArgs};
use crate::corpus_failure::CorpusFailure;
use crate::failure::Outcome;
use crate::output::{Cell, Column, Rows, begin_rows, counted, note};

/// Arguments of `varvite corpus clones`.
#[derive(Debug, Args)]
pub(crate) struct ClonesArgs {
    /// The index, as `varvite corpus index` wrote it
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Show functions of at least N lines
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_lines: u64,
    /// Show at most the first N groups
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Lists the groups, each function in a row, and says what was not compared.
pub(crate) fn run(args: &ClonesArgs) -> Outcome {
    let found = clones(&args.index, args.min_lines, &Task::new().memory(args.memory.bytes()))?;
    let titles = [
        Column::number("group"),
        Column::number("lines"),
        Column::text("function"),
        Column::text("graph").whole(),
        Column::text("file").whole(),
        Column::number("line"),
        Column::number("node"),
    ];
    let mut rows = begin_rows(args.format.format, titles.into())?;
    for (number, group) in found.groups.iter().take(args.limit.unwrap_or(usize::MAX)).enumerate() {
        group.functions.iter().try_for_each(|cloned| write(&mut rows, number + 1, group, cloned))?;
    }
    rows.finish()?;
    report(found.left_out)
}

/// Counts functions that were not compared. Fails if graphs are missing.
fn report(left_out: LeftOut) -> Outcome {
    let LeftOut { failed, unreadable, without_content, .. } = left_out;
    if without_content > 0 {
        let functions = counted(without_content, "function");
        note(&format!(
            "{functions} not compared: edges of the syntax tree of their graph were added or removed"
        ));
    }
    match failed + unreadable {
        0 => Ok(()),
        _ => Err(CorpusFailure::IncompleteIndex { failed, unreadable }.into()),
    }
}

fn write(rows: &mut Rows, number: usize, group: &CloneGroup, cloned: &ClonedFunction) -> std::io::Result<()> {
    let ClonedFunction { graph, function, .. } = cloned;
    let cells: [Cell<'_>; 7] = [
        number.into(),
        group.lines.into(),
        function.full_name.as_str().into(),
        graph.as_str().into(),
        function.source.as_str().into(),
        function.line.into(),
        function.node.into(),
    ];
    cells.iter().try_for_each(|cell| rows.put(cell))?;
    rows.end_row()
}
