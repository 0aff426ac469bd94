//! `cargo xtask bench-joern [GRAPH] [--profile NAME] [--rounds N] [--short]`: Joern on flatgraph and on mapped files, in turns.
//!
//! The judge of `test-joern` is asked to measure: opening, heap, the twelve queries and data flow, each side in virtual machines of its own
//! that take turns. How little heap is enough is found by trying. `--short` leaves out what takes minutes. Results go to `bench/results`.

mod heap;
mod report;
mod script;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::java::{self, JoernPaths};
use crate::process;
use crate::{Failure, Outcome, cannot};

use report::Report;

const GRAPH: &str = "../shared/data/sqlite.cpg.bin";
/// Virtual machines of each side, of which the median counts.
const ROUNDS: usize = 5;
/// Both sides have it.
const COLLECTOR: &str = "-XX:+UseSerialGC";

/// What is measured, by name. Times are in milliseconds, memory in megabytes.
type Measures = BTreeMap<String, f64>;

/// Measures the graph that is named, or that of SQLite.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let options = Options::parse(root, words)?;
    let paths = java::joern_of(root, Profile::Release)?;
    let varvite = built::varvite(root, Profile::Release)?;
    let folder = process::target_dir(root).join("bench-joern");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let bench = Bench {
        root: root.to_owned(),
        mapped: folder.join("graph.varvite"),
        paths,
        varvite,
        folder,
        options,
    };
    bench.import(&bench.options.graph, &bench.mapped)?;
    let mut report = Report { theirs: bench.rounds()?, script: None };
    if !bench.options.is_short {
        bench.heaps(&mut report.theirs)?;
        report.script = Some(script::measure(&bench)?);
    }
    report.write(&bench)
}

/// What a person may say.
struct Options {
    graph: PathBuf,
    profile: String,
    rounds: usize,
    is_short: bool,
}

impl Options {
    fn parse(root: &Path, words: &[String]) -> Outcome<Self> {
        let graph = root.join(GRAPH);
        let mut options = Self { graph, profile: "direct".to_owned(), rounds: ROUNDS, is_short: false };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().ok_or_else(|| Failure(format!("bench-joern wants a value behind {word}")));
            match word.as_str() {
                "--profile" => options.profile = value()?.clone(),
                "--rounds" => options.rounds = number(value()?)?,
                "--short" => options.is_short = true,
                graph if !graph.starts_with('-') => options.graph = absolute(graph)?,
                other => {
                    return Err(Failure(format!(
                        "bench-joern knows a graph, --profile NAME, --rounds N and --short, not '{other}'"
                    )));
                }
            }
        }
        Ok(options)
    }
}

fn number(word: &str) -> Outcome<usize> {
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| Failure(format!("'{word}' is no number of rounds")))
}

fn absolute(graph: &str) -> Outcome<PathBuf> {
    std::path::absolute(graph).map_err(|error| Failure(format!("{graph}: {error}")))
}

/// What it takes to measure.
struct Bench {
    root: PathBuf,
    paths: JoernPaths,
    varvite: PathBuf,
    folder: PathBuf,
    mapped: PathBuf,
    options: Options,
}

/// A name, and what flatgraph and we measure.
type Both = BTreeMap<String, [f64; 2]>;

impl Bench {
    fn import(&self, graph: &Path, file: &Path) -> Outcome {
        let mut import = Command::new(&self.varvite);
        import.arg("import").arg(graph).arg("-o").arg(file).args([
            "--force",
            "--profile",
            &self.options.profile,
        ]);
        process::output(&mut import, "").map(drop)
    }

    /// The judge of one side, told what to do with the graph that the side has.
    fn side(&self, ours: bool, what: &str, options: &str) -> Command {
        let mut java = self.paths.measured(ours);
        java.arg(what).arg(if ours { &self.mapped } else { &self.options.graph });
        java.env("JDK_JAVA_OPTIONS", format!("{COLLECTOR} {options}"));
        java
    }

    /// Medians of all rounds.
    fn rounds(&self) -> Outcome<Both> {
        let mut all: BTreeMap<String, [Vec<f64>; 2]> = BTreeMap::new();
        for round in 0..self.options.rounds {
            for what in ["measure", "measure-flows"] {
                for ours in [false, true] {
                    eprintln!("bench-joern: {what}, {}, round {}", side_name(ours), round + 1);
                    let said = process::output(&mut self.side(ours, what, ""), "see cargo xtask jdk")?;
                    for (name, value) in measures(&said) {
                        all.entry(name).or_default()[usize::from(ours)].push(value);
                    }
                }
            }
        }
        Ok(all.into_iter().map(|(name, sides)| (name, sides.map(median))).collect())
    }

    /// The smallest heaps that are enough.
    fn heaps(&self, both: &mut Both) -> Outcome {
        for (name, what) in
            [("smallest heap for the queries", "queries"), ("smallest heap for the overlays", "overlays")]
        {
            let mut sides = [0.0; 2];
            for ours in [false, true] {
                eprintln!("bench-joern: {name}, {}", side_name(ours));
                sides[usize::from(ours)] =
                    heap::smallest(|heap| self.side(ours, what, &format!("-Xmx{heap}m")))?;
            }
            both.insert(name.to_owned(), sides);
        }
        Ok(())
    }
}

fn side_name(ours: bool) -> &'static str {
    if ours { "mapped" } else { "flatgraph" }
}

/// The lines of a name and a number among what a program prints.
fn measures(said: &str) -> Measures {
    let line = |line: &str| {
        line.split_once('\t').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)))
    };
    said.lines().filter_map(line).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_without_a_number_are_no_measures() {
        let said = measures("open\t1.500\na warning\nname\tvalue\n");
        assert_eq!(said, Measures::from([("open".to_owned(), 1.5)]));
    }

    #[test]
    fn the_median_is_of_all_rounds() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }

    #[test]
    fn only_known_options_are_taken() {
        let accepts = |words: &[&str]| {
            Options::parse(Path::new("/"), &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
                .is_ok()
        };
        assert!(accepts(&[]) && accepts(&["a.cpg.bin", "--profile", "compact", "--rounds", "1", "--short"]));
        assert!(!accepts(&["--rounds"]) && !accepts(&["--rounds", "0"]) && !accepts(&["--long"]));
    }
}
