//! `varvite heap leaks`: shows the places that allocated memory that was not freed.

use clap::Args;
use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_cpg::Sites;
use varvite_profile::layer::{Code, HeapLayer, KnownPlace, Leak};
use varvite_profile::{Measures, Slot};

use super::asked::{AtArgs, ProfileArgs};
use super::measured::{run_json, slot_of, write_run};
use super::told::{Told, callers_in_a_line, filled, known_line, link, place_json, place_or_module};
use crate::arguments::OutputArgs;
use crate::commands::profile_json::counts_json;
use crate::failure::Outcome;
use crate::output::{Column, Format, begin_rows, write_document};

/// The measures of leaks: memory never freed, and memory not freed at a moment.
const LEAKED: &str = "leaked_bytes";
const LIVE: &str = "live_bytes";

/// Arguments of `varvite heap leaks`.
#[derive(Debug, Args)]
pub(crate) struct LeaksArgs {
    #[command(flatten)]
    profile: ProfileArgs,
    #[command(flatten)]
    at: AtArgs,
    /// Stacks to show for each place in JSON, most bytes first; tables and CSV show only the first
    #[arg(long, value_name = "N", default_value_t = 5)]
    stacks: usize,
    /// Show at most N places
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the places. Those with the most bytes come first.
pub(super) fn run(args: &LeaksArgs) -> Outcome {
    args.profile.ask_at(&args.at, Some(LEAKED), |graph, layer| answer(args, graph, layer))
}

fn answer(args: &LeaksArgs, graph: Option<&Graph>, layer: &HeapLayer) -> Outcome {
    let name = if args.at.is_given() { LIVE } else { LEAKED };
    let (format, leaked) = (args.format.format, slot_of(name, &layer.measures)?);
    let stacks = if format == Format::Json { args.stacks } else { 1 };
    let code = graph.map_or(Ok(Code::default()), Code::of)?;
    let mut leaks = layer.leaks(leaked, &code, stacks);
    let found = leaks.len();
    leaks.truncate(args.limit);
    if format == Format::Json {
        let sites = graph.map(Sites::open).transpose()?;
        let mut told = graph.zip(sites.as_ref()).map(|(graph, sites)| Told::of(graph, sites)).transpose()?;
        let mut all = run_json(layer);
        all["rows"] = leaks.iter().map(|leak| document(told.as_mut(), leak, &layer.measures)).collect();
        all["rows_found"] = found.into();
        return Ok(write_document(&format!("{all:#}"), format)?);
    }
    write_run(layer, format)?;
    let calls = slot_of("calls", &layer.measures)?;
    let mut table = begin_rows(format, columns(name, format))?;
    for leak in &leaks {
        table.push(cells(format, leak, [leaked, calls]))?;
    }
    Ok(table.finish()?)
}

fn columns(leaked: &str, format: Format) -> Vec<Column> {
    let mut columns = [leaked, "calls", "stacks"].map(Column::number).to_vec();
    columns.push(Column::text("function"));
    match format {
        Format::Table => columns.push(Column::text("at")),
        _ => columns.extend([Column::text("file"), Column::number("line"), Column::text("module")]),
    }
    columns.push(Column::text("callers"));
    columns
}

fn cells(format: Format, leak: &Leak, [leaked, calls]: [Slot; 2]) -> Vec<Json> {
    let (counts, KnownPlace { function, file, line, module, .. }) = (&leak.counts, &leak.place);
    let lead =
        [counts[leaked].into(), counts[calls].into(), leak.stacks_found.into(), function.as_str().into()];
    let place = match format {
        Format::Table => vec![place_or_module(&leak.place)],
        _ => vec![filled(file).into(), known_line(*line).into(), filled(module).into()],
    };
    let callers = leak.stacks.first().map_or(Json::Null, |stack| callers_in_a_line(&stack.callers));
    lead.into_iter().chain(place).chain([callers]).collect()
}

fn document(mut told: Option<&mut Told<'_>>, leak: &Leak, measures: &Measures) -> Json {
    let mut stacks: Vec<Json> = Vec::new();
    for stack in &leak.stacks {
        let chain: Vec<Json> =
            stack.callers.iter().map(|it| link(told.as_deref_mut(), it, measures)).collect();
        stacks.push(json!({ "counts": counts_json(&stack.counts, measures), "chain": chain }));
    }
    let call = leak.call.zip(told).map(|(call, told)| told.call(call));
    let mut document = place_json(&leak.place);
    document["call"] = call.into();
    document["counts"] = counts_json(&leak.counts, measures);
    document["stacks"] = stacks.into();
    document["stacks_found"] = leak.stacks_found.into();
    document
}
