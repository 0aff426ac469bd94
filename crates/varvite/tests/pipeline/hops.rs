//! Tests of steps that look at the neighbours of each row: conditions on neighbours, and branches that give
//! some neighbours. They are compared with plain loops, also in graphs with changes.

use std::collections::BTreeSet;

use varvite::pipeline::{ALL, Key, Options, Pipeline, eq, gt, gte, ids, it, nodes};
use varvite::{Graph, Profile, Task};
use varvite_model::{ModelGraph, ModelHistory, NodeId, Value};
use varvite_testing::draft::Draft;

use super::{rows_of, rows_with};
use crate::histories::for_each_history;

/// The label of the edges, and the number of leaves of the hub, which is node 0.
const EDGES: &str = "CFG";
const LEAVES: usize = 300;

/// A hub with an edge to each leaf, then the same edges once more, and one to itself. The first leaf has
/// three edges: two to itself, and one to the hub between them. Leaves are BLOCKs, and the last is a LITERAL
/// too.
fn star() -> Graph {
    let mut model = ModelGraph::default();
    for node in 0..=LEAVES {
        let labels: &[&str] = match node {
            0 => &["METHOD"],
            LEAVES => &["BLOCK", "LITERAL"],
            _ => &["BLOCK"],
        };
        let id = model.add_node(labels);
        model.set_property(id, "ORDER", vec![Value::I32(node as i32)]);
    }
    let twice = (1..=LEAVES).chain(1..=LEAVES).map(|leaf| (0, leaf));
    for (source, target) in twice.chain([(0, 0), (1, 1), (1, 0), (1, 1)]) {
        model.add_edge(NodeId(source), EDGES, NodeId(target), None);
    }
    Draft::of(&model.in_canonical_order()).open(Profile::Compact)
}

fn out() -> Pipeline {
    it().out(EDGES)
}

/// Checks the nodes that a pipeline gives, in batches of several sizes, on one thread and on several.
#[track_caller]
fn check(graph: &Graph, pipeline: &Pipeline, expected: impl IntoIterator<Item = usize>) {
    let expected: Vec<String> = expected.into_iter().map(|node| format!("#{node}")).collect();
    for (batch_rows, threads) in [(1, 1), (3, 1), (2048, 1), (7, 3)] {
        let task = Task::new().threads(threads);
        let options = Options { task, batch_rows, eager_threads: threads > 1, ..Options::default() };
        assert_eq!(rows_with(graph, pipeline, options), expected, "{batch_rows} {}", pipeline.to_json());
    }
}

#[test]
fn a_limit_in_a_branch_takes_the_first_neighbours_of_each_row() {
    let graph = star();
    let first = |count| nodes(ALL).union([out().limit(count)]);
    check(&graph, &first(0), []);
    check(&graph, &first(1), [1, 1]);
    check(&graph, &first(2), [1, 2, 1, 0]);
    check(&graph, &first(4), [1, 2, 3, 4, 1, 0, 1]);
    check(&graph, &first(u64::MAX), (1..=LEAVES).chain(1..=LEAVES).chain([0, 1, 0, 1]));
    let both = it().out([EDGES, EDGES]).limit(4);
    check(&graph, &ids([1]).union([both.clone()]), [1, 0, 1, 1]);
    check(&graph, &ids([1]).coalesce([both]), [1, 0, 1, 1]);
}

#[test]
fn a_dedup_in_a_branch_gives_each_neighbour_of_a_row_once() {
    let graph = star();
    let distinct = || nodes(ALL).union([out().dedup()]);
    check(&graph, &distinct(), (1..=LEAVES).chain([0, 1, 0]));
    check(&graph, &distinct().limit(2), [1, 2]);
    check(
        &graph,
        &ids([1, 1, 0, 1]).union([it().both(EDGES).dedup()]).has_id([0, 1]),
        [1, 0, 1, 0, 1, 0, 1, 0],
    );
}

/// Tests that rows keep what they carry: the path and the depth, names, and the number of the row around
/// them.
#[test]
fn rows_of_some_neighbours_keep_their_paths_depths_and_names() {
    let graph = star();
    let paths = |branch: Pipeline| rows_of(&graph, &ids([1]).union([branch]).path());
    assert_eq!(paths(out().limit(2)), paths(out()).into_iter().take(2).collect::<Vec<_>>());
    assert_eq!(paths(out().dedup()), paths(out()).into_iter().take(2).collect::<Vec<_>>());
    let depths = ids([1]).repeat(out(), |repeat| repeat.times(2)).union([out().limit(1)]).depth();
    assert_eq!(rows_of(&graph, &depths).first().map(String::as_str), Some("2"));
    let back = it().as_("row").union([out().dedup()]).select("row");
    check(&graph, &ids([1, 2, 0]).union([back]).dedup(), [1, 0]);
    let firsts = nodes(ALL).map(Key::first(it().union([out().limit(1)]).has_label("BLOCK")));
    check(&graph, &firsts, [1, 1]);
    let counts = nodes(ALL).where_(it().union([out().dedup()]).count().is(eq(2)));
    check(&graph, &counts, [1]);
}

#[test]
fn a_condition_on_neighbours_tests_every_label_and_every_edge() {
    let graph = star();
    let has = |labels: &[&str]| nodes(ALL).where_(out().has_label(labels));
    check(&graph, &has(&["LITERAL"]), [0]);
    check(&graph, &has(&["METHOD"]), [0, 1]);
    check(&graph, &has(&["LITERAL", "METHOD"]), [0, 1]);
    check(&graph, &nodes(ALL).where_(out().has_label("BLOCK").has_label("LITERAL")), [0]);
    check(&graph, &nodes(ALL).where_(out().has_label(["BLOCK", "METHOD"]).has_label("METHOD")), [0, 1]);
    check(&graph, &nodes(ALL).where_(out().has_label("METHOD").has_label("LITERAL")), []);
    check(&graph, &nodes(ALL).where_(out().has_label("BLOCK").has("ORDER", gte(LEAVES as i64))), [0]);
    check(&graph, &nodes(ALL).where_(out().has_label("METHOD").out(EDGES).has_label("LITERAL")), [0, 1]);
    check(&graph, &nodes(ALL).where_not(out().has_label("METHOD")), 2..=LEAVES);
    let either = [it().has("ORDER", gt(LEAVES as i64 - 1)), out().has_label("METHOD")];
    check(&graph, &nodes(ALL).or(either.clone()), [0, 1, LEAVES]);
    check(&graph, &nodes(ALL).where_not(it().or(either)), 2..LEAVES);
}

/// The nodes of a list, each once.
fn distinct(list: &[usize]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    list.iter().copied().filter(|node| seen.insert(*node)).collect()
}

/// Compares branches and conditions with loops over the neighbours in a model.
fn check_changed(graph: &Graph, model: &ModelHistory, label: &str) {
    let neighbours = |node: NodeId| {
        let both = model.out(node, label).into_iter().chain(model.in_(node, label));
        both.map(|(neighbour, _)| neighbour.0).collect::<Vec<_>>()
    };
    let all = model.nodes();
    let each = |of: &dyn Fn(Vec<usize>) -> Vec<usize>| {
        all.iter().flat_map(|node| of(neighbours(*node))).collect::<Vec<_>>()
    };
    let hop = || it().both(label);
    for count in [1, 2, 5] {
        let first = |list: Vec<usize>| list.into_iter().take(count).collect();
        check(graph, &nodes(ALL).union([hop().limit(count as u64)]), each(&first));
    }
    check(graph, &nodes(ALL).union([hop().dedup()]), each(&|list| distinct(&list)));
    let has =
        |node: &&NodeId| neighbours(**node).iter().any(|node| model.labels(NodeId(*node)).contains("METHOD"));
    let passing = all.iter().filter(has).map(|node| node.0);
    check(graph, &nodes(ALL).where_(hop().has_label("METHOD")), passing);
    let failing = all.iter().filter(|node| !has(node)).map(|node| node.0);
    check(graph, &nodes(ALL).where_not(hop().has_label("METHOD")), failing);
}

#[test]
fn neighbours_are_those_of_the_graph_with_its_changes() {
    for_each_history(12, |history, random| {
        for _ in 0..2 {
            let operations = history.model.random_diff_of_all_kinds(random, 60);
            history.step(&operations);
            for label in history.model.edge_labels() {
                check_changed(&history.open(), &history.model, &label);
            }
        }
    });
}
