//! Algorithms over whole graphs beside igraph and NetworKit, on one Kronecker graph; and the dominators of a
//! call graph.
//!
//! Each side has the graph in its own form in memory before the clock starts; the time to load it is reported
//! too. All sides start from the same nodes. The benchmark compares their answers: the number of reached
//! nodes, the sum of their distances, the greatest ranks.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use varvite::algorithms::{AlgorithmError, AlgorithmOptions, PageRank, Selection, Subgraph, UNREACHED};
use varvite::walk::Hop;
use varvite::{Graph, Task};

use crate::Failure;
use crate::record::figures::{Figures, Unit};
use crate::runs::cancelling::{Cancelled, LATENCY_MAX};
use crate::runs::kronecker::{EDGE, Kronecker};

const PEER: &str = "bench/peers/walks/algorithms_peer.py";
const SEED: u64 = 20;
/// The number of nodes from which distances are computed; the time for one node is a sample.
const SOURCES: usize = 8;
/// The number of greatest ranks that are compared. They may differ a little, because the sides end their
/// iterations by different rules.
const RANKS: usize = 20;
const RANK_PARTS: f64 = 1e4;
/// The target: Varvite's time as a multiple of the fastest other side's.
const RATIO_MAX: f64 = 1.3;
/// The target for the dominators of a call graph.
const DOMINATORS_MS_MAX: f64 = 1000.0;

/// The questions.
const QUESTIONS: [(&str, &str); 2] =
    [("distances", "distances from one node (BFS)"), ("page_rank", "PageRank, damping 0.85, until settled")];

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder for temporary files.
    pub scratch: PathBuf,
    /// The root of the repository.
    pub root: PathBuf,
    /// The Python program with the packages of `algorithms.txt`; `None` if only Varvite runs.
    pub python: Option<PathBuf>,
    /// The scale of the graph, which has `2^scale` nodes, those without edges included.
    pub scale: u32,
    /// The number of runs of each question.
    pub samples: u32,
    /// The path of the JSON file for all measured values; `None` to write no file.
    pub json: Option<PathBuf>,
}

/// The number of cancelled runs of each algorithm.
const CANCELLED: u32 = 4;

/// The answer of one side to one question.
struct Said {
    side: String,
    question: String,
    times: Figures,
    answer: Value,
}

/// Measures all sides, prints a table and a verdict on each question.
///
/// # Errors
/// A side that cannot answer, or whose answer differs.
pub fn run(options: &Options) -> Result<(), Failure> {
    std::fs::create_dir_all(&options.scratch)?;
    let (graph, edges) = (options.scratch.join("kronecker.varvite"), options.scratch.join("kronecker.edges"));
    let drawn = Kronecker::of(options.scale, SEED);
    drawn.write(&graph)?;
    drawn.write_edges(&edges)?;
    let sources = drawn.sources(SOURCES, SEED);
    let (nodes, count) = (drawn.nodes, drawn.edges.len());
    drop(drawn);
    println!(
        "Kronecker graph of scale {}: {nodes} nodes, {count} edges, each followed both ways",
        options.scale
    );
    let mut said = own(&graph, &sources, options.samples)?;
    if let Some(python) = &options.python {
        said.extend(peers(options, python, &edges, nodes, &sources)?);
    }
    for (question, title) in QUESTIONS {
        tell(title, &said.iter().filter(|said| said.question == question).collect::<Vec<_>>())?;
    }
    let cancelled = cancel_all(&graph)?;
    println!("from a flag that cancels to the error, of the opening of the graph and the algorithm");
    for cancelled in &cancelled {
        let verdict = if cancelled.is_soon() { "met" } else { "missed" };
        println!("  {} (at most {} ms: {verdict})", cancelled.text(), LATENCY_MAX.as_millis());
    }
    let Some(file) = &options.json else { return Ok(()) };
    let title =
        |question: &str| QUESTIONS.iter().find(|(name, _)| *name == question).map(|(_, title)| *title);
    let row = |said: &Said| json!({"side": said.side, "question": title(&said.question), "time": said.times.json()});
    let measured = json!({
        "scale": options.scale, "nodes": nodes, "edges": count,
        "rows": said.iter().map(row).collect::<Vec<_>>(),
        "cancelled": cancelled.iter().map(Cancelled::json).collect::<Vec<_>>(),
    });
    Ok(std::fs::write(file, measured.to_string())?)
}

/// A call of an algorithm that drops its result.
type Ask = fn(&Subgraph) -> Result<(), AlgorithmError>;

/// The algorithms that run on a Kronecker graph, which is no tree.
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

/// Cancels each algorithm while it runs, or while its lists are decoded.
fn cancel_all(graph: &Path) -> Result<Vec<Cancelled>, Failure> {
    let graph = Graph::open(graph)?;
    let ask_all = ALGORITHMS.iter().map(|(name, ask)| {
        Cancelled::measure(name, CANCELLED, |cancel| {
            let options = AlgorithmOptions::from(Task::new().cancel(cancel));
            let subgraph = Selection::along(Hop::both(EDGE)).open(&graph, &options);
            match subgraph.and_then(|subgraph| ask(&subgraph)) {
                Ok(()) => Ok(false),
                Err(AlgorithmError::Cancelled) => Ok(true),
                Err(error) => Err(error.into()),
            }
        })
    });
    ask_all.collect()
}

/// Measures Varvite.
fn own(graph: &Path, sources: &[u32], samples: u32) -> Result<Vec<Said>, Failure> {
    let graph = Graph::open(graph)?;
    let begin = Instant::now();
    let subgraph = Selection::along(Hop::both(EDGE)).open(&graph, &AlgorithmOptions::default())?;
    subgraph.decode()?;
    println!("Varvite: lists decoded in {:.0} ms", milliseconds(begin));
    let said = |question: &str, times, answer| Said {
        side: "Varvite".to_owned(),
        question: question.to_owned(),
        times,
        answer,
    };
    let (mut times, mut reached) = (Figures::default(), Vec::new());
    for sample in 0..samples {
        for source in sources {
            let begin = Instant::now();
            let distances = subgraph.distances(&[*source])?;
            times.samples.push(begin.elapsed().as_nanos() as f64);
            if sample == 0 {
                let found = distances.values().iter().filter(|distance| **distance != UNREACHED);
                reached.push(json!([found.clone().count(), found.map(|far| u64::from(*far)).sum::<u64>()]));
            }
        }
    }
    let distances = said("distances", times, json!(reached));
    let (mut times, mut ranks) = (Figures::default(), None);
    for _ in 0..samples {
        let begin = Instant::now();
        let found = subgraph.page_rank(&PageRank::default())?;
        times.samples.push(begin.elapsed().as_nanos() as f64);
        ranks = Some(found);
    }
    let ranks = ranks.ok_or_else(|| Failure("at least one sample is needed".to_owned()))?;
    println!("Varvite: {} iterations of PageRank, settled: {}", ranks.iterations, ranks.is_settled);
    let mut greatest: Vec<(u32, f64)> = ranks.ranks.iter().collect();
    greatest.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    greatest.truncate(RANKS);
    Ok(vec![distances, said("page_rank", times, json!(greatest))])
}

/// Measures igraph and NetworKit, one process after the other.
fn peers(
    options: &Options,
    python: &Path,
    edges: &Path,
    nodes: u32,
    sources: &[u32],
) -> Result<Vec<Said>, Failure> {
    let sources: Vec<String> = sources.iter().map(u32::to_string).collect();
    let mut said = Vec::new();
    for engine in ["igraph", "networkit"] {
        let output = Command::new(python)
            .arg(options.root.join(PEER))
            .arg(engine)
            .arg(edges)
            .args([nodes.to_string(), options.samples.to_string(), RANKS.to_string()])
            .args(&sources)
            .output()?;
        if !output.status.success() {
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Failure(format!("{engine} failed: {error}")));
        }
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let line: Value = serde_json::from_str(line)?;
            let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
            let Some(times) = line["ns"].as_array() else {
                println!("{}", text("note"));
                continue;
            };
            let samples = times.iter().filter_map(Value::as_f64).collect();
            let (side, question) = (text("engine"), text("question"));
            said.push(Said { side, question, times: Figures { samples }, answer: line["answer"].clone() });
        }
    }
    Ok(said)
}

/// Prints the times of all sides for a question, and whether Varvite reaches its target.
fn tell(title: &str, said: &[&Said]) -> Result<(), Failure> {
    println!("{title}");
    let [own, others @ ..] = said else { return Ok(()) };
    for side in said {
        println!("  {:28} {}", side.side, side.times.text(Unit::Time));
        if !is_same(&own.answer, &side.answer) {
            return Err(Failure(format!(
                "{} answers otherwise: {} and {}",
                side.side, own.answer, side.answer
            )));
        }
    }
    let fastest = others.iter().filter_map(|side| side.times.median()).min_by(f64::total_cmp);
    if let Some((own, fastest)) = own.times.median().zip(fastest) {
        let ratio = own / fastest;
        let verdict = if ratio <= RATIO_MAX { "met" } else { "missed" };
        println!("  {ratio:.2} times the fastest of the others (at most {RATIO_MAX}: {verdict})");
    }
    Ok(())
}

/// Whether two answers have the same counts, and nearly the same ranks.
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

/// Times the dominators of the calls between METHODs, from all METHODs without callers.
///
/// # Errors
/// A file that can't be read, or has no calls.
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
