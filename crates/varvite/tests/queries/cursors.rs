//! Tests cursors along the syntax tree, with and without a subtree index.

use varvite::{Graph, Profile};
use varvite_cpg::Cursors;
use varvite_model::{ModelGraph, NodeId, RandomGraph, RandomProperty, Value};
use varvite_testing::draft::Draft;

const NODES: usize = 120;

/// A tree in which each node has up to three children. If `is_tree` is false, the last node has a second
/// parent.
fn graph(is_tree: bool) -> Graph {
    let mut model = ModelGraph::default();
    for _ in 0..NODES {
        let node = model.add_node(&["METHOD"]);
        model.set_property(node, "NAME", vec![Value::string("a")]);
        model.set_property(node, "CODE", vec![Value::string("b")]);
        model.set_property(node, "ARGUMENT_INDEX", vec![Value::I32(1)]);
    }
    for node in 1..NODES {
        model.add_edge(NodeId((node - 1) / 3), "AST", NodeId(node), None);
    }
    if !is_tree {
        model.add_edge(NodeId(0), "AST", NodeId(NODES - 1), None);
    }
    model.add_edge(NodeId(1), "ARGUMENT", NodeId(2), None);
    model.add_edge(NodeId(0), "CONTAINS", NodeId(2), None);
    let known = |name: &str| *RandomGraph::PROPERTIES.iter().find(|property| property.name == name).unwrap();
    let argument_index = RandomProperty { name: "ARGUMENT_INDEX", ..known("ORDER") };
    let properties = [known("NAME"), known("CODE"), argument_index];
    Draft::with_properties(&model.in_canonical_order(), &properties).open(Profile::Compact)
}

#[test]
fn nodes_below_are_the_same_with_and_without_an_index() {
    for is_tree in [true, false] {
        let graph = graph(is_tree);
        assert_eq!(graph.subtree().unwrap().is_some(), is_tree);
        let cursors = Cursors::open(&graph).unwrap();
        let all: Vec<u32> = (0..NODES as u32).collect();
        let odd: Vec<u32> = all.iter().copied().filter(|node| node % 2 == 1).collect();
        for node in &all {
            let is_below = |below: &u32| cursors.above(*below).any(|above| above == *node);
            for nodes in [&all[..], &odd, &[]] {
                let expected: Vec<u32> = nodes.iter().copied().filter(is_below).collect();
                let found: Vec<u32> = cursors.among_descendants(*node, nodes).collect();
                assert_eq!(found, expected, "below {node}, a tree: {is_tree}");
            }
            let mut below = Vec::new();
            cursors.ast(*node, &mut below);
            assert_eq!(below[0], *node);
            let last = below[below.len() - 1];
            assert!(cursors.any_in_ast(*node, |below| below == last));
            assert!(!cursors.any_in_ast(*node, |below| !all.contains(&below)));
        }
    }
}
