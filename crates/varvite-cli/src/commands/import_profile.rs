//! `varvite import --into` of a profile: what the code allocated becomes a layer of a graph that there is.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value as Json, json};
use varvite::Task;
use varvite_profile::layer::{HeapOptions, HeapReport, MatchClass, import};
use varvite_profile::{Limits, Noticed, heaptrack, source_digest};
use varvite_store::Vfs;

use super::profile_json::{coverage_json, percent, totals_json};
use crate::failure::{Failure, Outcome, reported};
use crate::output::{Column, Format, Rows, Summary, counted, remark, thousands, write_document};
use crate::progress::Progress;

/// Of what was allocated, so much has to be joined to the graph, or the profile is likely to be of another program.
const LIKELY_SHARE: f64 = 0.01;

/// Whether a file is a profile, by its first bytes: none of them is what a trace or a graph begins with.
pub(super) fn is_profile(path: &Path) -> bool {
    let mut head = [0; 64];
    let read = File::open(path).and_then(|mut file| file.read(&mut head));
    read.is_ok_and(|read| heaptrack::may_be(&head[..read]))
}

/// Adds the layer, and says what came of it.
pub(super) fn run(
    name: &str,
    memory: Option<usize>,
    (graph, source): (&Path, &Path),
    disk: Arc<dyn Vfs>,
    format: Format,
) -> Outcome {
    let began = Instant::now();
    let failure = |error| Failure::Profile { file: source.to_owned(), source: error };
    let digest = source_digest(source).map_err(failure)?;
    let limits = memory.map_or_else(Limits::default, |memory_bytes| Limits { memory_bytes });
    let profile = heaptrack::open(source, &limits).map_err(failure)?;
    let options = HeapOptions { name: name.to_owned(), source: digest, limits };
    let report = {
        let bar = Progress::steps();
        let task = Task::new().progress(|progress| bar.show(progress));
        import(disk, graph, &profile, &options, &task)
    };
    let report = report.map_err(|error| Failure::ProfileLayer { file: source.to_owned(), source: error })?;
    note_oddities(&report, source);
    reported(graph, write(&report, graph, began.elapsed().as_secs_f64(), format))
}

/// Says what of the profile is not there, and where it is likely to be of another program.
fn note_oddities(report: &HeapReport, source: &Path) {
    note_damage(&report.noticed, source);
    // Lines alone say little: every program has a line 12 of main.c.
    let is_named = |class: MatchClass| matches!(class, MatchClass::Exact | MatchClass::Name);
    let by_name = report.coverage.by_class.iter().filter(|(class, _)| is_named(*class));
    // A program may leave all of its allocating to libraries that the graph lacks.
    let below = report.coverage.below_exact.calls;
    let known: i64 = by_name.map(|(_, counts)| counts.calls).fold(below, i64::saturating_add);
    if share(known, report.totals.calls) < LIKELY_SHARE {
        remark(&format!(
            "{}: almost nothing of it is in this graph; is it of the same program?",
            source.display()
        ));
    }
}

/// Says what of a profile could not be read.
pub(super) fn note_damage(noticed: &Noticed, source: &Path) {
    let path = source.display();
    if noticed.is_cut_off {
        remark(&format!(
            "{path}: the profile ends early, as when a program is killed; what it has is counted"
        ));
    }
    if noticed.bad_lines > 0 {
        let lines = counted(noticed.bad_lines, "line");
        remark(&format!(
            "{path}: {lines} make no sense and were left out, the first is line {}",
            noticed.first_bad_line
        ));
    }
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
    let (placed, totals) = (report.coverage.placed(), &report.totals);
    let number = |number: i64| thousands(number.max(0) as u64);
    let classes = report.coverage.by_class.iter().filter(|(_, counts)| counts.calls != 0);
    let classes = classes.map(|(class, counts)| format!("{} {}", number(counts.calls), class.name()));
    format!(
        "{}: layer {}: {} of {} calls ({}) and {} of {} bytes at the peak ({}) are of METHODs, \
         {seconds:.2} s. Calls by how their METHOD is known: {}; {} more on behalf of METHODs.\n",
        graph.display(),
        report.layer,
        number(placed.calls),
        number(totals.calls),
        percent(placed.calls, totals.calls),
        number(placed.peak_bytes),
        number(totals.peak_bytes),
        percent(placed.peak_bytes, totals.peak_bytes),
        classes.collect::<Vec<_>>().join(", "),
        number(report.coverage.below_methods.calls),
    )
}

fn write_modules(report: &HeapReport, format: Format) -> io::Result<()> {
    let titles = [
        Column::text("module"),
        Column::number("calls"),
        Column::number("placed"),
        Column::number("peak_bytes"),
        Column::number("placed_peak_bytes"),
        Column::number("leaked_bytes"),
        Column::number("placed_leaked_bytes"),
    ];
    let mut rows = Rows::begin(format, titles.into())?;
    for module in &report.coverage.modules {
        let (all, placed) = (&module.counts, &module.placed);
        rows.push(vec![
            module.path.clone().into(),
            all.calls.into(),
            placed.calls.into(),
            all.peak_bytes.into(),
            placed.peak_bytes.into(),
            all.leaked_bytes.into(),
            placed.leaked_bytes.into(),
        ])?;
    }
    rows.finish()
}

fn document(report: &HeapReport, graph: &Path, seconds: f64) -> Json {
    json!({
        "file": graph.to_string_lossy(),
        "layer": report.layer,
        "totals": totals_json(&report.totals),
        "coverage": coverage_json(&report.coverage),
        "places": report.places,
        "steps": report.steps,
        "methods": report.methods,
        "calls": report.calls,
        "is_cut_off": report.noticed.is_cut_off,
        "bad_lines": report.noticed.bad_lines,
        "file_bytes": report.file_len,
        "seconds": seconds,
    })
}
