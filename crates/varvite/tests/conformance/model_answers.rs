//! What the model answers to the named questions of cases.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};
use varvite_model::{CaseGraph, ModelGraph, NodeId, Value};

/// The answer to a question.
pub(super) fn of(case: &CaseGraph, question: &str) -> Json {
    let graph = &case.graph;
    let nodes = graph.nodes().into_iter();
    let words: Vec<&str> = question.split(' ').collect();
    match words[..] {
        ["open"] => json!(graph.node_count()),
        ["labels"] => nodes.map(|node| json!(graph.labels(node))).collect(),
        ["nodes", label] => ids(&graph.nodes_with_label(label)),
        ["out", label] => nodes.map(|node| ids(&graph.targets(node, label))).collect(),
        ["in", label] => nodes.map(|node| ids(graph.sources(node, label))).collect(),
        ["values", name] => nodes.map(|node| list(graph.values(node, name))).collect(),
        ["edge-values", label, name] => {
            assert_eq!(case.edge_properties[label].name, name);
            edge_values(graph, label)
        }
        _ => panic!("{question} is no question"),
    }
}

fn edge_values(graph: &ModelGraph, label: &str) -> Json {
    assert!(graph.edge_labels().into_iter().collect::<BTreeSet<_>>().contains(label));
    let edges = graph.nodes().into_iter().flat_map(|node| graph.out_edges(node, label));
    edges.map(|edge| list(edge.property.map_or(&[], std::slice::from_ref))).collect()
}

fn ids(nodes: &[NodeId]) -> Json {
    nodes.iter().map(|node| node.0).collect()
}

fn list(values: &[Value]) -> Json {
    values.iter().map(value).collect()
}

fn value(value: &Value) -> Json {
    match value {
        Value::F32(value) => json!(f64::from(*value)),
        Value::F64(value) => json!(value),
        other => super::case::value(other),
    }
}
