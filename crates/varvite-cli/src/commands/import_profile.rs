//! `varvite import --into` of a profile: adds the profile's counts as a layer to an existing graph.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value as Json, json};
use varvite::Task;
use varvite_profile::layer::{HeapOptions, HeapReport, LayerEvents, MatchClass, import, import_events};
use varvite_profile::{
    Expansion, Limits, Measure, Noticed, ProfileFormat, ProfileSource, Roots, Slot, heaptrack,
};
use varvite_store::Vfs;

use super::profile_json::{coverage_json, percent, totals_json};
use super::profile_words::{estimated, foremost};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Column, Format, Summary, begin_rows, counted, remark, thousands, write_document};
use crate::progress::Progress;

/// If the share of the counts that belong to the graph's code is smaller than this, the profile is probably
/// of another program.
const LIKELY_SHARE: f64 = 0.01;
/// Maximum number of measures in a table of modules.
const SHOWN: usize = 3;

/// The inputs of an import.
pub(super) struct ProfileImport<'a> {
    pub(super) graph: &'a Path,
    /// The name of the profile; empty if it has no name.
    pub(super) name: &'a str,
    pub(super) form: Option<ProfileFormat>,
    pub(super) memory: Option<usize>,
    pub(super) expansion: Expansion,
    pub(super) with_events: bool,
    pub(super) roots: Roots,
}

impl ProfileImport<'_> {
    /// Adds the layer, and reports the result.
    pub(super) fn run(&self, source: ProfileSource, disk: Arc<dyn Vfs>, format: Format) -> Outcome {
        let (began, path) = (Instant::now(), source.path().to_owned());
        let report = self.import(source, disk)?;
        note_oddities(&report, &path);
        reported(self.graph, write(&report, self.graph, began.elapsed().as_secs_f64(), format))
    }

    fn import(&self, source: ProfileSource, disk: Arc<dyn Vfs>) -> Result<HeapReport, Failure> {
        let Self { graph, name, form, memory, expansion, with_events, roots } = *self;
        let file = source.path().to_owned();
        let memory_bytes = memory.unwrap_or(Limits::default().memory_bytes);
        let limits = Limits { memory_bytes, expansion, roots };
        let of_profile = |source| Failure::Profile { file: file.clone(), source };
        let of_layer = |source| Failure::ProfileLayer { file: file.clone(), source };
        let options = |source| HeapOptions { name: name.to_owned(), source, limits };
        let bar = Progress::steps();
        let task = Task::new().progress(|progress| bar.show(progress));
        if !with_events {
            let (profile, digest) = source.read(form, &limits).map_err(of_profile)?;
            return import(disk, graph, &profile, &options(digest), &task).map_err(of_layer);
        }
        let mut events = LayerEvents::begin(Arc::clone(&disk), graph, name, &limits).map_err(of_layer)?;
        let (profile, digest) = source.read_events(form, &limits, &mut events).map_err(of_profile)?;
        import_events(disk, graph, (&profile, events), &options(digest), &task).map_err(of_layer)
    }
}

/// Writes notes to standard error about parts that could not be read, and about signs that the profile is of
/// another program.
fn note_oddities(report: &HeapReport, source: &Path) {
    note_damage(&report.noticed, source);
    if report.has_split_stacks {
        remark(&format!(
            "{}: Go calls C here, and the stacks of both are told apart: what the C code did counts for its own stack, not for the Go code that called it",
            source.display()
        ));
    }
    // A match by line alone proves little: most programs have a line 12 in main.c.
    let is_named = |class: MatchClass| matches!(class, MatchClass::Exact | MatchClass::Name);
    let by_name = report.coverage.by_class.iter().filter(|(class, _)| is_named(*class));
    // The program may allocate only through libraries that are not in the graph.
    let first = Slot::default();
    let below = report.coverage.below_exact[first];
    let known: i64 = by_name.map(|(_, counts)| counts[first]).fold(below, i64::saturating_add);
    if share(known, report.totals.counts[first]) < LIKELY_SHARE {
        remark(&format!(
            "{}: almost none of the profile matches this graph; check that it is of the same program",
            source.display()
        ));
    }
}

/// Writes notes about the parts of a profile that could not be read.
pub(super) fn note_damage(noticed: &Noticed, source: &Path) {
    let path = source.display();
    if noticed.is_cut_off {
        remark(&format!(
            "{path}: the profile is cut off, as when a program is killed; its records up to there are \
             counted"
        ));
    }
    if noticed.bad_lines > 0 {
        let lines = counted(noticed.bad_lines, "line");
        remark(&format!(
            "{path}: skipped {lines} with invalid syntax, the first is line {}",
            noticed.first_bad_line
        ));
    }
    doubts(noticed).iter().for_each(|doubt| remark(&format!("{path}: {doubt}")));
}

/// The remark about a profile whose sums exceeded 64 bits.
pub(super) const SATURATED: &str = "some sums pass 64 bits; they are shown as the largest number of 64 bits";

/// Warnings that values of a profile are less accurate than they seem.
fn doubts(noticed: &Noticed) -> Vec<String> {
    let mut doubts = Vec::new();
    if noticed.bad_samples > 0 {
        let entries = counted(noticed.bad_samples, "entry").replace("entrys", "entries");
        doubts.push(format!("{entries} with invalid parts: only the valid parts are counted"));
    }
    if noticed.deep_stacks > 0 {
        let stacks = counted(noticed.deep_stacks, "stack");
        doubts.push(format!(
            "{stacks} beyond the depth limit: deeper calls count for the last call that is kept"
        ));
    }
    if noticed.measures_left_out > 0 {
        let number = counted(noticed.measures_left_out, "measure");
        doubts.push(format!("{number} left out: a layer has no room for more"));
    }
    if noticed.lost_events > 0 {
        let lost = counted(noticed.lost_events, "event");
        doubts.push(format!("perf lost {lost} while it recorded; the samples do not include them"));
    }
    if noticed.idle_ns > 0 {
        doubts.push(format!("{} ns of idle time left out", thousands(noticed.idle_ns as u64)));
    }
    if noticed.rounded_values > 0 {
        let values = counted(noticed.rounded_values, "value");
        doubts.push(format!("{values} rounded to six decimals"));
    }
    if noticed.labelled_samples > 0 {
        let samples = counted(noticed.labelled_samples, "sample");
        doubts.push(format!("labels of {samples} left out; the samples are counted"));
    }
    if noticed.programs > 1 {
        doubts.push(format!(
            "the profile has {}; the counts include all of them",
            counted(noticed.programs, "program")
        ));
    }
    if noticed.has_negative {
        doubts.push("some values are negative, as in a difference of profiles".to_owned());
    }
    if noticed.is_saturated {
        doubts.push(SATURATED.to_owned());
    }
    doubts
}

fn share(part: i64, whole: i64) -> f64 {
    part as f64 / whole.max(1) as f64
}

fn write(report: &HeapReport, graph: &Path, seconds: f64, format: Format) -> io::Result<()> {
    match format {
        Format::Json | Format::Jsonl => {
            write_document(&format!("{:#}", document(report, graph, seconds)), format)
        }
        Format::Csv => write_modules(report, Format::Csv),
        Format::Table => {
            let sentence = sentence(report, graph, seconds);
            Summary { sentence, fields: Vec::new() }.write(Format::Table)?;
            write_modules(report, Format::Table)
        }
    }
}

fn sentence(report: &HeapReport, graph: &Path, seconds: f64) -> String {
    let (placed, totals) = (report.coverage.placed(), &report.totals.counts);
    let number = |number: i64| thousands(number.max(0) as u64);
    let first = Slot::default();
    let parts = foremost(&report.measures).into_iter().map(|(slot, measure)| {
        let share = percent(placed[slot], totals[slot]);
        format!("{} of {} {} ({share})", number(placed[slot]), number(totals[slot]), measure.noun())
    });
    let noun = report.measures.get(first).map_or("", Measure::noun);
    let noun = noun.chars().next().map(|it| it.to_uppercase().collect::<String>() + &noun[it.len_utf8()..]);
    let classes = report.coverage.by_class.iter().filter(|(_, counts)| counts[first] != 0);
    let classes = classes.map(|(class, counts)| format!("{} {}", number(counts[first]), class.name()));
    let estimated =
        report.sampling.as_ref().map_or_else(String::new, |it| format!(" The profile is {}.", estimated(it)));
    let events =
        report.events.map_or_else(String::new, |count| format!(" {} kept.", counted(count, "event")));
    format!(
        "{}: layer {}: {} belong to METHODs, {seconds:.2} s. {} by match with a METHOD: {}; {} more in \
         code that METHODs call.{estimated}{events}\n",
        graph.display(),
        report.layer,
        parts.collect::<Vec<_>>().join(" and "),
        noun.unwrap_or_default(),
        classes.collect::<Vec<_>>().join(", "),
        number(report.coverage.below_methods[first]),
    )
}

/// The measures in a table of modules.
fn shown(report: &HeapReport) -> Vec<(Slot, &Measure)> {
    let of_heaptrack = [heaptrack::CALLS, heaptrack::PEAK_BYTES, heaptrack::LEAKED_BYTES];
    match report.measures == heaptrack::measures() {
        true => {
            of_heaptrack.into_iter().filter_map(|slot| Some((slot, report.measures.get(slot)?))).collect()
        }
        false => report.measures.iter().take(SHOWN).collect(),
    }
}

fn write_modules(report: &HeapReport, format: Format) -> io::Result<()> {
    let (mut titles, module) = (Vec::new(), Column::text("module"));
    for (number, (_, measure)) in shown(report).into_iter().enumerate() {
        let placed = if number == 0 { "placed".to_owned() } else { format!("placed_{}", measure.name()) };
        titles.extend([Column::number(measure.name()), Column::number(placed)]);
    }
    // In a table, the module comes last, since a path may be wider than the terminal.
    let place = if format == Format::Table { titles.len() } else { 0 };
    titles.insert(place, module);
    let mut rows = begin_rows(format, titles)?;
    for module in &report.coverage.modules {
        let numbers =
            shown(report).into_iter().flat_map(|(slot, _)| [module.counts[slot], module.placed[slot]]);
        let mut cells: Vec<Json> = numbers.map(Json::from).collect();
        cells.insert(place, module.path.clone().into());
        rows.push(cells)?;
    }
    rows.finish()
}

fn document(report: &HeapReport, graph: &Path, seconds: f64) -> Json {
    let noticed = &report.noticed;
    let measures = report.measures.iter();
    json!({
        "file": graph.to_string_lossy(),
        "layer": report.layer,
        "measures": measures.map(|(_, it)| json!({ "name": it.name(), "unit": it.unit() })).collect::<Vec<_>>(),
        "is_sampled": report.sampling.is_some(),
        "totals": totals_json(&report.totals, &report.measures),
        "coverage": coverage_json(&report.coverage, &report.measures),
        "places": report.places,
        "steps": report.steps,
        "methods": report.methods,
        "calls": report.calls,
        "events": report.events,
        "is_cut_off": noticed.is_cut_off,
        "bad_lines": noticed.bad_lines,
        "bad_samples": noticed.bad_samples,
        "deep_stacks": noticed.deep_stacks,
        "measures_left_out": noticed.measures_left_out,
        "lost_events": noticed.lost_events,
        "idle_ns": noticed.idle_ns,
        "rounded_values": noticed.rounded_values,
        "labelled_samples": noticed.labelled_samples,
        "has_negative": noticed.has_negative,
        "is_saturated": noticed.is_saturated,
        "file_bytes": report.file_len,
        "seconds": seconds,
    })
}
