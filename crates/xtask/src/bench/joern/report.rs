//! The measurements of a run, which the harness writes to `bench/results`, together with a page.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::Bench;
use crate::bench::java::harness;
use crate::process;
use crate::{Outcome, cannot};

/// The samples of each measure, by the names of the measure and of the side. Times are in milliseconds,
/// memory in megabytes.
#[derive(Default)]
pub(super) struct Samples(BTreeMap<String, BTreeMap<&'static str, Vec<f64>>>);

impl Samples {
    pub(super) fn add(&mut self, name: &str, side: &'static str, value: f64) {
        self.0.entry(name.to_owned()).or_default().entry(side).or_default().push(value);
    }

    /// The rows in the form of results files, in nanoseconds and bytes.
    fn rows(&self) -> Vec<Value> {
        let row = |(name, sides): (&String, &BTreeMap<_, Vec<f64>>)| {
            let is_memory = name.contains("heap") || name.contains("resident");
            let unit = if is_memory { "bytes" } else { "ns" };
            let scaled = |values: &Vec<f64>| values.iter().map(|value| value * 1e6).collect::<Vec<_>>();
            let sides: BTreeMap<_, _> = sides.iter().map(|(side, values)| (side, scaled(values))).collect();
            let (name, title) = match name.split_once(": ") {
                Some((round, "data flow")) => (format!("data flow, {round}"), format!("data flow, {round}")),
                Some((_, query)) => (name.clone(), query.to_owned()),
                None => match name.strip_prefix("script_") {
                    Some(java) => (name.clone(), format!("`joern --script`, {java}")),
                    None => (name.clone(), name.clone()),
                },
            };
            json!({"name": name, "title": title, "unit": unit, "sides": sides})
        };
        self.0.iter().map(row).collect()
    }
}

/// Runs the harness to write the results file and the page, and to print the page. `differing` has the number
/// of answers that differ and the number of all answers; it is `None` if the run did not compare answers.
pub(super) fn keep(bench: &Bench, samples: &Samples, differing: Option<[usize; 2]>) -> Outcome {
    let options = &bench.options;
    let graph = options.graph.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = graph.split('.').next().unwrap_or_default();
    let only =
        options.only.as_ref().map_or_else(String::new, |parts| format!("-{}", parts.replace(',', "-")));
    let measured = json!({
        "bench": "joern",
        "name": format!("joern-{stem}-{}{only}", options.profile),
        "command": "cargo xtask bench-joern",
        "graph": {"file": graph},
        "profile": options.profile,
        "rounds": options.rounds,
        "versions": {"java": bench.paths.java_version()},
        "differing": differing.map(|[differing, _]| differing),
        "answers": differing.map(|[_, answers]| answers),
        "rows": samples.rows(),
    });
    let file = bench.folder.join("results.json");
    fs::write(&file, measured.to_string()).map_err(|error| cannot("write", &file, &error))?;
    process::run(harness().arg("keep").arg(file).arg("--root").arg(&bench.root), "see rustup.rs")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_become_rows_of_results() {
        let mut samples = Samples::default();
        for (name, value) in [
            ("best: callers", 2.5),
            ("best: data flow", 9.0),
            ("heap after opening", 3.0),
            ("script_cold", 1.0),
        ] {
            samples.add(name, "mapped", value);
        }
        let row = |name, title, unit, value: f64| json!({"name": name, "title": title, "unit": unit, "sides": {"mapped": [value]}});
        let expected = [
            row("best: callers", "callers", "ns", 2.5e6),
            row("data flow, best", "data flow, best", "ns", 9e6),
            row("heap after opening", "heap after opening", "bytes", 3e6),
            row("script_cold", "`joern --script`, cold", "ns", 1e6),
        ];
        assert_eq!(samples.rows(), expected);
    }
}
