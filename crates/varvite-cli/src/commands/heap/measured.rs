//! Common parts of answers about a profile: its measures, its sums, and a note if its values are estimates.

use std::io;

use clap::Args;
use serde_json::{Value as Json, json};
use varvite_profile::layer::{HeapLayer, Moments};
use varvite_profile::{Counts, Measure, Measures, Slot, heaptrack};

use crate::commands::profile_json::totals_json;
use crate::commands::profile_words::estimated;
use crate::failure::Failure;
use crate::output::{Column, Format, counted, remark, sized, thousands, write_text};

/// The measure by which rows are sorted, the largest first.
#[derive(Debug, Default, Args)]
pub(super) struct SortArgs {
    /// Measure to sort by, largest first: for a heaptrack profile calls, temporary, leaked or peak; for a CPU
    /// profile samples or time_ns; or any other measure of the profile [default: its first measure]
    #[arg(long, value_name = "MEASURE")]
    sort: Option<String>,
}

/// Short names for measures.
const SHORT: [(&str, &str); 2] = [("leaked", "leaked_bytes"), ("peak", "peak_bytes")];

impl SortArgs {
    /// The full name of the requested measure; `None` if no measure was requested.
    pub(super) fn name(&self) -> Option<&str> {
        self.sort.as_deref().map(|word| SHORT.iter().find(|it| it.0 == word).map_or(word, |it| it.1))
    }

    /// The slot of the requested measure among `measures`, or the first slot.
    pub(super) fn of(&self, measures: &Measures) -> Result<Slot, Failure> {
        match self.name() {
            None => Ok(Slot::default()),
            Some(name) => slot_of(name, measures),
        }
    }
}

/// The slot of a measure. If there is no such measure, the error has the names of the existing ones.
pub(super) fn slot_of(name: &str, measures: &Measures) -> Result<Slot, Failure> {
    let missing = || {
        let known = measures.names().collect::<Vec<_>>().join(", ");
        Failure::Usage(format!("the profile has no measure {name}; it has {known}"))
    };
    measures.find(name).ok_or_else(missing)
}

/// A column for each measure, with `prefix` before its name.
pub(super) fn count_columns(prefix: &str, measures: &Measures) -> Vec<Column> {
    measures.names().map(|name| Column::number(format!("{prefix}{name}"))).collect()
}

/// The cells of the columns of [`count_columns`].
pub(super) fn count_cells(counts: &Counts, measures: &Measures) -> Vec<Json> {
    measures.iter().map(|(slot, _)| counts[slot].into()).collect()
}

/// The fields about the run that are part of every JSON answer.
pub(super) fn run_json(layer: &HeapLayer) -> Json {
    let mut run = whole_run_json(layer);
    if let Some(Moments { since_ms, ms }) = layer.moments {
        (run["at_ms"], run["since_ms"]) = (ms.into(), since_ms.into());
    }
    run
}

fn whole_run_json(layer: &HeapLayer) -> Json {
    let period = layer.sampling.as_ref().filter(|sampling| sampling.period > 0);
    json!({
        "command": layer.command, "layer": layer.names.layer, "is_sampled": layer.sampling.is_some(),
        "period": period.map(|it| json!({ "value": it.period, "unit": it.unit })),
        "totals": totals_json(&layer.totals, &layer.measures),
    })
}

/// Writes the sums of the run, if the format is a table. For CSV, writes a note to standard error if the
/// values are estimates.
pub(super) fn write_run(layer: &HeapLayer, format: Format) -> io::Result<()> {
    match (format, &layer.sampling) {
        (Format::Table, _) => write_totals(layer),
        (Format::Csv, Some(sampling)) => {
            remark(&format!("{}: {}", title_of(layer), estimated(sampling)));
            Ok(())
        }
        _ => Ok(()),
    }
}

fn write_totals(layer: &HeapLayer) -> io::Result<()> {
    let (totals, measures) = (&layer.totals, &layer.measures);
    let number = |slot: Slot| totals.counts[slot].max(0) as u64;
    let mut parts: Vec<String> = match *measures == heaptrack::measures() {
        true => vec![
            counted(number(heaptrack::CALLS), "call"),
            format!("{} temporary", thousands(number(heaptrack::TEMPORARY))),
            format!("{} at the peak", sized(number(heaptrack::PEAK_BYTES))),
            format!("{} leaked", sized(number(heaptrack::LEAKED_BYTES))),
        ],
        false => measures.iter().map(|(slot, measure)| amount(totals.counts[slot], measure)).collect(),
    };
    if let Some(Moments { since_ms, ms }) = layer.moments {
        let since = since_ms.map_or_else(String::new, |since| format!("growth since {since} ms, "));
        parts.push(format!("{since}at {ms} ms of {} ms", totals.runtime_ms));
    } else if totals.runtime_ms > 0 {
        parts.push(format!("{:.2} s", totals.runtime_ms as f64 / 1000.0));
    }
    let estimated = layer.sampling.as_ref().map_or_else(String::new, |it| format!("; {}", estimated(it)));
    write_text(&format!("{}: {}{estimated}", title_of(layer), parts.join(", ")))
}

/// The command line of the program. If it is not known, the name of the layer.
pub(super) fn title_of(layer: &HeapLayer) -> String {
    match layer.command.as_str() {
        "" => format!("layer {}", layer.names.layer),
        command => command.to_owned(),
    }
}

/// An amount of a measure in words.
fn amount(value: i64, measure: &Measure) -> String {
    let (sign, size) = (if value < 0 { "-" } else { "" }, value.unsigned_abs());
    let noun = measure.noun();
    match measure.unit() {
        // The size has a unit of bytes, so the noun `bytes` is left out.
        "bytes" => format!("{sign}{} {}", sized(size), noun.trim_start_matches("bytes").trim_start()),
        _ if measure.scale() > 1 => format!("{} {}", measure.decimal(value), measure.whole_name()),
        _ => format!("{sign}{} {noun}", thousands(size)),
    }
}
