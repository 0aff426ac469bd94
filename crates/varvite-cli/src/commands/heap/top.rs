//! `varvite heap top`: ranks functions, lines, files or modules.

use std::cmp::Reverse;
use std::io;

use clap::{Args, ValueEnum};
use serde_json::Value as Json;
use varvite_profile::Measures;
use varvite_profile::layer::{By, HeapLayer, KnownPlace, TopRow};

use super::asked::{AtArgs, ProfileArgs};
use super::measured::{SortArgs, count_cells, count_columns, run_json, write_run};
use super::told::{filled, known_line};
use crate::arguments::OutputArgs;
use crate::commands::profile_json::counts_json;
use crate::failure::Outcome;
use crate::output::{Column, Format, begin_rows, write_document};

/// Arguments of `varvite heap top`.
#[derive(Debug, Args)]
pub(crate) struct TopArgs {
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    at: AtArgs,
    /// Group rows by
    #[arg(long, value_enum, default_value_t)]
    by: ByWord,
    #[command(flatten)]
    sort: SortArgs,
    /// Sort by inclusive values (with all callees) instead of own values
    #[arg(long)]
    all: bool,
    /// Show at most N rows
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

/// Shows the rows, sorted by the measure, the largest value first.
pub(super) fn run(args: &TopArgs) -> Outcome {
    args.profile.ask_at(&args.at, args.sort.name(), |_, layer| answer(args, layer))
}

fn answer(args: &TopArgs, layer: &HeapLayer) -> Outcome {
    let by = match args.by {
        ByWord::Function => By::Function,
        ByWord::Place => By::Place,
        ByWord::File => By::File,
        ByWord::Module => By::Module,
    };
    let (mut rows, measure) = (layer.top(by), args.sort.of(&layer.measures)?);
    let wanted = |row: &TopRow| measure.of(if args.all { &row.all } else { &row.own });
    rows.retain(|row| wanted(row) != 0);
    rows.sort_by_cached_key(|row| (Reverse(wanted(row)), row.key()));
    let found = rows.len();
    rows.truncate(args.limit);
    Ok(write(args, layer, &rows, found)?)
}

fn write(args: &TopArgs, layer: &HeapLayer, rows: &[TopRow], found: usize) -> io::Result<()> {
    let format = args.format.format;
    if format == Format::Json {
        let mut all = run_json(layer);
        all["rows"] = rows.iter().map(|row| document(args.by, row, &layer.measures)).collect();
        all["rows_found"] = found.into();
        return write_document(&format!("{all:#}"), format);
    }
    write_run(layer, format)?;
    let counts = ["", "all_"].into_iter().flat_map(|prefix| count_columns(prefix, &layer.measures));
    let mut table = begin_rows(format, in_order(format, place_columns(args.by), counts.collect()))?;
    for row in rows {
        let counts = [&row.own, &row.all].into_iter().flat_map(|it| count_cells(it, &layer.measures));
        table.push(in_order(format, place_cells(args.by, row), counts.collect()))?;
    }
    table.finish()
}

/// Places and counts, in the order for the format. In a table, counts come first, since a path may be wider
/// than the terminal.
fn in_order<T>(format: Format, places: Vec<T>, counts: Vec<T>) -> Vec<T> {
    let (first, last) = if format == Format::Table { (counts, places) } else { (places, counts) };
    first.into_iter().chain(last).collect()
}

fn place_columns(by: ByWord) -> Vec<Column> {
    match by {
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
    }
}

fn place_cells(by: ByWord, row: &TopRow) -> Vec<Json> {
    let KnownPlace { function, file, line, module, method: _ } = &row.place;
    let [function, file, module] = [function, file, module].map(|text| Json::from(filled(text)));
    match by {
        ByWord::Function => vec![function, file, module],
        ByWord::Place => vec![function, file, known_line(*line).into(), module],
        ByWord::File => vec![file],
        ByWord::Module => vec![module],
    }
}

fn document(by: ByWord, row: &TopRow, measures: &Measures) -> Json {
    let mut document = serde_json::Map::new();
    for (column, cell) in place_columns(by).iter().zip(place_cells(by, row)) {
        document.insert(column.name().to_owned(), cell);
    }
    if matches!(by, ByWord::Function | ByWord::Place) {
        document.insert("method".to_owned(), row.place.method.into());
    }
    document.insert("own".to_owned(), counts_json(&row.own, measures));
    document.insert("all".to_owned(), counts_json(&row.all, measures));
    document.into()
}
