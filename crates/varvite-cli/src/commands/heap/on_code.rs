//! `varvite heap on-code`: ranks METHODs and CALLs by their counts, and shows the reasons for large counts.

use std::cmp::Reverse;
use std::io;

use clap::Args;
use serde_json::Value as Json;
use varvite::Graph;
use varvite_cpg::Sites;
use varvite_profile::layer::{
    Code, CodeKind, CodeRow, Coverage, HeapLayer, MissingEdge, ModuleReport, Reasons,
};
use varvite_profile::{Counts, Measures, Slot};

use super::asked::{AtArgs, ProfileArgs};
use super::measured::{SortArgs, count_cells, count_columns, run_json, write_run};
use super::told::{Told, callers_in_a_line, known_line, link};
use crate::arguments::{GraphArgs, OutputArgs};
use crate::commands::profile_json::{counts_json, coverage_json, percent};
use crate::commands::profile_words::foremost;
use crate::failure::Outcome;
use crate::output::{Column, Format, begin_rows, thousands, write_document, write_text};

/// Maximum number of callers and edges that are shown for each METHOD, since some METHODs have thousands.
const CALLERS_MAX: usize = 20;
/// Maximum number of modules that a table shows.
const MODULES_MAX: usize = 5;

/// Arguments of `varvite heap on-code`.
#[derive(Debug, Args)]
pub(crate) struct OnCodeArgs {
    #[command(flatten)]
    profile: ProfileArgs<GraphArgs>,
    #[command(flatten)]
    at: AtArgs,
    #[command(flatten)]
    sort: SortArgs,
    /// Rank by inclusive values (with all callees) instead of own values
    #[arg(long)]
    all: bool,
    /// Show only CALLs inside loops, ranked by inclusive values
    #[arg(long)]
    in_loops: bool,
    /// Show at most N rows
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the rows, sorted by the requested measure, the largest value first.
pub(super) fn run(args: &OnCodeArgs) -> Outcome {
    args.profile.ask_graph(&args.at, args.sort.name(), |graph, layer| answer(args, graph, layer))
}

fn answer(args: &OnCodeArgs, graph: &Graph, layer: &HeapLayer) -> Outcome {
    let (code, measure) = (Code::of(graph)?, args.sort.of(&layer.measures)?);
    let with_callees = args.all || args.in_loops;
    let wanted = |row: &CodeRow| measure.of(if with_callees { &row.all } else { &row.own });
    let mut rows = layer.on_code();
    rows.retain(|row| wanted(row) != 0);
    if args.in_loops {
        rows.retain(|row| row.kind == CodeKind::Call && code.loop_around(row.node).is_some());
    }
    // If values are equal, a CALL comes before the METHOD that contains it, since the CALL is more specific.
    rows.sort_by_key(|row| (Reverse(wanted(row)), Reverse(row.kind), row.node));
    let found = rows.len();
    rows.truncate(args.limit);
    let reasons = layer.reasons(&rows, &code, (measure, with_callees));
    let sites = Sites::open(graph)?;
    let mut told = Told::of(graph, &sites)?;
    let coverage = layer.coverage();
    match args.format.format {
        Format::Json => {
            let rows = rows.iter().zip(&reasons);
            let mut all = run_json(layer);
            all["coverage"] = coverage_json(&coverage, &layer.measures);
            all["rows"] = rows.map(|row| document(&mut told, row, &layer.measures)).collect();
            all["rows_found"] = found.into();
            write_document(&format!("{all:#}"), Format::Json)?;
        }
        format => {
            write_run(layer, format)?;
            if format == Format::Table {
                write_coverage(&coverage, &layer.measures)?;
            }
            let mut table = begin_rows(format, columns(format, with_callees, &layer.measures))?;
            for row in rows.iter().zip(&reasons) {
                table.push(cells(&mut told, (format, &layer.measures), with_callees, row))?;
            }
            table.finish()?;
        }
    }
    Ok(())
}

/// Writes, above a table, the share of the profile that was joined to the code.
fn write_coverage(coverage: &Coverage, measures: &Measures) -> io::Result<()> {
    let (all, placed) = (coverage.all(), coverage.placed());
    let share = |part: &Counts, slot: Slot| percent(part[slot], all[slot]);
    let shares = foremost(measures).into_iter();
    let shares: Vec<String> =
        shares.map(|(slot, measure)| format!("{} of its {}", share(&placed, slot), measure.noun())).collect();
    let mut text = format!("{} belong to METHODs of the graph", shares.join(" and "));
    let first = Slot::default();
    let below = &coverage.below_methods;
    if below[first] > 0 {
        let shares = foremost(measures).into_iter().map(|(slot, _)| share(below, slot));
        text += &format!(", {} more to code that these call", shares.collect::<Vec<_>>().join(" and "));
    }
    let noun = measures.get(first).map_or("", |measure| measure.noun());
    let lacking = |module: &&ModuleReport| module.counts[first] > module.placed[first];
    let lacking: Vec<String> = coverage
        .modules
        .iter()
        .filter(lacking)
        .take(MODULES_MAX)
        .map(|module| {
            let number = thousands((module.counts[first] - module.placed[first]).max(0) as u64);
            let path = if module.path.is_empty() { "an unknown module" } else { &module.path };
            format!("{number} in {path}")
        })
        .collect();
    if !lacking.is_empty() {
        text += &format!("; {noun} outside the graph: {}", lacking.join(", "));
    }
    write_text(&text)
}

fn columns(format: Format, with_callees: bool, measures: &Measures) -> Vec<Column> {
    if format == Format::Table {
        let counts = count_columns(if with_callees { "all_" } else { "" }, measures).into_iter();
        return counts.chain(["location", "code", "loop", "callers"].map(Column::text)).collect();
    }
    let mut columns = vec![Column::text("kind"), Column::number("node"), Column::text("name")];
    columns.extend([
        Column::text("code"),
        Column::text("method"),
        Column::text("file"),
        Column::number("line"),
    ]);
    columns.extend(["", "all_"].into_iter().flat_map(|prefix| count_columns(prefix, measures)));
    columns.extend([Column::text("loop"), Column::number("loop_line"), Column::text("callers")]);
    columns.extend(["unseen_callers", "missing_edges"].map(Column::number));
    columns
}

/// A row as JSON, with the reasons for its counts.
fn document(told: &mut Told<'_>, (row, reasons): (&CodeRow, &Reasons), measures: &Measures) -> Json {
    let mut document = told.site(row.node);
    document["kind"] = kind(row.kind).into();
    document["name"] = told.name(row.node);
    document["own"] = counts_json(&row.own, measures);
    document["all"] = counts_json(&row.all, measures);
    document["loop"] = told.loop_around(reasons.around);
    document["chain"] = reasons.chain.iter().map(|it| link(Some(told), it, measures)).collect();
    match row.kind {
        CodeKind::Call => document["code"] = told.code(row.node),
        CodeKind::Method => {
            let unseen = reasons.unseen_callers.iter().take(CALLERS_MAX);
            document["unseen_callers"] = unseen.map(|(_, call)| told.call(*call)).collect();
            document["unseen_callers_found"] = reasons.unseen_callers.len().into();
            let missing = reasons.missing_edges.iter().take(CALLERS_MAX);
            document["missing_edges"] = missing.map(|edge| missing_edge(told, edge, measures)).collect();
            document["missing_edges_found"] = reasons.missing_edges.len().into();
        }
    }
    document
}

fn missing_edge(told: &mut Told<'_>, edge: &MissingEdge, measures: &Measures) -> Json {
    let mut document = told.site(edge.caller);
    document["line"] = known_line(edge.line).into();
    document["counts"] = counts_json(&edge.counts, measures);
    document
}

fn cells(
    told: &mut Told<'_>,
    (format, measures): (Format, &Measures),
    with_callees: bool,
    (row, reasons): (&CodeRow, &Reasons),
) -> Vec<Json> {
    let code = if row.kind == CodeKind::Call { told.code(row.node) } else { Json::Null };
    // A METHOD itself is not in a loop. The loop around the nearest caller that is in a loop is the reason
    // for the METHOD's many calls.
    let around = reasons.around.or_else(|| reasons.chain.iter().find_map(|link| link.around));
    let callers = callers_in_a_line(&reasons.chain);
    if format == Format::Table {
        let counts = count_cells(if with_callees { &row.all } else { &row.own }, measures);
        let code = if row.kind == CodeKind::Call { code } else { told.name(row.node) };
        let around = around.map_or(Json::Null, |node| told.loop_in_a_line(node).into());
        return counts.into_iter().chain([told.location(row.node).into(), code, around, callers]).collect();
    }
    let site = told.site(row.node);
    let [method, file, line] = ["method", "file", "line"].map(|name| site[name].clone());
    let around = told.loop_around(around);
    let counts = [&row.own, &row.all].into_iter().flat_map(|it| count_cells(it, measures));
    let lead = [kind(row.kind).into(), row.node.into(), told.name(row.node), code, method, file, line];
    let ends = [around["code"].clone(), around["line"].clone(), callers];
    let found = [reasons.unseen_callers.len().into(), reasons.missing_edges.len().into()];
    lead.into_iter().chain(counts).chain(ends).chain(found).collect()
}

fn kind(kind: CodeKind) -> &'static str {
    match kind {
        CodeKind::Method => "METHOD",
        CodeKind::Call => "CALL",
    }
}
