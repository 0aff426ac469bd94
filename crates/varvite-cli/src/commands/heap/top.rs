//! `varvite heap top`: what allocates most.

use std::cmp::Reverse;
use std::io;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use varvite_profile::layer::{By, HeapLayer, KnownPlace, Measure, TopRow};

use super::asked::{MeasureWord, ProfileArgs, count_cells, count_columns, write_totals};
use super::told::{filled, known_line};
use crate::arguments::OutputArgs;
use crate::commands::profile_json::{counts_json, totals_json};
use crate::failure::Outcome;
use crate::output::{Column, Format, Rows, write_document};

/// Arguments of `varvite heap top`.
#[derive(Debug, Args)]
pub(crate) struct TopArgs {
    #[command(flatten)]
    profile: ProfileArgs,
    /// What is told of together
    #[arg(long, value_enum, default_value_t)]
    by: ByWord,
    /// What the most of comes first
    #[arg(long, value_enum, default_value_t)]
    sort: MeasureWord,
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

/// Shows the rows, most of what was asked for first.
pub(super) fn run(args: &TopArgs) -> Outcome {
    args.profile.ask(|_, layer| answer(args, layer))
}

fn answer(args: &TopArgs, layer: &HeapLayer) -> Outcome {
    let by = match args.by {
        ByWord::Function => By::Function,
        ByWord::Place => By::Place,
        ByWord::File => By::File,
        ByWord::Module => By::Module,
    };
    let (mut rows, measure) = (layer.top(by), Measure::from(args.sort));
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
        let rows: Vec<Json> = rows.iter().map(|row| document(args.by, row)).collect();
        let all = json!({
            "command": layer.command, "totals": totals_json(&layer.totals), "rows": rows, "rows_found": found,
        });
        return write_document(&format!("{all:#}"), format);
    }
    if format == Format::Table {
        write_totals(&layer.command, &layer.totals)?;
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
    columns.extend(["", "all_"].into_iter().flat_map(count_columns));
    columns
}

fn cells(by: ByWord, row: &TopRow) -> Vec<Json> {
    let KnownPlace { function, file, line, module, method: _ } = &row.place;
    let [function, file, module] = [function, file, module].map(|text| Json::from(filled(text)));
    let mut cells = match by {
        ByWord::Function => vec![function, file, module],
        ByWord::Place => vec![function, file, known_line(*line).into(), module],
        ByWord::File => vec![file],
        ByWord::Module => vec![module],
    };
    cells.extend([&row.own, &row.all].into_iter().flat_map(count_cells));
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
        document.insert("method".to_owned(), row.place.method.into());
    }
    document.insert("own".to_owned(), counts_json(&row.own));
    document.insert("all".to_owned(), counts_json(&row.all));
    document.into()
}
