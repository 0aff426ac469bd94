//! The questions `runs`, `flame`, `timeline`, `moment` and `compare`: what ran, from the layers of
//! profiles and traces.

use std::cmp::Reverse;

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_profile::Slot;
use varvite_profile::layer::{
    At, CodeKind, CodeRow, DiffFrame, DiffRow, FigureLimits, FlameTree, HeapDiff, HeapLayer, Names,
};

use crate::content::Columns;
use crate::fault::{Fault, Result};
use crate::limits::Work;
use crate::shared::Shared;

/// The most intervals of a timeline.
const INTERVALS_MAX: usize = 1_000;
/// The measure of memory in use at a moment, and the number of its places if the question has no limit.
const LIVE_BYTES: &str = "live_bytes";
const PLACES: usize = 20;
/// The number of rows of a comparison if the question has no limit, and the most rows.
const ROWS: usize = 200;
const ROWS_MAX: usize = 2_000;
/// The limits of a flame graph: more frames than a browser reads in a second.
const FLAME: FigureLimits = FigureLimits { frames: 2_000_000, bytes: 32 << 20 };
/// The layers of traces are `trace`, and `trace/NAME`.
const TRACE: &str = "trace";
/// The end of the name of the property that a layer of samples has.
const SAMPLED: &str = "_SAMPLED";

/// Asks for the layers that can be shown.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Runs {
    #[serde(default)]
    file: usize,
}

/// Asks for a flame graph.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flame {
    #[serde(default)]
    file: usize,
    layer: String,
    measure: Option<String>,
}

/// Asks for memory over time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimelineOf {
    #[serde(default)]
    file: usize,
    layer: String,
}

/// Asks for the places whose memory is in use at a moment.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MomentOf {
    #[serde(default)]
    file: usize,
    layer: String,
    ms: u64,
    limit: Option<usize>,
}

/// Asks for the differences of two profiles.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Compare {
    first: Side,
    second: Side,
    measure: Option<String>,
    limit: Option<usize>,
}

/// A profile of a comparison.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Side {
    #[serde(default)]
    file: usize,
    layer: String,
}

impl Runs {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        super::about(shared, work, self.file, |graph| {
            let mut rows = Vec::new();
            for names in HeapLayer::names_in(graph) {
                work.check()?;
                rows.push(described(graph, &names, work)?);
            }
            let traces = (0..).zip(graph.layers()).filter(|(_, layer)| is_trace(&layer.name));
            rows.extend(traces.map(|(number, layer)| {
                json!({ "layer": layer.name, "kind": "trace", "source": layer.tool,
                    "sampled": has_samples(graph, number),
                    "measures": [], "has_flame": false, "has_timeline": false })
            }));
            Ok(json!({ "rows": rows }))
        })
    }
}

fn is_trace(layer: &str) -> bool {
    layer == TRACE || layer.strip_prefix(TRACE).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether the counts of a trace are those of samples: only then does its layer have this property.
fn has_samples(graph: &Graph, number: u32) -> bool {
    graph.properties().iter().any(|property| property.layer == number && property.name.ends_with(SAMPLED))
}

fn described(graph: &Graph, names: &Names, work: &Work) -> Result<Json> {
    let layer = HeapLayer::open_within(graph, names, &work.task())?;
    let measures = layer.measures.iter().map(|(slot, measure)| {
        json!({ "name": measure.name(), "unit": measure.unit(), "noun": measure.noun(),
            "total": slot.of(&layer.totals.counts) })
    });
    let default = layer.measures.get(layer.default_measure()).map(|measure| measure.name().to_owned());
    let tool = graph.layers().iter().find(|known| known.name == names.layer).map(|known| known.tool.clone());
    Ok(json!({
        "layer": names.layer, "kind": names.kind.layer(), "source": tool, "command": layer.command,
        "sampled": layer.sampling.is_some(), "measures": measures.collect::<Json>(), "default_measure": default,
        "has_flame": true, "has_timeline": !layer.timeline.moments.is_empty(),
        "runtime_ms": layer.totals.runtime_ms,
    }))
}

impl Flame {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        super::about(shared, work, self.file, |graph| {
            let layer = opened(graph, &self.layer, work)?;
            let measure = measure_of(&layer, self.measure.as_deref())?;
            let flame = FlameTree::of_within(&layer, measure, work.task().flag())?;
            work.check()?;
            let found = layer.measures.get(measure);
            let unit = found.map_or("", |measure| measure.noun());
            let title = format!("{}: {} {unit}", self.layer, flame.told(flame.total));
            let mut document = Vec::new();
            flame.write_view(&title, FLAME, &mut document)?;
            work.budget().take(document.len())?;
            let view = shared.views.keep(document);
            let view = view.map_err(std::io::Error::from)?;
            Ok(json!({ "title": title, "total": flame.total, "unit": unit, "view": format!("/view/{view}") }))
        })
    }
}

impl TimelineOf {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        super::about(shared, work, self.file, |graph| {
            let layer = opened(graph, &self.layer, work)?;
            let timeline = layer.timeline.in_intervals(INTERVALS_MAX);
            let rows = timeline.moments.iter().enumerate().map(|(interval, moment)| {
                json!({ "ms": timeline.begins_at(interval), "calls": moment.calls,
                    "live_bytes": moment.live_bytes, "peak_bytes": moment.peak_bytes,
                    "resident_bytes": moment.resident_bytes })
            });
            let rows: Json = rows.collect();
            Ok(json!({ "from_ms": timeline.from_ms, "interval_ms": timeline.interval_ms, "rows": rows }))
        })
    }
}

impl MomentOf {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        super::about(shared, work, self.file, |graph| {
            let layer = opened(graph, &self.layer, work)?.at(graph, None, At::Ms(self.ms))?;
            work.check()?;
            let measure = layer.measures.find(LIVE_BYTES).unwrap_or_default();
            let mut rows = layer.on_code();
            rows.retain(|row| row.kind == CodeKind::Call && row.own[measure] > 0);
            rows.sort_by_key(|row| (Reverse(row.own[measure]), row.node));
            let found = rows.len();
            rows.truncate(self.limit.unwrap_or(PLACES).clamp(1, ROWS_MAX));
            let columns = Columns::open(graph)?;
            let mut nodes = columns.nodes();
            let mut shown = |row: &CodeRow| {
                let mut shown = json!(nodes.of(row.node));
                shown["live_bytes"] = row.own[measure].into();
                shown
            };
            let rows: Vec<Json> = rows.iter().map(&mut shown).collect();
            Ok(json!({ "ms": self.ms, "left_off": found - rows.len(), "rows": rows }))
        })
    }
}

impl Compare {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        let open =
            |side: &Side| super::about(shared, work, side.file, |graph| opened(graph, &side.layer, work));
        let [first, second] = comparable(open(&self.first)?, open(&self.second)?)?;
        let measure = measure_of(&first, self.measure.as_deref())?;
        let diff = HeapDiff::of(&first, &second);
        work.check()?;
        let mut rows = diff.by_function();
        work.check()?;
        rows.retain(|(_, row)| row.change(measure) != 0);
        rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.change(measure).unsigned_abs()));
        let found = rows.len();
        rows.truncate(self.limit.unwrap_or(ROWS).clamp(1, ROWS_MAX));
        let shown = first.measures.get(measure);
        Ok(json!({
            "measure": shown.map(|measure| measure.name()), "unit": shown.map(|measure| measure.noun()),
            "left_off": found - rows.len(),
            "rows": rows.iter().map(|row| difference(row, measure)).collect::<Json>(),
        }))
    }
}

fn difference((frame, row): &(DiffFrame, DiffRow), measure: Slot) -> Json {
    let mut shown = json!({
        "function": frame.function, "first": measure.of(&row.before), "second": measure.of(&row.after),
        "difference": row.change(measure),
    });
    if !frame.file.is_empty() {
        shown["path"] = frame.file.as_str().into();
    }
    if frame.line > 0 {
        shown["line"] = frame.line.into();
    }
    shown
}

/// Both profiles with the measures that they have in common.
fn comparable(first: HeapLayer, second: HeapLayer) -> Result<[HeapLayer; 2]> {
    if first.sampling.is_some() != second.sampling.is_some() {
        let message = "one of the profiles is sampled, the other one is counted: they cannot be compared";
        return Err(Fault::bad_question(message));
    }
    let common = first.measures.in_common(&second.measures);
    if common.is_empty() {
        return Err(Fault::bad_question("the profiles have no measure in common"));
    }
    Ok([first, second].map(|side| side.in_slots_of(&common)))
}

/// The profile in a layer.
fn opened(graph: &Graph, layer: &str, work: &Work) -> Result<HeapLayer> {
    let all = HeapLayer::names_in(graph);
    let Some(names) = all.iter().find(|names| names.layer == layer) else {
        let known = all.iter().map(|names| names.layer.as_str()).collect::<Vec<_>>().join(", ");
        let known = if known.is_empty() { "none".to_owned() } else { known };
        let message = format!("the graph has no profile in a layer {layer:?}: there is {known}");
        return Err(Fault::new(StatusCode::NOT_FOUND, "no_such_name", &message));
    };
    Ok(HeapLayer::open_within(graph, names, &work.task())?)
}

fn measure_of(layer: &HeapLayer, name: Option<&str>) -> Result<Slot> {
    let Some(name) = name else { return Ok(layer.default_measure()) };
    layer.measures.find(name).ok_or_else(|| {
        let known = layer.measures.names().collect::<Vec<_>>().join(", ");
        let message = format!("there is no measure {name:?}: there are {known}");
        Fault::new(StatusCode::NOT_FOUND, "no_such_name", &message)
    })
}
