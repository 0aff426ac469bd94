//! The measured runs as rows of results, for the harness, which makes the page.

use serde_json::{Value as Json, json};

use super::measure::{Measured, Run};

/// A measure of a run: the beginning of the row's name, the unit, and the number of a run.
type Measure = (&'static str, &'static str, fn(&Run) -> Option<f64>);

const MEASURES: [Measure; 5] = [
    ("time", "ns", |run| Some(run.seconds * 1e9)),
    ("processor", "ns", |run| Some(run.processor_seconds * 1e9)),
    ("records", "count", |run| Some(run.recorded?.records as f64)),
    ("file", "bytes", |run| Some(run.recorded?.file_bytes as f64)),
    ("memory", "bytes", |run| Some(run.recorded?.memory_bytes as f64)),
];

/// The rows of a program: one for each measure, with a side for each way to run the program.
pub(super) fn rows(program: &str, measured: &[Measured]) -> Vec<Json> {
    let row = |(name, unit, number): &Measure| {
        let sides = measured.iter().filter_map(|of| {
            let samples: Vec<f64> = of.runs.iter().filter_map(number).map(f64::round).collect();
            (!samples.is_empty()).then(|| (of.way.side().to_owned(), json!(samples)))
        });
        let sides: serde_json::Map<String, Json> = sides.collect();
        json!({"name": format!("{name}/{program}"), "title": program, "unit": unit, "sides": sides})
    };
    MEASURES.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::measure::{Recorded, Way};
    use super::*;

    #[test]
    fn a_row_has_the_samples_of_all_ways_that_have_the_measure() {
        let runs = |way, seconds: &[f64], recorded| {
            let run = |seconds: &f64| Run { seconds: *seconds, processor_seconds: 2.0 * seconds, recorded };
            Measured { way, runs: seconds.iter().map(run).collect() }
        };
        let recorded = Some(Recorded { records: 12_000_000, file_bytes: 6_000_000, memory_bytes: 7_000_000 });
        let measured = [runs(Way::Alone, &[0.2, 0.1], None), runs(Way::Recorded, &[4.0, 8.0], recorded)];
        let rows = rows("zlib", &measured);
        let expected = json!({
            "name": "time/zlib", "title": "zlib", "unit": "ns",
            "sides": {"alone": [2e8, 1e8], "recorded": [4e9, 8e9]},
        });
        assert_eq!(rows[0], expected);
        assert_eq!(rows[1]["sides"]["alone"], json!([4e8, 2e8]));
        assert_eq!(rows[2]["sides"], json!({"recorded": [12e6, 12e6]}));
        let names: Vec<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
        assert_eq!(names, ["time/zlib", "processor/zlib", "records/zlib", "file/zlib", "memory/zlib"]);
    }
}
