//! Runs the parts of the benchmark.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use varvite::Graph;

use super::queries::{self, Query};
use super::{agent, cold, crowd, warm};
use crate::Failure;
use crate::peers::jvm::Jvm;
use crate::peers::peer::{Peer, own_command};
use crate::record::machine;
use crate::record::results::{JOERN, Results, merge};
use crate::report::asks::OURS;

/// The measures to take, and the paths of the inputs.
#[derive(Clone, Debug)]
pub struct Options {
    /// The root of the repository.
    pub root: PathBuf,
    /// The command `varvite`.
    pub command: PathBuf,
    /// The graph, as Joern wrote it.
    pub cpg: PathBuf,
    /// The graph, imported.
    pub graph: PathBuf,
    /// The file of queries.
    pub queries: PathBuf,
    /// Joern; `None` if only Varvite is measured.
    pub joern: Option<Joern>,
    /// The sources of the graph, in which grep and ctags look; `None` if they are not there.
    pub sources: Option<PathBuf>,
    /// The number of turns of each side at each query.
    pub turns: u32,
    /// The seconds for which fifty processes ask.
    pub seconds: u32,
    /// The parts that are measured: `warm`, `cold`, `crowd`, `agent`.
    pub parts: Vec<String>,
    /// The command line of the run, for the results.
    pub line: String,
}

/// Joern, with a program that answers the queries.
#[derive(Clone, Debug)]
pub struct Joern {
    /// The JVM.
    pub jvm: Jvm,
    /// The program's classes and Joern's jars.
    pub class_path: String,
    /// Joern's version.
    pub version: String,
}

/// The names of all parts.
pub const PARTS: [&str; 4] = ["warm", "cold", "crowd", "agent"];
/// The least size for which Joern's heap is computed: small graphs need heap for results, too.
const FILE_BYTES_MIN: u64 = 80_000_000;

/// Further options of Joern's JVM: Joern recurses deeply, and has no logger to complain of.
const JVM: [&str; 3] = ["-Xss16m", "-Dslf4j.internal.verbosity=ERROR", "-cp"];

/// Runs the selected parts.
///
/// # Errors
/// A file cannot be read, or a process cannot be started or breaks off.
pub fn run(options: &Options) -> Result<Results, Failure> {
    let mut results = Results { circumstances: machine::circumstances(&options.root), rows: Vec::new() };
    merge(&mut results.circumstances, about(options)?);
    let queries = queries::read(&options.queries)?;
    let has = |part: &str| options.parts.iter().any(|known| known == part);
    if has("warm") {
        let joern = options.joern.as_ref();
        let joern = joern.ok_or_else(|| Failure("the part warm needs Joern".into()))?;
        let found = warm_part(options, joern, &queries, &mut results)?;
        merge(&mut results.circumstances, found);
    }
    if has("cold") {
        let failed = cold::measure(&queries, &options.command, &options.graph, &mut results)?;
        results.circumstances["failed"] = json!(failed);
    }
    if has("crowd") {
        let found = crowd::measure(&options.command, &options.graph, options.seconds, &mut results)?;
        results.circumstances["crowd"] = found;
    }
    if has("agent") {
        agent_part(options, &mut results)?;
    }
    results.circumstances["machine"]["load_after"] = machine::load().into();
    Ok(results)
}

fn about(options: &Options) -> Result<Value, Failure> {
    let graph = Graph::open(&options.graph)?;
    let name = options.cpg.file_name().unwrap_or_default().to_string_lossy();
    let stem = stem_of(&options.cpg);
    Ok(json!({
        "bench": "ask",
        "name": format!("ask-{stem}"),
        "command": options.line,
        "graph": {"file": name, "nodes": graph.node_count(), "edges": graph.edge_count()},
        "turns": options.turns,
    }))
}

/// The name of a graph: that of its file, up to the first dot.
fn stem_of(cpg: &Path) -> String {
    let name = cpg.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

fn warm_part(
    options: &Options,
    joern: &Joern,
    queries: &[Query],
    results: &mut Results,
) -> Result<Value, Failure> {
    let file_bytes = std::fs::metadata(&options.cpg)?.len().max(FILE_BYTES_MIN);
    let mut java = Command::new(&joern.jvm.java);
    java.args(joern.jvm.flags(file_bytes, machine::memory_bytes())).args(JVM);
    java.arg(&joern.class_path).arg("measure").arg(&options.cpg);
    let mut own = own_command()?;
    own.arg("serve").arg(&options.graph).arg(&options.queries);
    let mut peers = [(JOERN, Peer::start("joern", &mut java)?), (OURS, Peer::start("varvite", &mut own)?)];
    results.circumstances["versions"]["joern"] = joern.version.clone().into();
    results.circumstances["versions"]["java"] = joern.jvm.version.to_string().into();
    warm::measure(queries, &mut peers, options.turns, results)
}

fn agent_part(options: &Options, results: &mut Results) -> Result<(), Failure> {
    let stem = stem_of(&options.cpg);
    let questions = options.root.join(format!("bench/harness/questions/{stem}.jsonl"));
    if !questions.exists() {
        eprintln!("bench-ask: agent is left out: {} is not there", questions.display());
        results.circumstances["skipped"] = json!(["agent"]);
        return Ok(());
    }
    agent::measure(&questions, &options.command, &options.graph, options.sources.as_deref(), results)
}
