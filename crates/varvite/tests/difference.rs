//! Tests the difference of two graphs, and the diff that turns one into the other. After the diff was applied
//! and the graph compacted, the digest must be that of the other graph.

use std::path::Path;
use std::sync::Arc;

use varvite::change::DiffText;
use varvite::columns::GraphScan;
use varvite::compare::{Beside, ChangeCounts, Difference, Digest, TurningDiff, Unreachable};
use varvite::write::{GraphChange, compact};
use varvite::{Graph, OpenOptions, Profile, Task};
use varvite_model::{AST, ModelGraph, RandomGraph, SplitMix64, Value};
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::MemoryVfs;

use crate::histories::History;
use crate::model::{cases_of_long_run, random};

/// The number of pairs of graphs, unless `PROPTEST_CASES` sets another number.
const PAIRS: u64 = 100;

fn pairs() -> u64 {
    cases_of_long_run().unwrap_or(PAIRS)
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

/// The counts of the difference between two graphs, and the diff that turns the first into the second.
fn compare(first: &MemoryVfs, second: &MemoryVfs) -> (ChangeCounts, TurningDiff) {
    let (graphs, task) = ([open(first), open(second)], Task::new().threads(2));
    let passes = graphs.each_ref().map(GraphScan::new);
    let difference = Difference::of([&passes[0], &passes[1]], &task).unwrap();
    let counts = difference.visit(&task, |_| Ok(())).unwrap();
    (counts, difference.to_diff(&task).unwrap())
}

/// The counts of the difference, the differences that the counts do not include, and whether both graphs have
/// the same names.
fn compare_beside(first: &MemoryVfs, second: &MemoryVfs) -> (ChangeCounts, Vec<Beside>, bool) {
    let (graphs, task) = ([open(first), open(second)], Task::new().threads(2));
    let passes = graphs.each_ref().map(GraphScan::new);
    let difference = Difference::of([&passes[0], &passes[1]], &task).unwrap();
    let counts = difference.visit(&task, |_| Ok(())).unwrap();
    let mut all = Vec::new();
    let visited = difference.visit_beside(|beside| {
        all.push(beside.clone());
        Ok(())
    });
    visited.unwrap();
    let names = |graph: &Graph| {
        let mut names: Vec<String> = graph.labels().iter().map(|label| label.name.clone()).collect();
        names.sort_unstable();
        names
    };
    let mut ids = difference.edge_labels().iter().map(|label| label.ids.map(|id| id.is_some()));
    let mut of_properties = difference.properties().iter().map(|it| it.ids.map(|id| id.is_some()));
    let has_equal_names = names(&graphs[0]) == names(&graphs[1])
        && ids.all(|[first, second]| first && second)
        && of_properties.all(|[first, second]| first && second);
    (counts, all, has_equal_names)
}

/// Checks that two graphs have no difference if and only if their digests are equal after both graphs are
/// compacted.
fn check_equality(first: &MemoryVfs, second: &MemoryVfs) {
    let (counts, beside, has_equal_names) = compare_beside(first, second);
    let [first, second] = [first, second].map(|disk| {
        let copy = disk_of(&disk.contents(PATH).unwrap());
        compacted(&copy)
    });
    let differing = first.columns.iter().zip(&second.columns).find(|(one, other)| one != other);
    let is_equal = counts.is_empty() && beside.is_empty() && has_equal_names;
    assert_eq!(is_equal, first.root == second.root, "{counts:?} {beside:?} {differing:?}");
}

/// Writes the diff as text, reads it again, applies it to the first graph, and checks that the result equals
/// the second graph.
fn check(first: &MemoryVfs, second: &MemoryVfs) -> TurningDiff {
    let (counts, turning) = compare(first, second);
    let mut text = Vec::new();
    turning.diff.write_text(&mut text).unwrap();
    let read = DiffText::read(&text[..]).unwrap().diff;
    let changed = MemoryVfs::new();
    changed.put(PATH, &first.contents(PATH).unwrap());
    let change = GraphChange::begin(Arc::new(changed.clone()), Path::new(PATH)).unwrap();
    change.apply_with(&read, &Task::new()).unwrap();
    if turning.unreachable.is_empty() {
        let wanted = MemoryVfs::new();
        wanted.put(PATH, &second.contents(PATH).unwrap());
        let (found, wanted) = (compacted(&changed), compacted(&wanted));
        let differing = found.columns.iter().zip(&wanted.columns).find(|(found, wanted)| found != wanted);
        assert_eq!(found.root, wanted.root, "{differing:?} {}", String::from_utf8_lossy(&text));
        let (left, nothing) = compare(&changed, second);
        assert!(left.is_empty() && nothing.diff.is_empty(), "{left:?}");
        check_equality(&changed, second);
    }
    check_equality(first, second);
    if counts.is_empty() {
        assert!(turning.diff.new_nodes() == 0 && turning.diff.new_edges() == 0, "{counts:?}");
    }
    turning
}

/// A copy of the graph, to which the edges were added in a random order. So there is an order of adding edges
/// that gives its lists, and a diff can produce these lists.
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

/// Prints the seed of the pair if a test panics.
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
        // For some seeds, the first graph has changes too; for other seeds, the second graph is compacted.
        if seed % 3 == 0 {
            let operations = history.model.random_diff_of_all_kinds(random, 20);
            history.step(&operations);
        }
        let first = disk_of(&history.disk.contents(PATH).unwrap());
        for _ in 0..1 + seed % 2 {
            let operations = history.model.random_diff_of_all_kinds(random, 20);
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

#[test]
fn what_appending_can_t_put_in_order_is_told() {
    let mut told = 0;
    for seed in 0..60 {
        let _tried = Tried(seed);
        let graph = |seed: u64| disk_of(&Draft::of_no_file(&random(seed)).bytes(Profile::Compact));
        let (first, second) = (graph(seed), graph(1000 + seed));
        let (_, turning) = compare(&first, &second);
        assert!(turning.unreachable.iter().all(|it| matches!(it, Unreachable::Order { .. })));
        told += usize::from(!turning.unreachable.is_empty());
        check(&first, &second);
    }
    assert!(told > 0, "random in-lists are in an order that nothing made");
}

#[test]
fn a_graph_without_a_tree_turns_into_another() {
    for seed in 0..40 {
        let _tried = Tried(seed);
        let graph = |seed: u64| {
            let mut draft = Draft::of_no_file(&appended(&random(seed), seed));
            draft
                .edges
                .iter_mut()
                .filter(|edges| edges.name == AST)
                .for_each(|edges| edges.name = "TREE".to_owned());
            draft.subtree = None;
            disk_of(&draft.bytes(Profile::Compact))
        };
        assert_eq!(check(&graph(seed), &graph(1000 + seed)).unreachable, []);
    }
}

#[test]
fn what_only_one_schema_has_is_told() {
    let graph = appended(&random(7), 7);
    let (all, plain) = (Draft::of_no_file(&graph), Draft::of(&graph));
    let [all, plain] = [all, plain].map(|draft| disk_of(&draft.bytes(Profile::Compact)));
    let (_, turning) = compare(&plain, &all);
    let told: Vec<String> = turning.unreachable.iter().map(ToString::to_string).collect();
    assert!(
        told.contains(&"label NOBODY is only in the first graph; a diff cannot remove a label".to_owned())
    );
    assert!(told.iter().any(|line| line.starts_with("count of nodes in the file")), "{told:?}");
}

/// If two graphs differ only in the order of the roots, or in the numbers of nodes in the imported file,
/// nodes, values and edges are equal, but the digests differ.
#[test]
fn what_only_the_digest_saw_is_a_difference() {
    let graph = |names: [&str; 3]| {
        let mut graph = ModelGraph::default();
        for name in names {
            let root = graph.add_node(&["FILE"]);
            graph.set_property(root, "NAME", vec![Value::String(name.into())]);
            let child = graph.add_node(&["METHOD"]);
            graph.add_edge(root, AST, child, None);
        }
        Draft::of_no_file(&graph)
    };
    let first = graph(["a", "b", "c"]);
    let disk = |draft: &Draft| disk_of(&draft.bytes(Profile::Compact));
    let told = |second: &Draft| {
        check_equality(&disk(&first), &disk(second));
        let (counts, beside, _) = compare_beside(&disk(&first), &disk(second));
        assert!(counts.is_empty(), "{counts:?}");
        beside
    };
    assert_eq!(told(&first), []);
    assert_eq!(told(&graph(["b", "a", "c"])), [Beside::RootOrder { nodes: [0, 2] }]);
    let mut renumbered = first.clone();
    let files = renumbered.labels.iter_mut().find(|label| label.name == "FILE").unwrap();
    (files.origin_count, files.origin) = (3, Some(vec![2, 0, 1]));
    let told = told(&renumbered);
    assert!(told.contains(&Beside::SourceNumbers { label: "FILE".into() }), "{told:?}");
}

#[test]
fn many_siblings_take_no_more_than_sorting_them() {
    const SIBLINGS: usize = 100_000;
    let graph = |skipped: usize| {
        let mut graph = ModelGraph::default();
        let root = graph.add_node(&["FILE"]);
        for number in (0..SIBLINGS).filter(|number| *number != skipped) {
            let child = graph.add_node(&["METHOD"]);
            let order = if number == 7 { skipped } else { number };
            graph.set_property(child, "ORDER", vec![Value::I32(order as i32)]);
            graph.add_edge(root, AST, child, None);
        }
        let properties: Vec<_> =
            RandomGraph::PROPERTIES.into_iter().filter(|property| property.name == "ORDER").collect();
        disk_of(&Draft::with_properties(&graph, &properties).bytes(Profile::Compact))
    };
    let began = std::time::Instant::now();
    let (first, second) = (graph(SIBLINGS / 2), graph(SIBLINGS / 3));
    let (counts, turning) = compare(&first, &second);
    assert_eq!((counts.matched, counts.all_nodes().removed), (SIBLINGS as u64, 0));
    assert!(counts.all_nodes().changed <= 3, "{counts:?}");
    assert!(turning.diff.len() <= 2 * SIBLINGS, "edges behind the moved one are added again");
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

#[test]
fn a_damaged_graph_is_an_error_and_no_difference() {
    let bytes = Draft::of_no_file(&appended(&random(3), 3)).bytes(Profile::Compact);
    let (sound, mut refused) = (disk_of(&bytes), 0);
    for at in (4096..bytes.len()).step_by(97) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let Ok(graph) = OpenOptions::new().buffered().open_in(&disk_of(&damaged), PATH) else { continue };
        let (other, task) = (open(&sound), Task::new().threads(1));
        let passes = [GraphScan::new(&graph), GraphScan::new(&other)];
        let counts = Difference::of([&passes[0], &passes[1]], &task)
            .and_then(|difference| difference.visit(&task, |_| Ok(())));
        match counts {
            Err(_) => refused += 1,
            Ok(counts) => assert!(counts.is_empty(), "byte {at} is of no column: {counts:?}"),
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let graph = Draft::of_no_file(&appended(&random(5), 5)).open(Profile::Compact);
    graph.limit_memory(1 << 10);
    let other = Draft::of_no_file(&appended(&random(6), 6)).open(Profile::Compact);
    let passes = [GraphScan::new(&graph), GraphScan::new(&other)];
    let refused = Difference::of([&passes[0], &passes[1]], &Task::new()).err().unwrap();
    assert_eq!(refused.code(), varvite::ErrorCode::OverBudget);
}
