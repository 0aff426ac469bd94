//! `cargo xtask bench-joern [GRAPH] [--profile NAME] [--rounds N] [--asks N] [--only PART,..]`: measures
//! Joern on flatgraph and on mapped files, alternately.
//!
//! The measuring program is the judge, which `cargo xtask test-joern` uses too. It measures opening, heap,
//! the twelve queries and data flow, with separate JVMs for each side, which run alternately. The smallest
//! sufficient heap is found by trial and error. Results go to `bench/results`. With a graph of millions of
//! nodes, all parts together take hours, so users can select parts.

mod heap;
mod learned;
mod report;
mod script;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::java::{self, JoernPaths};
use crate::process;
use crate::{Failure, Outcome, cannot};

use learned::Learned;
use report::Samples;
use script::Scripts;

const GRAPH: &str = "../shared/data/sqlite.cpg.bin";
/// The number of JVMs for each side.
const ROUNDS: usize = 5;
/// The number of times that each JVM runs the queries.
const ASKS: usize = 5;
/// The JVM option for the garbage collector of both sides.
const COLLECTOR: &str = "-XX:+UseSerialGC";

/// Measures with the graph that the arguments name, or otherwise with the graph of SQLite.
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
    let mut samples = Samples::default();
    bench.rounds(&mut samples)?;
    let differing = bench.options.has(Part::Queries).then(|| bench.differing()).transpose()?;
    bench.heaps(&mut samples)?;
    if bench.options.has(Part::Script) {
        Scripts::of(&bench)?.measure(&mut samples)?;
    }
    if bench.options.has(Part::Aot) {
        let learned = learned::both(&bench)?;
        bench.rounds_of_learned(&learned, &mut samples)?;
        Scripts::of(&bench)?.measure_learned(&learned[0], &mut samples)?;
    }
    report::keep(&bench, &samples, differing)
}

/// A part of the benchmark, which can run alone.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Queries,
    Flows,
    Heap,
    Overlays,
    Script,
    Aot,
}

/// All parts, with their names on the command line.
const PARTS: [(&str, Part); 6] = [
    ("queries", Part::Queries),
    ("flows", Part::Flows),
    ("heap", Part::Heap),
    ("overlays", Part::Overlays),
    ("script", Part::Script),
    ("aot", Part::Aot),
];
/// The parts in which the sides run alternately, each with the command of the judge.
const IN_TURNS: [(&str, Part); 2] = [("measure", Part::Queries), ("measure-flows", Part::Flows)];
/// The measures that Java's cache of classes changes.
const LEARNED: [&str; 3] = ["open, new JVM", "first round", "best round"];
/// The measures of the smallest heap, each with the command of the judge and its part.
const HEAPS: [(&str, &str, Part); 2] = [
    ("smallest heap for the queries", "queries", Part::Heap),
    ("smallest heap for the overlays", "overlays", Part::Overlays),
];

/// The options of the command line.
struct Options {
    graph: PathBuf,
    profile: String,
    rounds: usize,
    asks: usize,
    /// The names of the selected parts, separated by commas; `None` if all parts are selected.
    only: Option<String>,
}

impl Options {
    fn parse(root: &Path, words: &[String]) -> Outcome<Self> {
        let (graph, profile) = (root.join(GRAPH), "direct".to_owned());
        let mut options = Self { graph, profile, rounds: ROUNDS, asks: ASKS, only: None };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().ok_or_else(|| Failure(format!("bench-joern wants a value behind {word}")));
            match word.as_str() {
                "--profile" => options.profile = value()?.clone(),
                "--rounds" => options.rounds = number(value()?)?,
                "--asks" => options.asks = number(value()?)?,
                "--only" => options.only = Some(parts(value()?)?),
                graph if !graph.starts_with('-') => options.graph = absolute(graph)?,
                other => {
                    return Err(Failure(format!(
                        "bench-joern knows a graph, --profile NAME, --rounds N, --asks N and --only PART, not '{other}'"
                    )));
                }
            }
        }
        Ok(options)
    }

    fn has(&self, part: Part) -> bool {
        let is_named = |names: &String| names.split(',').any(|name| PARTS.contains(&(name, part)));
        self.only.as_ref().is_none_or(is_named)
    }
}

/// Checks that every name, separated by commas, is the name of a part.
fn parts(names: &str) -> Outcome<String> {
    let known = PARTS.map(|(name, _)| name);
    match names.split(',').find(|name| !known.contains(name)) {
        Some(other) => Err(Failure(format!("'{other}' is no part: {}", known.join(", ")))),
        None => Ok(names.to_owned()),
    }
}

fn number(word: &str) -> Outcome<usize> {
    let number = word.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| Failure(format!("'{word}' is no number of rounds")))
}

fn absolute(graph: &str) -> Outcome<PathBuf> {
    std::path::absolute(graph).map_err(|error| Failure(format!("{graph}: {error}")))
}

/// The paths and options of a run of the benchmark.
struct Bench {
    root: PathBuf,
    paths: JoernPaths,
    varvite: PathBuf,
    folder: PathBuf,
    mapped: PathBuf,
    options: Options,
}

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

    /// The command that runs the judge for one side, with the judge's command `what` and the side's graph.
    fn side(&self, ours: bool, what: &str, options: &str) -> Command {
        let mut java = self.paths.measured(ours);
        java.arg(what).arg(if ours { &self.mapped } else { &self.options.graph });
        java.env("JDK_JAVA_OPTIONS", format!("{COLLECTOR} {options}"));
        java
    }

    /// Runs all rounds of the parts in [`IN_TURNS`].
    fn rounds(&self, samples: &mut Samples) -> Outcome {
        let asks = format!("-Dvarvite.rounds={}", self.options.asks);
        for round in 0..self.options.rounds {
            for (what, _) in IN_TURNS.iter().filter(|(_, part)| self.options.has(*part)) {
                for ours in [false, true] {
                    eprintln!("bench-joern: {what}, {}, round {}", side_name(ours), round + 1);
                    let said = process::output(&mut self.side(ours, what, &asks), "see cargo xtask jdk")?;
                    measures(&said).for_each(|(name, value)| samples.add(name, side_name(ours), value));
                }
            }
        }
        Ok(())
    }

    /// Runs all rounds again with Java's cache of classes.
    fn rounds_of_learned(&self, learned: &[Learned; 2], samples: &mut Samples) -> Outcome {
        let judge = self.folder.join("judge.jar");
        self.paths.jar(&judge, "joern/judge", &["varvite", "flatgraph"])?;
        let options = format!("{COLLECTOR} -Dvarvite.rounds={}", self.options.asks);
        for round in 0..self.options.rounds {
            for (side, graph) in [&self.options.graph, &self.mapped].into_iter().enumerate() {
                eprintln!(
                    "bench-joern: measure, {} with an AOT cache, round {}",
                    side_name(side > 0),
                    round + 1
                );
                let judge = std::slice::from_ref(&judge);
                let mut java = learned[side].command(self, judge, &options, "varvite.joern.judge.Main")?;
                let said = process::output(java.arg("measure").arg(graph), "see cargo xtask jdk")?;
                for (name, value) in measures(&said).filter(|(name, _)| LEARNED.contains(name)) {
                    samples.add(&format!("{name}, AOT cache"), side_name(side > 0), value);
                }
            }
        }
        Ok(())
    }

    /// The number of queries whose answers differ between the mapped file and flatgraph, and the number of
    /// all queries.
    fn differing(&self) -> Outcome<[usize; 2]> {
        let ask = |mut java: Command, graph: &Path| {
            process::output(java.arg("queries").arg(graph), "see cargo xtask jdk")
        };
        let theirs = ask(self.paths.flatgraph(), &self.options.graph)?;
        let ours = ask(self.paths.ours(), &self.mapped)?;
        Ok(other_lines(&theirs, &ours))
    }

    /// Measures the smallest sufficient heaps of both sides.
    fn heaps(&self, samples: &mut Samples) -> Outcome {
        for (name, what, _) in HEAPS.iter().filter(|(_, _, part)| self.options.has(*part)) {
            for ours in [false, true] {
                eprintln!("bench-joern: {name}, {}", side_name(ours));
                let heap = heap::smallest(|heap| self.side(ours, what, &format!("-Xmx{heap}m")))?;
                samples.add(name, side_name(ours), heap);
            }
        }
        Ok(())
    }
}

fn side_name(ours: bool) -> &'static str {
    if ours { "mapped" } else { "flatgraph" }
}

/// The names and numbers in a program's output, from lines that consist of a name, a tab and a number.
fn measures(said: &str) -> impl Iterator<Item = (&str, f64)> {
    said.lines().filter_map(|line| {
        let (name, value) = line.split_once('\t')?;
        Some((name, value.parse().ok()?))
    })
}

/// The number of differing lines, and the number of all lines.
fn other_lines(theirs: &str, ours: &str) -> [usize; 2] {
    let count = theirs.lines().count().max(ours.lines().count());
    let equal = theirs.lines().zip(ours.lines()).filter(|(theirs, ours)| theirs == ours).count();
    [count - equal, count]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &[&str]) -> Outcome<Options> {
        Options::parse(Path::new("/"), &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn lines_without_a_number_are_no_measures() {
        let said = measures("open\t1.500\na warning\nname\tvalue\n");
        assert_eq!(said.collect::<Vec<_>>(), [("open", 1.5)]);
    }

    #[test]
    fn answers_that_are_missing_differ() {
        assert_eq!(other_lines("a\nb\n", "a\nb\n"), [0, 2]);
        assert_eq!(other_lines("a\nb\n", "a\n"), [1, 2]);
        assert_eq!(other_lines("a\n", "b\nc\n"), [2, 2]);
    }

    #[test]
    fn only_known_options_are_taken() {
        let accepts = |words: &[&str]| options(words).is_ok();
        assert!(
            accepts(&[]) && accepts(&["a.cpg.bin", "--profile", "compact", "--rounds", "1", "--asks", "2"])
        );
        assert!(!accepts(&["--rounds"]) && !accepts(&["--rounds", "0"]) && !accepts(&["--long"]));
    }

    #[test]
    fn only_parts_that_are_named_are_measured() {
        assert!(options(&[]).unwrap().has(Part::Overlays));
        let some = options(&["--only", "queries,heap"]).unwrap();
        assert_eq!(PARTS.map(|(_, part)| some.has(part)), [true, false, true, false, false, false]);
        assert_eq!(
            options(&["--only", "heat"]).err().unwrap().0,
            "'heat' is no part: queries, flows, heap, overlays, script, aot"
        );
    }
}
