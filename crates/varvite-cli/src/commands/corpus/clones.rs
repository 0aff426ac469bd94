//! `varvite corpus clones`: lists functions with equal or similar content.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value as Json;
use varvite::Task;
use varvite_corpus::{CloneGroup, ClonedFunction, LeftOut, clones, near_clones};

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
    /// Show also functions that share most of their tokens, such as copies with renamed variables. SHARE is
    /// the least part that a function shares with the first of its group, from 0.5 to 1
    #[arg(
        long,
        value_name = "SHARE",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0.8",
        value_parser = parse_share
    )]
    near: Option<f64>,
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
    let task = Task::new().memory(args.memory.bytes());
    let found = match args.near {
        None => clones(&args.index, args.min_lines, &task)?,
        Some(share) => near_clones(&args.index, args.min_lines, share, &task)?,
    };
    let mut rows = begin_rows(args.format.format, titles(args.near.is_some()))?;
    for (number, group) in found.groups.iter().take(args.limit.unwrap_or(usize::MAX)).enumerate() {
        let place = Place { number: number + 1, is_near: args.near.is_some() };
        group.functions.iter().try_for_each(|cloned| write(&mut rows, &place, group, cloned))?;
    }
    rows.finish()?;
    report(found.left_out)
}

/// A part from a half to the whole. Sketches tell smaller parts from chance, but groups of them mean little.
fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.5..=1.0).contains(&share) => Ok(share),
        _ => Err("it has to be a number from 0.5 to 1".to_owned()),
    }
}

fn titles(is_near: bool) -> Vec<Column> {
    let titles = [
        Column::number("group"),
        Column::number("lines"),
        Column::text("function"),
        Column::text("graph").whole(),
        Column::text("file").whole(),
        Column::number("line"),
        Column::number("node"),
    ];
    titles.into_iter().chain(is_near.then(|| Column::number("likeness"))).collect()
}

/// The number of a group, and whether its likeness is shown.
struct Place {
    number: usize,
    is_near: bool,
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

fn write(rows: &mut Rows, place: &Place, group: &CloneGroup, cloned: &ClonedFunction) -> std::io::Result<()> {
    let ClonedFunction { graph, function, .. } = cloned;
    let cells: [Cell<'_>; 7] = [
        place.number.into(),
        group.lines.into(),
        function.full_name.as_str().into(),
        graph.as_str().into(),
        function.source.as_str().into(),
        function.line.into(),
        function.node.into(),
    ];
    cells.iter().try_for_each(|cell| rows.put(cell))?;
    if place.is_near {
        rows.put(&Cell::from(Json::from((100.0 * group.likeness).round() / 100.0)))?;
    }
    rows.end_row()
}
