//! `cargo xtask bench-java [GRAPH] [JMH OPTIONS]`: the Java binding beside flatgraph, RocksDB and LMDB, in one run of JMH.
//!
//! The harness makes the files: the graph in the direct profile, and for each size of value a file of keys and values.
//! What follows the graph goes to JMH as it is, such as `-f 3` or the name of a benchmark.

use std::path::Path;
use std::process::Command;

use crate::java::{build_benchmarks, natives_folder};
use crate::jdk::Jdk;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome};

const GRAPH: &str = "examples/data/zlib.cpg.bin";
const CLASSES: &str = "bindings/java/benchmarks/target";
/// Sizes of values, which the benchmarks name as parameters.
const SIZES: [u32; 4] = [16, 1 << 10, 4 << 10, 64 << 10];
/// Keys of each file, or as many as these bytes of values allow.
const KEYS: u32 = 100_000;
const VALUE_BYTES: u32 = 256 << 20;
/// What JMH is told before anybody else tells it something.
const JMH: [&str; 11] = ["-f", "1", "-wi", "3", "-w", "2s", "-i", "5", "-r", "2s", "-prof=gc"];

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (graph, options) = match words.split_first() {
        Some((graph, options)) if graph.ends_with(".bin") => (Path::new(graph).to_owned(), options),
        _ => (root.join(GRAPH), words),
    };
    let jdk = build_benchmarks(root)?;
    let folder = target_dir(root).join("bench-java");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure(format!("cannot create {}: {error}", folder.display())))?;
    let imported = folder.join("graph.varvite");
    process::run(harness().arg("import").arg(&graph).arg(&imported).arg("direct"), "see rustup.rs")?;
    for size in SIZES {
        let count = KEYS.min(VALUE_BYTES / size);
        let file = folder.join(format!("keyed-{size}.varvite"));
        write_keyed(&file, count, size, "direct")?;
    }
    let mut jmh = jmh(root, &jdk, &folder);
    for (name, value) in [("graph", &imported), ("cpg", &graph)] {
        jmh.arg(format!("-Dvarvite.bench.{name}={}", value.display()));
    }
    let result = folder.join("results.json");
    jmh.arg("org.openjdk.jmh.Main").args(["-rf", "json", "-rff"]).arg(result);
    process::run(jmh.args(JMH).args(options), "see cargo xtask jdk")
}

/// A virtual machine with every benchmark and peer, that finds files in `folder`; it waits for its main class.
pub(crate) fn jmh(root: &Path, jdk: &Jdk, folder: &Path) -> Command {
    let mut jmh = Command::new(jdk.program("java"));
    jmh.args(["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]);
    // LMDB's buffers are made by way of fields that Java keeps to itself.
    jmh.args(["--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"]);
    jmh.arg(format!("-Dvarvite.library={}", natives_folder(root).display()));
    jmh.arg(format!("-Dvarvite.bench.folder={}", folder.display()));
    let classes = root.join(CLASSES);
    jmh.arg("-cp").arg(format!("{0}/classes:{0}/lib/*", classes.display()));
    jmh
}

/// Writes a file of `count` keys, with values of so many bytes.
pub(crate) fn write_keyed(file: &Path, count: u32, size: u32, profile: &str) -> Outcome {
    let numbers = [count, size].map(|number| number.to_string());
    process::run(harness().arg("keyed").arg(file).args(numbers).arg(profile), "see rustup.rs")
}

/// The benchmark of the Rust side, which also makes files.
fn harness() -> Command {
    let mut harness = process::cargo();
    harness.args(["run", "--quiet", "--release", "--package", "varvite-bench", "--"]);
    harness
}
