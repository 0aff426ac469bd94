//! `cargo xtask bench-java [GRAPH] [--short] [--readme] [JMH OPTIONS]`: compares the Java binding with
//! flatgraph, RocksDB and LMDB, using JMH.
//!
//! The harness makes the input files: the graph with the profile `direct`, and for each size of values a file
//! of keys and values. It also measures the same loops in Rust, and makes the page, which goes to
//! `bench/results` and, with `--readme`, into the README of the binding. Other arguments after the graph,
//! such as `-f 3` or the name of a benchmark, are passed to JMH unchanged; then no page is made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::java::{build_benchmarks, natives_folder};
use crate::jdk::Jdk;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome};

const GRAPH: &str = "examples/data/zlib.cpg.bin";
const CLASSES: &str = "bindings/java/benchmarks/target";
/// The sizes of values, in bytes, for which the Java benchmarks run.
const SIZES: [u32; 4] = [16, 1 << 10, 4 << 10, 64 << 10];
/// The number of keys in each file; fewer if the values would take more than `VALUE_BYTES`.
const KEYS: u32 = 100_000;
const VALUE_BYTES: u32 = 256 << 20;
/// The bytes of heap for each byte of the graph file that flatgraph loads; below, the smallest heap.
const HEAP_PER_BYTE: u64 = 27;
const HEAP_MIN: u64 = 1 << 30;

/// JMH options for measuring how long it takes to open a graph: single shots, because flatgraph takes seconds
/// to load.
const OPENING: [&str; 8] = ["Opening", "-f", "1", "-wi", "1", "-i", "3", "-foe=true"];
/// The number of turns. Loops in Java and in Rust take turns, and so do reads of values in Varvite and in
/// other stores, because the speed of a machine changes within minutes.
const TURNS: usize = 3;
const LOOPS: [&str; 12] =
    ["CodeLoops", "-f", "1", "-wi", "3", "-w", "1s", "-i", "3", "-r", "1s", "-foe=true"];
const VALUES: [&str; 2] = ["get\\..*Get", "-foe=true"];
/// JMH options for flatgraph, whose garbage collector needs some seconds to warm up with the graph.
const FLATGRAPH: [&str; 12] =
    ["FlatgraphLoops", "-f", "1", "-wi", "8", "-w", "1s", "-i", "5", "-r", "1s", "-foe=true"];
const FULL: [[&str; 2]; 5] = [["-f", "1"], ["-wi", "3"], ["-w", "2s"], ["-i", "5"], ["-r", "2s"]];
const SHORT: [[&str; 2]; 5] = [["-f", "1"], ["-wi", "3"], ["-w", "500ms"], ["-i", "3"], ["-r", "500ms"]];
/// The JMH option that adds the measurement of allocated bytes.
const PROFILER: &str = "-prof=gc";

/// The options of the command.
struct Asked {
    graph: PathBuf,
    name: String,
    is_short: bool,
    is_for_readme: bool,
    jmh: Vec<String>,
}

impl Asked {
    fn of(root: &Path, words: &[String]) -> Self {
        let (graph, options) = match words.split_first() {
            Some((graph, options)) if graph.ends_with(".bin") => (Path::new(graph).to_owned(), options),
            _ => (root.join(GRAPH), words),
        };
        let has = |name: &str| options.iter().any(|option| option == name);
        let file = graph.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let jmh = options.iter().filter(|option| !["--short", "--readme"].contains(&option.as_str()));
        Self {
            name: file.trim_end_matches(".bin").trim_end_matches(".cpg").to_owned(),
            is_short: has("--short"),
            is_for_readme: has("--readme"),
            jmh: jmh.cloned().collect(),
            graph,
        }
    }

    /// The command line that repeats this measurement.
    fn command(&self) -> String {
        let short = if self.is_short { " --short" } else { "" };
        format!("cargo xtask bench-java {}.cpg.bin{short}", self.name)
    }

    /// The default settings of JMH, without those that the caller sets, because JMH accepts each option only
    /// once.
    fn settings(&self) -> Vec<&'static str> {
        let settings = if self.is_short { SHORT } else { FULL };
        let is_ours = |setting: &[&str; 2]| self.jmh.iter().all(|word| word != setting[0]);
        settings.into_iter().filter(is_ours).flatten().chain([PROFILER]).collect()
    }
}

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let asked = Asked::of(root, words);
    let jdk = build_benchmarks(root)?;
    let folder = target_dir(root).join("bench-java");
    fs::create_dir_all(&folder).map_err(|error| failed("create", &folder, &error))?;
    let imported = folder.join(format!("{}.direct.varvite", asked.name));
    process::run(harness().arg("import").arg(&asked.graph).arg(&imported).arg("direct"), "see rustup.rs")?;
    for size in SIZES {
        let file = folder.join(format!("keyed-{size}.varvite"));
        write_keyed(&file, KEYS.min(VALUE_BYTES / size), size, "direct")?;
    }
    let heap = fs::metadata(&asked.graph).map_err(|error| failed("read", &asked.graph, &error))?.len();
    let heap = heap.saturating_mul(HEAP_PER_BYTE).max(HEAP_MIN);
    let start = || {
        let mut jmh = jmh(root, &jdk, &folder);
        jmh.arg(format!("-Xmx{}m", heap >> 20));
        jmh.arg(format!("-Dvarvite.bench.graph={}", imported.display()));
        jmh.arg(format!("-Dvarvite.bench.cpg={}", asked.graph.display()));
        jmh.arg("org.openjdk.jmh.Main");
        jmh
    };
    if !asked.jmh.is_empty() {
        return process::run(start().args(asked.settings()).args(&asked.jmh), "see cargo xtask jdk");
    }
    let file = folder.join("results.json");
    let measure = |words: &[&str]| {
        process::run(start().args(words).args(["-rf", "json", "-rff"]).arg(&file), "see cargo xtask jdk")?;
        let text = fs::read_to_string(&file).map_err(|error| failed("read", &file, &error))?;
        values_of(&text)
    };
    let mut jmh = measure(&OPENING)?;
    jmh.extend(measure(&[&FLATGRAPH[..], &[PROFILER]].concat())?);
    let mut rust = Vec::new();
    for _ in 0..TURNS {
        jmh.extend(measure(&[&LOOPS[..], &[PROFILER]].concat())?);
        let answers = process::output(harness().arg("loops").arg(&imported), "see rustup.rs")?;
        rust.extend(values_of(&answers)?);
        jmh.extend(measure(&[&VALUES[..], &asked.settings()].concat())?);
    }
    let measured = json!({
        "bench": "java",
        "name": format!("java-{}", asked.name),
        "command": asked.command(),
        "graph": {"file": format!("{}.cpg.bin", asked.name)},
        "jmh": jmh,
        "rust": rust,
    });
    fs::write(&file, measured.to_string()).map_err(|error| failed("write", &file, &error))?;
    let mut keep = harness();
    keep.arg("keep").arg(file).arg("--graph").arg(imported).arg("--root").arg(root);
    process::run(keep.args(asked.is_for_readme.then_some("--readme")), "see rustup.rs")
}

/// Parses a JSON array of results that JMH or the harness wrote.
fn values_of(text: &str) -> Outcome<Vec<Value>> {
    serde_json::from_str(text).map_err(|error| Failure(format!("results that are not JSON: {error}")))
}

/// The command for a JVM with all benchmarks and peers on its class path, which finds its files in `folder`.
/// The caller adds the main class.
pub(crate) fn jmh(root: &Path, jdk: &Jdk, folder: &Path) -> Command {
    let mut jmh = Command::new(jdk.program("java"));
    jmh.args(["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]);
    // LMDB's Java library makes buffers through internal fields of the JDK.
    jmh.args(["--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"]);
    jmh.arg(format!("-Dvarvite.library={}", natives_folder(root).display()));
    jmh.arg(format!("-Dvarvite.bench.folder={}", folder.display()));
    let classes = root.join(CLASSES);
    jmh.arg("-cp").arg(format!("{0}/classes:{0}/lib/*", classes.display()));
    jmh
}

/// Writes a file of `count` keys and values, with values of `size` bytes.
pub(crate) fn write_keyed(file: &Path, count: u32, size: u32, profile: &str) -> Outcome {
    let numbers = [count, size].map(|number| number.to_string());
    process::run(harness().arg("keyed").arg(file).args(numbers).arg(profile), "see rustup.rs")
}

/// The command that runs the benchmark program in Rust, which also makes input files and pages.
pub(crate) fn harness() -> Command {
    let mut harness = process::cargo();
    harness.args(["run", "--quiet", "--release", "--package", "varvite-bench", "--"]);
    harness
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Asked {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        Asked::of(Path::new("root"), &words)
    }

    #[test]
    fn the_graph_comes_first_and_the_rest_is_ours_or_jmhs() {
        let net = asked(&["a/net.cpg.bin", "--short", "--readme"]);
        assert_eq!((net.name.as_str(), net.is_short, net.is_for_readme), ("net", true, true));
        assert!(net.jmh.is_empty());
        assert_eq!(net.command(), "cargo xtask bench-java net.cpg.bin --short");
        let zlib = asked(&["VarviteGet", "-f", "3"]);
        assert_eq!((zlib.name.as_str(), zlib.is_short), ("zlib", false));
        assert_eq!(zlib.jmh, ["VarviteGet", "-f", "3"]);
        assert_eq!(zlib.settings(), ["-wi", "3", "-w", "2s", "-i", "5", "-r", "2s", "-prof=gc"]);
        assert_eq!(net.settings()[..2], ["-f", "1"]);
    }
}
