//! `varvite heap top`: what allocates most.

use std::cmp::Reverse;
use std::io;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_profile::Counts;
use varvite_profile::layer::{By, HeapLayer, TopRow};

use crate::arguments::{GraphArgs, OutputArgs};
use crate::commands::profile_json::{counts_json, totals_json};
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, Rows, counted, megabytes, thousands, write_document, write_line};

/// Arguments of `varvite heap top`.
#[derive(Debug, Args)]
pub(crate) struct TopArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The profile, if it was imported with --name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    /// What is told of together
    #[arg(long, value_enum, default_value_t)]
    by: ByWord,
    /// What the most of comes first
    #[arg(long, value_enum, default_value_t)]
    sort: SortWord,
    /// Sort by what each did with all that it called, rather than by what it did itself
    #[arg(long)]
    all: bool,
    /// Show so many rows at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    format: OutputArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ByWord {
    /// Functions
    #[default]
    Function,
    /// Lines of functions
    Place,
    /// Source files
    File,
    /// Programs and libraries
    Module,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SortWord {
    /// Calls of functions that allocate
    #[default]
    Calls,
    /// Calls whose memory is given back before the next one
    Temporary,
    /// Bytes that were never given back
    Leaked,
    /// Bytes in use when the program used most
    Peak,
}

impl SortWord {
    fn of(self, counts: &Counts) -> i64 {
        match self {
            Self::Calls => counts.calls,
            Self::Temporary => counts.temporary,
            Self::Leaked => counts.leaked_bytes,
            Self::Peak => counts.peak_bytes,
        }
    }
}

/// Shows the rows, most of what was asked for first.
pub(super) fn run(args: &TopArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &TopArgs, graph: &Graph) -> Outcome {
    let names = HeapLayer::names_in(graph);
    if !names.contains(&args.name) {
        return Err(missing(&args.name, &names));
    }
    let layer = HeapLayer::open(graph, &args.name)?;
    let by = match args.by {
        ByWord::Function => By::Function,
        ByWord::Place => By::Place,
        ByWord::File => By::File,
        ByWord::Module => By::Module,
    };
    let mut rows = layer.top(by);
    let wanted = |row: &TopRow| args.sort.of(if args.all { &row.all } else { &row.own });
    rows.retain(|row| wanted(row) != 0);
    rows.sort_by(|one, other| {
        let key = |row: &TopRow| (row.function.clone(), row.file.clone(), row.line, row.module.clone());
        (Reverse(wanted(one)), key(one)).cmp(&(Reverse(wanted(other)), key(other)))
    });
    let found = rows.len();
    rows.truncate(args.limit);
    Ok(write(args, &layer, &rows, found)?)
}

fn missing(name: &str, names: &[String]) -> Failure {
    let known: Vec<&str> =
        names.iter().map(|name| if name.is_empty() { "(no name)" } else { name }).collect();
    Failure::Usage(match (known.as_slice(), name) {
        ([], _) => "the graph has no heap profile; `varvite import --into GRAPH PROFILE` adds one".to_owned(),
        (known, "") => {
            format!("the graph has profiles with names: {}; say which with --name", known.join(", "))
        }
        (known, name) => format!("the graph has no profile {name:?}, but: {}", known.join(", ")),
    })
}

fn write(args: &TopArgs, layer: &HeapLayer, rows: &[TopRow], found: usize) -> io::Result<()> {
    let format = args.format.format;
    if format == Format::Json {
        let rows: Vec<Json> = rows.iter().map(|row| document(args.by, row)).collect();
        let all = json!({
            "command": layer.command, "totals": totals_json(&layer.totals), "rows": rows, "rows_found": found,
        });
        return write_document(&format!("{all:#}"), format);
    }
    if format == Format::Table {
        let totals = &layer.totals;
        write_line(&format!(
            "{}: {}, {} temporary, {} at the peak, {} leaked, {:.2} s",
            layer.command,
            counted(totals.calls.max(0) as u64, "call"),
            thousands(totals.temporary.max(0) as u64),
            megabytes(totals.peak_bytes.max(0) as u64),
            megabytes(totals.leaked_bytes.max(0) as u64),
            totals.runtime_ms as f64 / 1000.0
        ))?;
    }
    let mut table = Rows::begin(format, columns(args.by))?;
    for row in rows {
        table.push(cells(args.by, row))?;
    }
    table.finish()
}

fn columns(by: ByWord) -> Vec<Column> {
    let mut columns = match by {
        ByWord::Function => vec![Column::text("function"), Column::text("file"), Column::text("module")],
        ByWord::Place => {
            vec![
                Column::text("function"),
                Column::text("file"),
                Column::number("line"),
                Column::text("module"),
            ]
        }
        ByWord::File => vec![Column::text("file")],
        ByWord::Module => vec![Column::text("module")],
    };
    for name in ["calls", "temporary", "leaked_bytes", "peak_bytes"] {
        columns.push(Column::number(name));
    }
    for name in ["all_calls", "all_temporary", "all_leaked_bytes", "all_peak_bytes"] {
        columns.push(Column::number(name));
    }
    columns
}

fn cells(by: ByWord, row: &TopRow) -> Vec<Json> {
    let text = |text: &str| if text.is_empty() { Json::Null } else { text.into() };
    let line = if row.line > 0 { row.line.into() } else { Json::Null };
    let mut cells = match by {
        ByWord::Function => vec![text(&row.function), text(&row.file), text(&row.module)],
        ByWord::Place => vec![text(&row.function), text(&row.file), line, text(&row.module)],
        ByWord::File => vec![text(&row.file)],
        ByWord::Module => vec![text(&row.module)],
    };
    for counts in [&row.own, &row.all] {
        let numbers = [counts.calls, counts.temporary, counts.leaked_bytes, counts.peak_bytes];
        cells.extend(numbers.map(Json::from));
    }
    cells
}

fn document(by: ByWord, row: &TopRow) -> Json {
    let mut document = serde_json::Map::new();
    for (column, cell) in
        columns(by).iter().zip(cells(by, row)).take_while(|(column, _)| column.name() != "calls")
    {
        document.insert(column.name().to_owned(), cell);
    }
    if matches!(by, ByWord::Function | ByWord::Place) {
        document.insert("method".to_owned(), row.method.into());
    }
    document.insert("own".to_owned(), counts_json(&row.own));
    document.insert("all".to_owned(), counts_json(&row.all));
    document.into()
}
