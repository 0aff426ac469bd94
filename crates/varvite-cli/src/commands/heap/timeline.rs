//! `varvite heap timeline`: shows a program's memory use over time.

use std::io::{BufWriter, Write};

use clap::Args;
use serde_json::Value as Json;
use varvite_profile::layer::HeapLayer;
use varvite_profile::{Moment, Timeline, heaptrack};

use super::asked::ProfileArgs;
use super::measured::{run_json, title_of, write_run};
use crate::arguments::OutputArgs;
use crate::commands::new_file::NewFileArgs;
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, thousands, write_document};

/// Arguments of `varvite heap timeline`.
#[derive(Debug, Args)]
pub(crate) struct TimelineArgs {
    #[command(flatten)]
    profile: ProfileArgs,
    /// Show at most N intervals [default: 40 in a table, else all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    intervals: Option<u32>,
    /// Start at this millisecond of the run. Needs a graph whose profile was imported with --events;
    /// intervals can then be as short as 1 ms
    #[arg(long, value_name = "MS")]
    from: Option<u64>,
    /// End at this millisecond of the run
    #[arg(long, value_name = "MS")]
    to: Option<u64>,
    #[command(flatten)]
    format: OutputArgs,
    #[command(flatten)]
    new_file: NewFileArgs,
}

/// Default number of rows in a table.
const ROWS: u32 = 40;
const COLUMNS: [&str; 5] = ["from_ms", "calls", "peak_bytes", "live_bytes", "resident_bytes"];

/// Shows the intervals, or writes a drawing of them.
pub(super) fn run(args: &TimelineArgs) -> Outcome {
    args.profile.ask(None, |graph, layer| match (args.from, args.to) {
        (None, None) => answer(args, layer, &layer.timeline),
        (from, to) => {
            let graph = graph.ok_or_else(|| args.profile.without_events())?;
            let last = layer.totals.runtime_ms.saturating_sub(1);
            let between = (from.unwrap_or(0), to.unwrap_or(last));
            let timeline = layer.timeline_between(graph, between, args.shown());
            let timeline = timeline.map_err(|error| Failure::layer_read(args.profile.file(), error))?;
            answer(args, layer, &timeline)
        }
    })
}

impl TimelineArgs {
    /// The maximum number of intervals to show.
    fn shown(&self) -> u32 {
        self.intervals.unwrap_or(if self.format.format == Format::Table { ROWS } else { u32::MAX })
    }
}

fn answer(args: &TimelineArgs, layer: &HeapLayer, timeline: &Timeline) -> Outcome {
    if timeline.moments.is_empty() {
        let file = args.profile.file().display();
        return Err(Failure::Usage(format!("{file}: the profile has no times, so there is no timeline")));
    }
    if let Some(output) = args.new_file.path() {
        let title = format!("{}: {} bytes at the peak", title_of(layer), peak(layer));
        return args.new_file.write(output, args.profile.file(), "", |out| {
            let mut out = BufWriter::new(out);
            timeline.write_svg(&title, &mut out)?;
            out.flush()
        });
    }
    let shown = timeline.in_intervals(args.shown() as usize);
    Ok(write(layer, &shown, args.format.format)?)
}

fn peak(layer: &HeapLayer) -> String {
    thousands(layer.totals.counts[heaptrack::PEAK_BYTES].max(0) as u64)
}

fn write(layer: &HeapLayer, shown: &Timeline, format: Format) -> std::io::Result<()> {
    let rows = shown.moments.iter().enumerate();
    let rows = rows.map(|(place, moment)| cells(shown.begins_at(place), moment));
    if format == Format::Json {
        let rows =
            rows.map(|cells| COLUMNS.iter().copied().zip(cells).map(|(name, cell)| (name.to_owned(), cell)));
        let rows: Vec<Json> = rows.map(|row| Json::Object(row.collect())).collect();
        let mut all = run_json(layer);
        all["interval_ms"] = shown.interval_ms.into();
        all["rows"] = rows.into();
        return write_document(&format!("{all:#}"), format);
    }
    write_run(layer, format)?;
    let mut table = begin_rows(format, COLUMNS.map(Column::number).to_vec())?;
    for cells in rows {
        table.push(cells.to_vec())?;
    }
    table.finish()
}

fn cells(from_ms: u64, moment: &Moment) -> [Json; 5] {
    let resident = (moment.resident_bytes > 0).then_some(moment.resident_bytes);
    [from_ms.into(), moment.calls.into(), moment.peak_bytes.into(), moment.live_bytes.into(), resident.into()]
}
