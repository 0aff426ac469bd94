//! `varvite memory`: shows the memory of a graph by part and column.

use std::io;

use clap::Args;
use serde_json::{Map, Value as Json, json};
use varvite::Graph;
use varvite::memory::{HeldBytes, MemoryReport, PartMemory, Touched};

use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, escaped, sized, write_document, write_line};

/// Arguments of `varvite memory`.
#[derive(Debug, Args)]
pub(crate) struct MemoryReportArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// Read these parts first and keep them in memory: labels, tree, edges, properties, indexes or all; or
    /// one part by its name in the table, such as "property NAME" or "edges CFG"
    #[arg(long, value_name = "PART,..", value_delimiter = ',')]
    touch: Vec<String>,
    /// Also show parts and columns with nothing in memory
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Opens the file, reads the requested parts, and then shows the memory.
pub(crate) fn run(args: &MemoryReportArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &MemoryReportArgs, graph: &Graph) -> Outcome {
    let mut touched = Touched::default();
    for word in &args.touch {
        if touched.read(graph, word)? == 0 {
            return Err(no_part(word));
        }
    }
    let report = MemoryReport::of(graph);
    match args.format.format {
        Format::Table => write_tree(args, &report)?,
        Format::Json => write_document(&format!("{:#}", document(args, &report)), Format::Json)?,
        format => write_states(args, &report, format)?,
    }
    Ok(())
}

fn no_part(word: &str) -> Failure {
    let kinds = Touched::KINDS.join(", ");
    Failure::Usage(format!(
        "the graph has no part {word:?}; give {kinds}, or a part's name from `varvite memory --all`"
    ))
}

/// The parts to show, and for each part the columns to show.
fn shown<'r>(
    args: &MemoryReportArgs,
    report: &'r MemoryReport,
) -> impl Iterator<Item = (&'r PartMemory, Vec<(&'r str, HeldBytes)>)> {
    let all = args.all;
    let is_shown = move |bytes: &HeldBytes| all || !bytes.is_empty();
    report.parts.iter().filter(move |part| is_shown(&part.bytes)).map(move |part| {
        let columns = part.columns.iter().filter(|column| is_shown(&column.bytes));
        (part, columns.map(|column| (column.name.as_str(), column.bytes)).collect())
    })
}

/// Writes a line about the process, then the tree of parts and columns.
fn write_tree(args: &MemoryReportArgs, report: &MemoryReport) -> io::Result<()> {
    if let Some(sentence) = process_sentence(report) {
        write_line(&sentence)?;
    }
    let titles = [Column::text("bytes of")].into_iter().chain(HeldBytes::NAMES.map(Column::number));
    let mut rows = begin_rows(Format::Table, titles.collect())?;
    let mut push = |depth: usize, name: &str, bytes: &HeldBytes| {
        let name = format!("{}{name}", "  ".repeat(depth));
        rows.push([Json::from(name)].into_iter().chain(bytes.bytes().map(Json::from)).collect())
    };
    push(0, &escaped(&args.graph.file.to_string_lossy()), &report.total)?;
    for (part, columns) in shown(args, report) {
        push(1, &part.name, &part.bytes)?;
        for (name, bytes) in columns {
            push(2, name, &bytes)?;
        }
    }
    rows.finish()
}

fn process_sentence(report: &MemoryReport) -> Option<String> {
    let (process, unaccounted) = (report.process?, report.unaccounted()?);
    let of_graph = report.total.resident.unwrap_or(0);
    Some(format!(
        "process: {} resident; anonymous {} ({} in the ledger, {} unaccounted); files {} ({} of the graph)",
        sized(process.resident),
        sized(process.anonymous),
        sized(report.total.anonymous()),
        sized(unaccounted),
        sized(process.file),
        sized(of_graph),
    ))
}

/// The operating system's figures for the process, under the system's own names, and the unaccounted bytes.
fn process_states(report: &MemoryReport) -> [(&'static str, Option<u64>); 4] {
    [
        ("rss", report.process.map(|process| process.resident)),
        ("rss_anon", report.process.map(|process| process.anonymous)),
        ("rss_file", report.process.map(|process| process.file)),
        ("unaccounted", report.unaccounted()),
    ]
}

fn document(args: &MemoryReportArgs, report: &MemoryReport) -> Json {
    let parts = shown(args, report).map(|(part, columns)| {
        let columns = columns.into_iter().map(|(name, bytes)| of_name(name, &bytes));
        let columns = Json::Array(columns.collect());
        let mut part = of_name(&part.name, &part.bytes);
        part["columns"] = columns;
        part
    });
    let process: Map<String, Json> =
        process_states(report).into_iter().map(|(name, bytes)| (name.to_owned(), bytes.into())).collect();
    json!({
        "file": args.graph.file.to_string_lossy(),
        "process": process,
        "total": of_name("", &report.total)["bytes"],
        "parts": parts.collect::<Vec<_>>(),
    })
}

fn of_name(name: &str, bytes: &HeldBytes) -> Json {
    let states = HeldBytes::NAMES.iter().zip(bytes.bytes());
    let states: Map<String, Json> = states.map(|(name, bytes)| ((*name).to_owned(), bytes.into())).collect();
    json!({ "name": name, "bytes": states })
}

/// Writes a row for each column and state. A row that names no column is about a part without columns, or
/// about the process.
fn write_states(args: &MemoryReportArgs, report: &MemoryReport, format: Format) -> io::Result<()> {
    let titles =
        vec![Column::text("part"), Column::text("column"), Column::text("state"), Column::number("bytes")];
    let mut rows = begin_rows(format, titles)?;
    let mut push = |part: &str, column: Option<&str>, state: &str, bytes: Option<u64>| {
        rows.push(vec![part.into(), column.into(), state.into(), bytes.into()])
    };
    for (state, bytes) in process_states(report) {
        push("process", None, state, bytes)?;
    }
    for (part, columns) in shown(args, report) {
        let columns = columns.into_iter().map(|(name, bytes)| (Some(name), bytes));
        let own = part.columns.is_empty().then_some((None, part.bytes));
        for (column, bytes) in columns.chain(own) {
            for (state, bytes) in HeldBytes::NAMES.iter().zip(bytes.bytes()) {
                push(&part.name, column, state, bytes)?;
            }
        }
    }
    rows.finish()
}
