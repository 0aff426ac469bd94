//! Appends nodes to a tree, and compares the results of steps along the tree with those of walks over the
//! model.

use varvite::pipeline::{ALL, Key, Options, Pipeline, Step, it, nodes};
use varvite::{Graph, Profile};
use varvite_model::{AST, AstShape, ModelHistory, NodeId, Operation, RandomGraph, SplitMix64};
use varvite_testing::draft::Draft;

use crate::histories::History;
use crate::pipeline::rows_with;

const LABELS: [&str; 3] = ["METHOD", "CALL", "IDENTIFIER"];

/// Operations that add nodes. The new nodes are descendants of the graph's nodes or of each other, or have no
/// parent.
fn growth(model: &ModelHistory, random: &mut SplitMix64, count: usize) -> Vec<Operation> {
    let first = model.slot_count();
    let mut operations = Vec::new();
    for index in 0..count {
        let node = first + index;
        operations.push(Operation::AddNode { labels: vec![LABELS[random.below(3)].to_owned()] });
        // The parent of many nodes is one of the few nodes before them, so that appended subtrees are deep
        // and nodes have siblings.
        let above = match random.below(8) {
            0 => continue,
            1..5 => node - 1 - random.below(node.min(6)),
            _ => random.below(node),
        };
        let (source, target) = (NodeId(above), NodeId(node));
        operations.push(Operation::AddEdge { label: AST.to_owned(), source, target });
    }
    operations
}

/// Appends the descendants of a node to `found`, in pre-order.
fn below(model: &ModelHistory, node: usize, found: &mut Vec<usize>) {
    for (child, _) in model.out(NodeId(node), AST) {
        found.push(child.0);
        below(model, child.0, found);
    }
}

fn above(model: &ModelHistory, mut node: usize) -> Vec<usize> {
    let mut found = Vec::new();
    while let Some((parent, _)) = model.in_(NodeId(node), AST).first() {
        node = parent.0;
        found.push(node);
    }
    found
}

fn check(graph: &Graph, model: &ModelHistory) {
    let all = 0..model.slot_count();
    let has = |node: &usize, label: &str| model.labels(NodeId(*node)).contains(label);
    let texts = |found: Vec<usize>| found.iter().map(|node| format!("#{node}")).collect::<Vec<_>>();
    let each = |of: &dyn Fn(usize) -> Vec<usize>| texts(all.clone().flat_map(of).collect());
    let descendants = |node| {
        let mut found = Vec::new();
        below(model, node, &mut found);
        found
    };
    let with_self = |node: usize| std::iter::once(node).chain(descendants(node)).collect::<Vec<_>>();
    let nearest = |node| above(model, node).into_iter().find(|node| has(node, "METHOD"));
    let filtered = |passes: &dyn Fn(&usize) -> bool| texts(all.clone().filter(passes).collect());
    let is = |pipeline: Pipeline, expected: Vec<String>| {
        for batch_rows in [1, 3, 1000] {
            let options = Options { batch_rows, ..Options::default() };
            assert_eq!(rows_with(graph, &pipeline, options), expected, "{}", pipeline.to_json());
        }
    };
    is(nodes(ALL).descendants(), each(&descendants));
    is(nodes(ALL).subtree(), each(&with_self));
    is(nodes(ALL).ancestors(), each(&|node| above(model, node)));
    is(nodes(ALL).nearest_ancestor("METHOD"), each(&|node| nearest(node).into_iter().collect()));
    let first = |ancestors: Pipeline| nodes(ALL).map(Key::first(ancestors.has_label("METHOD").limit(1)));
    let or_itself = |node| if has(&node, "METHOD") { Some(node) } else { nearest(node) };
    is(first(it().ancestors()), each(&|node| nearest(node).into_iter().collect()));
    is(
        first(it().then(Step::Ancestors { with_self: true })),
        each(&|node| or_itself(node).into_iter().collect()),
    );
    let either = [it().has_label("METHOD"), it().nearest_ancestor("METHOD")];
    is(nodes(ALL).coalesce(either), each(&|node| or_itself(node).into_iter().collect()));
    let count = all.clone().map(|node| descendants(node).len()).sum::<usize>();
    is(nodes(ALL).descendants().count(), vec![count.to_string()]);
    let calls = all.clone().flat_map(with_self).filter(|node| has(node, "CALL")).count();
    is(nodes(ALL).subtree().has_label("CALL").count(), vec![calls.to_string()]);
    let has_call = |node: &usize| descendants(*node).iter().any(|node| has(node, "CALL"));
    is(nodes(ALL).where_(it().descendants().has_label("CALL")), filtered(&has_call));
    let has_three = |node: &usize| descendants(*node).len() > 3;
    is(nodes(ALL).where_(it().descendants().count().is(varvite::pipeline::gt(3))), filtered(&has_three));
    let mut counts = std::collections::BTreeMap::new();
    for node in all.clone().filter(|node| has(node, "METHOD")).flat_map(with_self) {
        for label in model.labels(NodeId(node)) {
            *counts.entry(label).or_insert(0) += 1;
        }
    }
    let mut rows = rows_with(graph, &nodes("METHOD").subtree().group_count(Key::Label), Options::default());
    rows.sort();
    assert_eq!(
        rows,
        counts.iter().map(|(label, count)| format!("[{label:?}] | [{count}]")).collect::<Vec<_>>()
    );
}

#[test]
fn a_grown_tree_has_the_subtrees_that_walks_find() {
    for seed in 0..40 {
        let options =
            RandomGraph { nodes: 40, edges: 10, holes: 0, ast: AstShape::Forest, ..RandomGraph::new(seed) };
        let graph = options.build().in_canonical_order();
        let mut random = SplitMix64::new(seed);
        let mut history = History::of(&graph, &Draft::of(&graph), Profile::Compact);
        for _ in 0..2 {
            let operations = growth(&history.model, &mut random, 25);
            history.step(&operations);
            let graph = history.open();
            let plan = nodes(ALL).descendants().compile(&graph).unwrap();
            assert!(plan.explain().to_string().contains("subtree range"), "{}", plan.explain());
            check(&graph, &history.model);
        }
    }
}

#[test]
fn a_tree_with_other_changes_is_walked() {
    let graph = RandomGraph { nodes: 40, ..RandomGraph::new(5) }.build().in_canonical_order();
    let nodes = graph.nodes().len();
    let edge = |source: usize, target: usize| Operation::AddEdge {
        label: AST.to_owned(),
        source: NodeId(source),
        target: NodeId(target),
    };
    let new = || Operation::AddNode { labels: vec!["CALL".to_owned()] };
    let parent_behind = vec![new(), new(), edge(nodes + 1, nodes)];
    let two_parents = vec![new(), edge(0, nodes), edge(1, nodes)];
    let circle = vec![new(), new(), edge(nodes, nodes + 1), edge(nodes + 1, nodes)];
    for operations in [parent_behind, two_parents, circle] {
        let mut history = History::of(&graph, &Draft::of(&graph), Profile::Compact);
        history.step(&operations);
        let graph = history.open();
        let plan = varvite::pipeline::nodes(ALL).descendants().compile(&graph).unwrap();
        assert!(!plan.explain().to_string().contains("subtree range"), "{}", plan.explain());
    }
}
