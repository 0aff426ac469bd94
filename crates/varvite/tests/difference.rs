//! What differs between two graphs, and the diff that turns one into the other: applied and compacted, it gives the other's digest.

use std::path::Path;
use std::sync::Arc;

use varvite::change::read_diff;
use varvite::write::{GraphChange, compact};
use varvite::{ChangeCounts, Difference, Digest, Graph, OpenOptions, Pass, Profile, Task, TurningDiff};
use varvite_model::{ModelGraph, SplitMix64};
use varvite_store::vfs::MemoryVfs;

use crate::draft::{Draft, PATH};
use crate::histories::History;
use crate::model::random;

/// Pairs of graphs that are tried, unless `PROPTEST_CASES` says how many.
const PAIRS: u64 = 200;

fn pairs() -> u64 {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    asked.unwrap_or(PAIRS)
}

fn disk_of(bytes: &[u8]) -> MemoryVfs {
    let disk = MemoryVfs::new();
    disk.put(PATH, bytes);
    disk
}

fn open(disk: &MemoryVfs) -> Graph {
    OpenOptions::new().buffered().open_in(disk, PATH).unwrap()
}

fn compacted(disk: &MemoryVfs) -> Digest {
    compact(Arc::new(disk.clone()), Path::new(PATH), &Task::new()).unwrap();
    Digest::of(&open(disk), &Task::new()).unwrap()
}

/// What differs, and the diff.
fn compare(first: &MemoryVfs, second: &MemoryVfs) -> (ChangeCounts, TurningDiff) {
    let (graphs, task) = ([open(first), open(second)], Task::new().threads(2));
    let passes = graphs.each_ref().map(Pass::new);
    let difference = Difference::of([&passes[0], &passes[1]], &task).unwrap();
    let counts = difference.visit(&task, |_| Ok(())).unwrap();
    (counts, difference.to_diff(&task).unwrap())
}

/// Applies the diff to the first graph, by way of its text, and says whether that is the second then.
fn check(first: &MemoryVfs, second: &MemoryVfs) -> TurningDiff {
    let (counts, turning) = compare(first, second);
    let mut text = Vec::new();
    turning.diff.write_text(&mut text).unwrap();
    let read = read_diff(&text[..]).unwrap().diff;
    let changed = MemoryVfs::new();
    changed.put(PATH, &first.contents(PATH).unwrap());
    let change = GraphChange::begin(Arc::new(changed.clone()), Path::new(PATH)).unwrap();
    change.apply(&read, &Task::new()).unwrap();
    if turning.unreachable.is_empty() {
        let wanted = MemoryVfs::new();
        wanted.put(PATH, &second.contents(PATH).unwrap());
        let (found, wanted) = (compacted(&changed), compacted(&wanted));
        let differing = found.columns.iter().zip(&wanted.columns).find(|(found, wanted)| found != wanted);
        assert_eq!(found.root, wanted.root, "{differing:?} {}", String::from_utf8_lossy(&text));
        let (left, nothing) = compare(&changed, second);
        assert!(left.is_empty() && nothing.diff.is_empty(), "{left:?}");
    }
    if counts.is_empty() {
        assert!(turning.diff.new_nodes() == 0 && turning.diff.new_edges() == 0, "{counts:?}");
    }
    turning
}

/// The graph with its edges appended in a random order, so that a diff can make the order of its lists.
fn appended(graph: &ModelGraph, seed: u64) -> ModelGraph {
    let mut appended = ModelGraph::default();
    for node in graph.nodes() {
        let labels: Vec<&str> = graph.labels(node).iter().map(String::as_str).collect();
        appended.add_node(&labels);
        for (name, values) in graph.properties(node) {
            appended.set_property(node, name, values.clone());
        }
    }
    let mut edges = graph.edges();
    SplitMix64::new(seed).shuffle(&mut edges);
    for edge in edges {
        appended.add_edge(edge.source, edge.label, edge.target, edge.property.cloned());
    }
    appended.in_canonical_order()
}

/// Says which pair it was, if it panics.
struct Tried(u64);

impl Drop for Tried {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("pair {}", self.0);
        }
    }
}

#[test]
fn any_graph_turns_into_any_other() {
    let profiles = Profile::ALL.into_iter().cycle();
    for (seed, profile) in (0..pairs()).zip(profiles) {
        let _tried = Tried(seed);
        let graph = |seed: u64| {
            let graph = Draft::of_no_file(&appended(&random(seed), seed));
            let is_listed = seed % 4 == 1;
            disk_of(&Draft { is_forest_listed: is_listed, ..graph }.bytes(profile))
        };
        let turning = check(&graph(seed), &graph(1_000_000 + seed));
        assert_eq!(turning.unreachable, [], "pair {seed}");
    }
}

#[test]
fn a_graph_turns_into_what_diffs_made_of_it() {
    let profiles = Profile::ALL.into_iter().cycle();
    let mut reached = 0;
    for (seed, profile) in (0..pairs()).zip(profiles) {
        let _tried = Tried(seed);
        let graph = appended(&random(seed), seed);
        let draft = Draft { is_forest_listed: seed % 4 == 1, ..Draft::of_no_file(&graph) };
        let mut history = History::of(&graph, &draft, profile);
        let random = &mut SplitMix64::new(seed);
        // The first graph may have changes too, and the second may be compacted.
        if seed % 3 == 0 {
            let operations = history.model.random_diff(random, 20);
            history.step(&operations);
        }
        let first = disk_of(&history.disk.contents(PATH).unwrap());
        for _ in 0..1 + seed % 2 {
            let operations = history.model.random_diff(random, 20);
            history.step(&operations);
        }
        let second = disk_of(&history.disk.contents(PATH).unwrap());
        if seed % 5 == 0 {
            compacted(&second);
        }
        reached += u64::from(check(&first, &second).unreachable.is_empty());
    }
    assert_eq!(reached, pairs());
}
