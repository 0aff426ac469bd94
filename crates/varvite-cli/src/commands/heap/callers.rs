//! `varvite heap callers`: shows the callers of a function as a tree.

use clap::Args;
use serde_json::Value as Json;
use varvite::error::nearest;
use varvite_profile::layer::{CallerLimits, CallerRow, HeapLayer, KnownPlace};
use varvite_profile::{Measures, Slot};

use super::asked::{AtArgs, ProfileArgs};
use super::measured::{SortArgs, count_cells, count_columns, run_json, write_run};
use super::told::{filled, known_line, place_json, place_or_module};
use crate::arguments::OutputArgs;
use crate::commands::profile_json::{counts_json, percent};
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, write_document};

/// Arguments of `varvite heap callers`.
#[derive(Debug, Args)]
pub(crate) struct CallersArgs {
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    at: AtArgs,
    /// The function: its name in the profile, or the last part of that name; a name may select several
    /// functions
    function: String,
    #[command(flatten)]
    sort: SortArgs,
    /// Show at most N levels of callers
    #[arg(long, value_name = "N", default_value_t = 64)]
    depth: usize,
    /// Show at most N rows
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    #[command(flatten)]
    format: OutputArgs,
}

/// Maximum indentation of callers, in levels.
const INDENTED_MAX: usize = 30;

/// Shows the function, its callers, the callers of these and so on.
pub(super) fn run(args: &CallersArgs) -> Outcome {
    args.profile.ask_at(&args.at, args.sort.name(), |_, layer| answer(args, layer))
}

fn answer(args: &CallersArgs, layer: &HeapLayer) -> Outcome {
    let measure = args.sort.of(&layer.measures)?;
    let mut rows: Vec<CallerRow> = Vec::new();
    for places in places(layer, &args.function)? {
        let limits = CallerLimits { depth: args.depth, rows: args.limit.saturating_sub(rows.len()) };
        rows.extend(layer.callers(&places, measure, limits));
    }
    let functions = rows.iter().filter(|row| row.depth == 0);
    let total = functions.map(|row| measure.of(&row.all)).fold(0, i64::saturating_add);
    let format = args.format.format;
    if format == Format::Json {
        let mut all = run_json(layer);
        all["rows"] = rows.iter().map(|row| document(row, &layer.measures)).collect();
        return Ok(write_document(&format!("{all:#}"), format)?);
    }
    if format != Format::Table || layer.sampling.is_some() {
        write_run(layer, format)?;
    }
    let mut table = begin_rows(format, columns(format, measure, &layer.measures))?;
    for row in &rows {
        let is_table = format == Format::Table;
        table.push(if is_table { told(row, measure, total) } else { cells(row, &layer.measures) })?;
    }
    Ok(table.finish()?)
}

/// The functions with the name `name`. Each is returned as the numbers of its places (the source lines that
/// calls were made from).
fn places(layer: &HeapLayer, name: &str) -> Result<Vec<Vec<u32>>, Failure> {
    match layer.functions_named(name) {
        found if !found.is_empty() => Ok(found),
        _ => {
            Err(Failure::NoFunction { name: name.to_owned(), nearest: nearest(name, layer.function_names()) })
        }
    }
}

fn columns(format: Format, measure: Slot, measures: &Measures) -> Vec<Column> {
    if format == Format::Table {
        let name = measures.get(measure).map_or("", |it| it.name());
        let numbers = [name.to_owned(), format!("all_{name}"), "share".to_owned()];
        return numbers.map(Column::number).into_iter().chain(["function", "at"].map(Column::text)).collect();
    }
    let mut columns = vec![Column::number("depth"), Column::text("function"), Column::text("file")];
    columns.extend([Column::number("line"), Column::text("module"), Column::number("method")]);
    columns.extend(["", "all_"].into_iter().flat_map(|prefix| count_columns(prefix, measures)));
    columns
}

/// The cells of a row. Indentation of the function's name shows the row's depth.
fn told(row: &CallerRow, measure: Slot, total: i64) -> Vec<Json> {
    let all = measure.of(&row.all);
    let function = format!("{:indent$}{}", "", row.place.function, indent = 2 * row.depth.min(INDENTED_MAX));
    let at = place_or_module(&row.place);
    vec![measure.of(&row.own).into(), all.into(), percent(all, total).into(), function.into(), at]
}

fn cells(row: &CallerRow, measures: &Measures) -> Vec<Json> {
    let KnownPlace { function, file, line, module, method } = &row.place;
    let lead = [
        row.depth.into(),
        function.as_str().into(),
        filled(file).into(),
        known_line(*line).into(),
        filled(module).into(),
        (*method).into(),
    ];
    lead.into_iter()
        .chain([&row.own, &row.all].into_iter().flat_map(|it| count_cells(it, measures)))
        .collect()
}

fn document(row: &CallerRow, measures: &Measures) -> Json {
    let mut document = place_json(&row.place);
    document["depth"] = row.depth.into();
    document["own"] = counts_json(&row.own, measures);
    document["all"] = counts_json(&row.all, measures);
    document
}
