//! Measures algorithms over a whole Kronecker graph in Varvite, igraph and NetworKit, and the dominators of a
//! call graph in Varvite.
//!
//! Each engine has the graph in memory, in its own form, before the clock starts; the time to load it is
//! reported too. All engines start from the same nodes. The benchmark compares their answers: the number of
//! reached nodes, the sum of the distances, and the greatest ranks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use varvite::algorithms::{AlgorithmError, AlgorithmOptions, PageRank, Selection, Subgraph, UNREACHED};
use varvite::walk::Hop;
use varvite::{Graph, Task};

use crate::Failure;
use crate::record::figures::{Figures, Unit};
use crate::record::results::Results;
use crate::report::targets;
use crate::report::walks::{ALGORITHM, CANCELLED, OWN, algorithms, cancelling};
use crate::runs::cancelling::latency;
use crate::runs::kronecker::{EDGE, Kronecker};

const PEER: &str = "bench/peers/walks/algorithms_peer.py";
const SEED: u64 = 20;
/// The number of nodes from which distances are computed; the time for one node is a sample.
const SOURCES: usize = 8;
/// The number of greatest PageRanks that are compared. The ranks may differ a little, because the engines
/// stop iterating by different rules.
const RANKS: usize = 20;
const RANK_PARTS: f64 = 1e4;
/// The target for the dominators of a call graph.
const DOMINATORS_MS_MAX: f64 = 1000.0;

/// The questions that all engines answer, with their titles.
const QUESTIONS: [(&str, &str); 2] =
    [("distances", "distances from one node (BFS)"), ("page_rank", "PageRank, damping 0.85, until settled")];

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder for temporary files.
    pub scratch: PathBuf,
    /// The root of the repository.
    pub root: PathBuf,
    /// The Python program that has the packages of `algorithms.txt`; `None` to measure Varvite alone.
    pub python: Option<PathBuf>,
    /// The scale of the graph: `2^scale` nodes are generated, and those without edges are then left out.
    pub scale: u32,
    /// The number of runs of each question.
    pub samples: u32,
    /// The path of the results file; `None` to write no file.
    pub json: Option<PathBuf>,
}

/// The number of cancelled runs of each algorithm.
const CANCELS: u32 = 4;

/// The results so far, and the first answer to each question.
struct Run {
    results: Results,
    answers: BTreeMap<String, Value>,
}

/// Measures all engines, and prints the tables and a verdict on each target.
///
/// # Errors
/// An engine cannot answer, or its answer differs.
pub fn run(options: &Options) -> Result<(), Failure> {
    std::fs::create_dir_all(&options.scratch)?;
    let (graph, edges) = (options.scratch.join("kronecker.varvite"), options.scratch.join("kronecker.edges"));
    let drawn = Kronecker::of(options.scale, SEED);
    drawn.write(&graph)?;
    drawn.write_edges(&edges)?;
    let sources = drawn.sources(SOURCES, SEED);
    let kronecker = json!({"scale": options.scale, "nodes": drawn.nodes, "edges": drawn.edges.len()});
    let nodes = drawn.nodes;
    drop(drawn);
    let circumstances = json!({"bench": "algorithms", "kronecker": kronecker});
    let mut run = Run { results: Results { circumstances, rows: Vec::new() }, answers: BTreeMap::new() };
    run.own(&graph, &sources, options.samples)?;
    if let Some(python) = &options.python {
        run.peers(options, python, &edges, nodes, &sources)?;
    }
    run.cancel_all(&graph)?;
    let tables = [algorithms(&run.results), cancelling(&run.results)];
    println!(
        "{}",
        tables.into_iter().flatten().chain(targets::verdicts(&run.results)).collect::<Vec<_>>().join("\n")
    );
    options.json.as_ref().map_or(Ok(()), |file| Ok(std::fs::write(file, run.results.text())?))
}

/// A function that runs an algorithm and drops the result.
type Ask = fn(&Subgraph) -> Result<(), AlgorithmError>;

/// All algorithms that can run on a Kronecker graph; those for trees cannot.
const ALGORITHMS: [(&str, Ask); 8] = [
    ("distances", |subgraph| subgraph.distances(&[0]).map(drop)),
    ("components", |subgraph| subgraph.components().map(drop)),
    ("strong components", |subgraph| subgraph.strong_components().map(drop)),
    ("PageRank", |subgraph| subgraph.page_rank(&PageRank::default()).map(drop)),
    ("communities", |subgraph| subgraph.communities(10).map(drop)),
    ("clustering", |subgraph| subgraph.clustering().map(drop)),
    ("least costs", |subgraph| subgraph.least_costs_by(&[0], |_, _| 1.0).map(drop)),
    ("dominators", |subgraph| subgraph.dominators(&[0]).map(drop)),
];

impl Run {
    /// Adds the times of one engine, `side`, for one question.
    fn add(
        &mut self,
        side: &str,
        question: &str,
        times: impl IntoIterator<Item = f64>,
        answer: Value,
    ) -> Result<(), Failure> {
        let title =
            QUESTIONS.iter().find(|(name, _)| *name == question).map_or(question, |(_, title)| *title);
        self.results.row_mut(&format!("{ALGORITHM}{question}"), title, Unit::Time).extend(side, times);
        let first = self.answers.entry(question.to_owned()).or_insert_with(|| answer.clone());
        match is_same(first, &answer) {
            true => Ok(()),
            false => Err(Failure(format!("{side} answers otherwise: {first} and {answer}"))),
        }
    }

    /// Measures Varvite.
    fn own(&mut self, graph: &Path, sources: &[u32], samples: u32) -> Result<(), Failure> {
        let graph = Graph::open(graph)?;
        let begin = Instant::now();
        let subgraph = Selection::along(Hop::both(EDGE)).open(&graph, &AlgorithmOptions::default())?;
        subgraph.decode()?;
        println!("Varvite: lists decoded in {:.0} ms", milliseconds(begin));
        let (mut times, mut reached) = (Vec::new(), Vec::new());
        for sample in 0..samples {
            for source in sources {
                let begin = Instant::now();
                let distances = subgraph.distances(&[*source])?;
                times.push(begin.elapsed().as_nanos() as f64);
                if sample == 0 {
                    let found = distances.values().iter().filter(|distance| **distance != UNREACHED);
                    reached
                        .push(json!([found.clone().count(), found.map(|far| u64::from(*far)).sum::<u64>()]));
                }
            }
        }
        self.add(OWN, "distances", times, json!(reached))?;
        let (mut times, mut ranks) = (Vec::new(), None);
        for _ in 0..samples {
            let begin = Instant::now();
            let found = subgraph.page_rank(&PageRank::default())?;
            times.push(begin.elapsed().as_nanos() as f64);
            ranks = Some(found);
        }
        let ranks = ranks.ok_or_else(|| Failure("at least one sample is needed".to_owned()))?;
        println!("Varvite: {} iterations of PageRank, settled: {}", ranks.iterations, ranks.is_settled);
        let mut greatest: Vec<(u32, f64)> = ranks.ranks.iter().collect();
        greatest.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        greatest.truncate(RANKS);
        self.add(OWN, "page_rank", times, json!(greatest))
    }

    /// Measures igraph and NetworKit, one process after the other.
    fn peers(
        &mut self,
        options: &Options,
        python: &Path,
        edges: &Path,
        nodes: u32,
        sources: &[u32],
    ) -> Result<(), Failure> {
        for engine in ["igraph", "networkit"] {
            let output = Command::new(python)
                .arg(options.root.join(PEER))
                .arg(engine)
                .arg(edges)
                .args([nodes.to_string(), options.samples.to_string(), RANKS.to_string()])
                .args(sources.iter().map(u32::to_string))
                .output()?;
            if !output.status.success() {
                let error = String::from_utf8_lossy(&output.stderr).into_owned();
                return Err(Failure(format!("{engine} failed: {error}")));
            }
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                let line: Value = serde_json::from_str(line)?;
                let text = |key: &str| line[key].as_str().unwrap_or_default();
                match line["ns"].as_array() {
                    None => println!("{}", text("note")),
                    Some(times) => {
                        let times = times.iter().filter_map(Value::as_f64);
                        self.add(text("engine"), text("question"), times, line["answer"].clone())?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Cancels each algorithm while it runs, or while its lists are decoded.
    fn cancel_all(&mut self, graph: &Path) -> Result<(), Failure> {
        let graph = Graph::open(graph)?;
        for (name, ask) in ALGORITHMS {
            let times = latency(name, CANCELS, |cancel| {
                let options = AlgorithmOptions::from(Task::new().cancel(cancel));
                let subgraph = Selection::along(Hop::both(EDGE)).open(&graph, &options);
                match subgraph.and_then(|subgraph| ask(&subgraph)) {
                    Ok(()) => Ok(false),
                    Err(AlgorithmError::Cancelled) => Ok(true),
                    Err(error) => Err(error.into()),
                }
            })?;
            self.results.row_mut(&format!("{CANCELLED}{name}"), name, Unit::Time).extend(OWN, times.samples);
        }
        Ok(())
    }
}

/// Whether two answers have equal counts and nearly equal ranks.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        _ => one.as_f64().zip(other.as_f64()).is_some_and(|(one, other)| {
            one == other || (one.fract() != 0.0 && (one - other).abs() <= one.abs() / RANK_PARTS)
        }),
    }
}

/// Measures the time to compute the dominator tree of the call graph of METHODs; its roots are the METHODs
/// without callers.
///
/// # Errors
/// The file cannot be read, or has no calls.
pub fn dominators(graph: &Path, samples: u32) -> Result<(), Failure> {
    let graph = Graph::open(graph)?;
    let calls = Selection::along(Hop::out("CONTAINS").to("CALL")).then(Hop::out("CALL")).nodes("METHOD");
    let (mut times, mut told) = (Figures::default(), String::new());
    for sample in 0..samples {
        let begin = Instant::now();
        let subgraph = calls.open(&graph, &AlgorithmOptions::default())?;
        subgraph.decode()?;
        let decoded = milliseconds(begin);
        let roots = subgraph.nodes_without_in_edges()?;
        let tree = subgraph.dominators(&roots)?;
        times.samples.push(begin.elapsed().as_nanos() as f64);
        println!("{decoded:.1} ms of {:.1} to decode the calls", milliseconds(begin));
        if sample + 1 == samples {
            told = describe(&subgraph, roots.len(), &tree)?;
        }
    }
    println!("{told}\ndominators: {}", times.text(Unit::Time));
    if let Some(median) = times.median() {
        let verdict = if median / 1e6 <= DOMINATORS_MS_MAX { "met" } else { "missed" };
        println!("at most {DOMINATORS_MS_MAX} ms: {verdict}");
    }
    Ok(())
}

fn describe(subgraph: &Subgraph, roots: usize, tree: &varvite::algorithms::Tree) -> Result<String, Failure> {
    let nodes = subgraph.node_count();
    let sizes = tree.sums(|_| 1)?;
    let largest = sizes.iter().filter(|(node, _)| tree.parent(*node).is_none()).map(|(_, size)| size).max();
    Ok(format!(
        "{nodes} METHODs, {roots} without callers, {} reached; the largest subtree of one has {}",
        tree.len(),
        largest.unwrap_or(0)
    ))
}

fn milliseconds(begin: Instant) -> f64 {
    begin.elapsed().as_secs_f64() * 1e3
}
