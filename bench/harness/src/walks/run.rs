//! Runs the benchmark of walks: writes and imports the tables, runs all engines in turns, and checks their
//! answers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use varvite::walk::WalkError;

use super::sides::{Places, SIDES, Side};
use super::tree::{Census, Tables, Tree};
use super::varvite_side::VarviteSide;
use crate::Failure;
use crate::peers::jvm::Jvm;
use crate::peers::peer::Peer;
use crate::record::figures::Unit;
use crate::record::machine;
use crate::record::results::{Results, merge};
use crate::report::walks::{ALLOCATED, CANCELLED, LABELS, RUST};
use crate::runs::cancelling::latency;

/// The measurements to make, and their paths.
#[derive(Clone, Debug)]
pub struct Options {
    /// The root of the repository.
    pub root: PathBuf,
    /// The folder for temporary files.
    pub scratch: PathBuf,
    /// The command `varvite`.
    pub command: PathBuf,
    /// The path of the native library that Varvite in Java needs.
    pub library: Option<PathBuf>,
    /// The JVM.
    pub jvm: Jvm,
    /// The tree.
    pub tree: Tree,
    /// The number of rounds of each walk in each engine.
    pub rounds: u32,
    /// Whether the run also walks through a tree with one more level, with little memory for its state.
    pub is_long: bool,
    /// The results file of `varvite-bench algorithms`; `None` if that command did not run.
    pub algorithms: Option<PathBuf>,
    /// The command line of the run, for the results.
    pub line: String,
}

/// The number of times that each walk is cancelled.
const CANCELS: u32 = 10;

/// The number of turns over which a side's rounds are spread.
const TURNS: u32 = 5;
/// The memory limit, in bytes, for the state of each walk that is cancelled.
const ARENA: usize = 256 << 20;
/// The memory limit, in bytes, for the state of a walk through the tree with one more level.
const LITTLE: usize = 64 << 20;

/// A side whose process was started, with the names of its walks.
struct Player {
    side: Side,
    peer: Peer,
    version: String,
    walks: Vec<String>,
}

/// Runs the whole benchmark.
///
/// # Errors
/// An engine fails, or gives a wrong answer.
pub fn run(options: &Options) -> Result<Results, Failure> {
    let mut results = Results { circumstances: machine::circumstances(&options.root), rows: Vec::new() };
    let name = format!("tree-{}-{}", options.tree.levels, options.tree.fanout);
    let tables = options.tree.write(&options.scratch.join(&name))?;
    let graph = options.scratch.join(format!("{name}.varvite"));
    let import = import(options, &tables, &graph)?;
    let places = Places {
        jvm: options.jvm.clone(),
        peers: options.root.join("bench/peers/walks"),
        library: options.library.clone(),
        tables: tables.folder.clone(),
        graph,
        stores: options.scratch.join(format!("{name}-stores")),
    };
    let mut players = start(&places)?;
    for turn in 0..TURNS {
        let rounds = options.rounds / TURNS + u32::from(turn < options.rounds % TURNS);
        players.iter_mut().try_for_each(|player| player.measure(rounds, tables.census, &mut results))?;
    }
    cancel_all(&places.graph, &mut results)?;
    for player in players.iter_mut().filter(|player| player.side.is_stopped()) {
        player.stop_all(&mut results)?;
    }
    let versions: serde_json::Map<String, Value> =
        players.iter().map(|player| (player.side.title.to_owned(), player.version.clone().into())).collect();
    drop(players);
    if let Some(file) = &options.algorithms {
        let algorithms = Results::read(file)?;
        results.rows.extend(algorithms.rows);
        results.circumstances["kronecker"] = algorithms.circumstances["kronecker"].clone();
    }
    let limits = if options.is_long { walk_larger_tree(options)? } else { Value::Null };
    merge(&mut results.circumstances["versions"], Value::Object(versions));
    results.circumstances["versions"]["java"] = options.jvm.version.to_string().into();
    let own = json!({
        "bench": "walks",
        "name": "walks",
        "command": options.line,
        "levels": options.tree.levels,
        "fanout": options.tree.fanout,
        "nodes": tables.census.nodes,
        "results": tables.census.true_b,
        "rounds": options.rounds,
        "import": import,
        "limits": limits,
    });
    merge(&mut results.circumstances, own);
    Ok(results)
}

/// The title of a walk.
fn title_of(walk: &str) -> String {
    walk.replace('_', " ")
}

/// Cancels each of Varvite's walks while it runs, and adds the times until they end.
fn cancel_all(graph: &Path, results: &mut Results) -> Result<(), Failure> {
    let mut side = VarviteSide::open(graph, ARENA)?;
    for walk in side.walks() {
        let title = format!("walk {}", title_of(walk));
        let times = latency(&title, CANCELS, |cancel| side.is_cancelled(walk, cancel))?;
        let row = results.row_mut(&format!("{CANCELLED}{walk}"), &title, Unit::Time);
        row.extend(RUST, times.samples);
    }
    Ok(())
}

/// Imports the tables with the command `varvite`, and returns its report as JSON.
fn import(options: &Options, tables: &Tables, graph: &Path) -> Result<Value, Failure> {
    let mut command = Command::new(&options.command);
    command.args(["import", "--format", "neo4j-csv", "--profile", "direct", "--force", "--report", "json"]);
    command.arg("--nodes").arg(tables.nodes()).arg("--relationships").arg(tables.relationships());
    let output = command.arg("-o").arg(graph).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(Failure(format!("the import of {} failed", tables.folder.display())));
    }
    let mut said: Value = serde_json::from_slice(&output.stdout)?;
    let expected = (tables.census.nodes, tables.census.nodes - 1);
    let found = (said["nodes"].as_u64(), said["edges"].as_u64());
    if found != (Some(expected.0), Some(expected.1)) {
        return Err(Failure(format!("the import has nodes and edges {found:?}: expected {expected:?}")));
    }
    if let Some(fields) = said.as_object_mut() {
        fields.remove("file");
    }
    Ok(said)
}

/// Starts the processes of all sides that were built, and warms up their walks.
fn start(places: &Places) -> Result<Vec<Player>, Failure> {
    let mut players = Vec::new();
    for side in SIDES {
        if !side.is_there(places) {
            eprintln!("bench-walks: {} is left out: it was not built", side.title);
            continue;
        }
        eprintln!("bench-walks: {} begins", side.title);
        let mut peer = side.start(places)?;
        let about = peer.ask("about")?;
        let walks = about["walks"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let walks: Vec<String> = walks.map(str::to_owned).collect();
        for walk in &walks {
            peer.ask(&format!("warm {walk} {}", side.warm_up_seconds))?;
        }
        peer.pause()?;
        let version = about["version"].as_str().unwrap_or("unknown").to_owned();
        players.push(Player { side, peer, version, walks });
    }
    Ok(players)
}

impl Player {
    /// Runs `rounds` rounds of each walk, and checks its answer.
    fn measure(&mut self, rounds: u32, census: Census, results: &mut Results) -> Result<(), Failure> {
        if rounds == 0 {
            return Ok(());
        }
        for walk in &self.walks {
            // After another process ran, the caches are cold, unlike in a program that only walks. So two
            // rounds run first without being timed.
            self.peer.ask(&format!("warm {walk} 0"))?;
            let answer = self.peer.ask(&format!("run {walk} {rounds}"))?;
            self.check(walk, &answer, census)?;
            let (side, title) = (self.side.title, title_of(walk));
            results.row_mut(walk, &title, Unit::Time).extend(side, samples(&answer["samples"]));
            let row = results.row_mut(&format!("{ALLOCATED}{walk}"), &title, Unit::Size);
            row.extend(side, samples(&answer["allocated"]));
            if let Some(tests) = answer["label_tests"].as_f64().filter(|tests| *tests > 0.0) {
                results.row_mut(&format!("{LABELS}{walk}"), &title, Unit::Count).add(side, tests);
            }
        }
        self.peer.pause()
    }

    /// Checks that a walk had the right number of results and, if the side counts them, of expansions and
    /// reads.
    fn check(&self, walk: &str, answer: &Value, census: Census) -> Result<(), Failure> {
        let Census { nodes, b, true_b } = census;
        let count = |key: &str| answer[key].as_u64().unwrap_or(0);
        let wrong = |what: &str, expected: u64| {
            let found = count(what);
            let words = format!("{}, {walk}: {found} {what}: expected {expected}", self.side.title);
            if found == expected { Ok(()) } else { Err(Failure(words)) }
        };
        wrong("results", true_b)?;
        if self.side.is_varvite || count("expansions") > 0 {
            wrong("expansions", nodes)?;
            wrong("label_tests", (self.side.label_tests)(nodes, b))?;
            wrong("property_reads", b)?;
        }
        Ok(())
    }

    /// Stops each walk of this side while it runs, both by another thread and by a time limit.
    fn stop_all(&mut self, results: &mut Results) -> Result<(), Failure> {
        for walk in &self.walks {
            let answer = self.peer.ask(&format!("stop {walk} {CANCELS}"))?;
            for (key, how) in [("cancelled", ""), ("out_of_time", ", out of time")] {
                let side = format!("{}{how}", self.side.title);
                let times: Vec<f64> = samples(&answer[key]).collect();
                if times.is_empty() {
                    return Err(Failure(format!("{side}: {walk} always ended before it was {key}")));
                }
                let title = format!("walk {}", title_of(walk));
                results.row_mut(&format!("{CANCELLED}{walk}"), &title, Unit::Time).extend(&side, times);
            }
        }
        Ok(())
    }
}

/// The numbers in a JSON list.
fn samples(list: &Value) -> impl Iterator<Item = f64> + '_ {
    list.as_array().into_iter().flatten().filter_map(Value::as_f64)
}

/// Walks through a tree with one more level, with [`LITTLE`] bytes of memory. This must be enough for the
/// depth-first walk, and too little for the breadth-first walk.
fn walk_larger_tree(options: &Options) -> Result<Value, Failure> {
    let tree = Tree { levels: options.tree.levels + 1, ..options.tree };
    let name = format!("tree-{}-{}", tree.levels, tree.fanout);
    eprintln!("bench-walks: {name} is written and imported");
    let tables = tree.write(&options.scratch.join(&name))?;
    let graph = options.scratch.join(format!("{name}.varvite"));
    import(options, &tables, &graph)?;
    std::fs::remove_dir_all(&tables.folder)?;
    let mut side = VarviteSide::open(&graph, LITTLE)?;
    side.walk("depth_first")?;
    let began = Instant::now();
    let counts = side.walk("depth_first")?;
    let time = began.elapsed();
    let Census { nodes, b, true_b } = tables.census;
    if (counts.results, counts.expansions, counts.label_reads, counts.value_reads)
        != (true_b, nodes, nodes, b)
    {
        return Err(Failure(format!("the walk through {name} did something else: {counts:?}")));
    }
    let bytes = side.most_bytes();
    let error = match side.try_walk("breadth_first")? {
        Err(error @ WalkError::OverBudget { .. }) => error.to_string(),
        Err(error) => {
            return Err(Failure(format!("{name}, breadth-first: {error}: expected the limit of memory")));
        }
        Ok(_) => return Err(Failure(format!("{name}, breadth-first: {LITTLE} bytes should be too little"))),
    };
    std::fs::remove_file(&graph)?;
    Ok(json!({
        "nodes": nodes, "budget": LITTLE, "depth_first_ns": time.as_nanos() as u64, "depth_first_bytes": bytes,
        "breadth_first_error": error,
    }))
}
