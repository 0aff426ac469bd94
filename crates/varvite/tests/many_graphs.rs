//! Tests two hundred graphs in one process. Together they must hold no more memory than one limit allows, and
//! a single thread watches the limit.
//!
//! A separate process reads the graphs, so that the system's numbers (peak resident memory, threads and
//! descriptors) depend on the graphs alone. This process is the test program itself, so the program has no
//! test harness. Only Linux provides these numbers.
#![allow(clippy::unwrap_used)] // Everything here is a test.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use varvite::memory::{SharedBudget, Touched};
use varvite::{Graph, OpenOptions, Profile, Task};
use varvite_import::Import;

/// The memory limit of all graphs together, in bytes.
const LIMIT: u64 = 64_000_000;
/// The limit on the peak memory of the process, including the program and its stacks.
const PEAK_MAX: u64 = 70_000_000;
/// The maximum number of threads of the process: the main thread, a second reading thread, and the thread
/// that watches the limit.
const THREADS_MAX: u64 = 3;
const GRAPHS: usize = 200;
const PROFILES: [Profile; 3] = [Profile::Compact, Profile::Archive, Profile::Direct];
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/zlib.cpg.bin");
/// The argument that makes the program read graphs. The next two arguments are one of [`WAYS`] and the folder
/// of the graphs.
const READ: &str = "--read-graphs";

/// The ways to limit the memory that the graphs hold.
const WAYS: [&str; 2] = ["shared budget", "limit of the process"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_other =
        |word: &String| !word.starts_with('-') && !"many_graphs_keep_to_one_limit".contains(&**word);
    match &words[..] {
        [word, way, folder] if word == READ => read_graphs(way, Path::new(folder)),
        words if words.iter().any(|word| word == "--list") => {
            println!("many_graphs_keep_to_one_limit: test");
        }
        words if words.iter().any(is_other) => {}
        _ if cfg!(target_os = "linux") => many_graphs_keep_to_one_limit(),
        _ => varvite_model::skip("many_graphs_keep_to_one_limit", "only Linux says what a process has"),
    }
}

fn many_graphs_keep_to_one_limit() {
    let folder = tempfile::tempdir().unwrap();
    for (number, profile) in PROFILES.into_iter().enumerate() {
        let first = folder.path().join(format!("{number}.varvite"));
        Import::new(SOURCE).profile(profile).task(Task::new().threads(2)).write_to(&first).unwrap();
        for copy in (number..GRAPHS).step_by(PROFILES.len()).skip(1) {
            std::fs::copy(&first, folder.path().join(format!("{copy}.varvite"))).unwrap();
        }
    }
    for way in WAYS {
        let reading =
            Command::new(std::env::current_exe().unwrap()).args([READ, way]).arg(folder.path()).status();
        assert!(reading.unwrap().success(), "graphs that are opened by the way \"{way}\"");
    }
}

/// Opens all graphs of a folder, reads each column of each graph, and closes the graphs, in this process.
fn read_graphs(way: &str, folder: &Path) {
    let before = descriptors();
    let options = options(way);
    let paths = (0..GRAPHS).map(|number| folder.join(format!("{number}.varvite")));
    let graphs: Vec<Graph> = paths.map(|path| options.open(path).unwrap()).collect();
    let (opened, threads) = (descriptors() - before, AtomicU64::new(0));
    // Reads one part of every graph, then the next part of every graph, and so on.
    let parts = ["labels", "tree", "edges", "properties"];
    let reads: Vec<(&str, &Graph)> =
        parts.into_iter().flat_map(|part| graphs.iter().map(move |graph| (part, graph))).collect();
    let next = AtomicUsize::new(0);
    let read = || {
        while let Some((part, graph)) = reads.get(next.fetch_add(1, Ordering::Relaxed)) {
            assert!(Touched::default().read(graph, part).unwrap() > 0);
            threads.fetch_max(status("Threads:"), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(read);
        read();
    });
    graphs.iter().for_each(|graph| graph.check().unwrap());
    let held: u64 = graphs.iter().map(|graph| graph.ledger().anonymous()).sum();
    let (peak, threads) = (status("VmHWM:") << 10, threads.into_inner());
    println!("{way}: {peak} bytes at most, {held} held at the end, {threads} threads, {opened} descriptors");
    drop(graphs);
    assert!(peak <= PEAK_MAX, "{peak} bytes");
    assert!(threads <= THREADS_MAX, "{threads} threads");
    assert!(opened <= GRAPHS + 1, "{opened} descriptors");
    assert_eq!((descriptors(), status("Threads:")), (before, 1), "left when all are closed");
}

/// The options with which each graph is opened.
fn options(way: &str) -> OpenOptions {
    match way {
        "shared budget" => OpenOptions::new().budget(&SharedBudget::new(LIMIT)),
        "limit of the process" => OpenOptions::new().process_max(LIMIT),
        _ => panic!("no way is called {way}"),
    }
}

/// A number from `/proc/self/status`.
fn status(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}
