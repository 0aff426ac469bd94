//! The model's answers to the named questions of cases.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use varvite_model::{CaseGraph, ModelGraph, NodeId, Value};

/// The model's answer to a question.
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
        ["sites"] => nodes.map(|node| site(graph, node)).collect(),
        ["methods"] => nodes.map(|node| json!(method_of(graph, node).map(|method| method.0))).collect(),
        ["calls-of", methods] => {
            let calls = methods_of(methods).flat_map(|method| graph.sources(method, "CALL"));
            json!(calls.map(|call| call.0).collect::<BTreeSet<_>>())
        }
        ["callees-of", methods] => callees(graph, methods),
        _ => panic!("{question} is no question"),
    }
}

fn methods_of(ids: &str) -> impl Iterator<Item = NodeId> {
    super::ids_of(ids).into_iter().map(|id| NodeId(id as usize))
}

fn callees(graph: &ModelGraph, methods: &str) -> Json {
    let mut calls = BTreeMap::<usize, u64>::new();
    let inside = methods_of(methods).flat_map(|method| graph.targets(method, "CONTAINS"));
    for callee in inside.flat_map(|node| graph.targets(node, "CALL")) {
        *calls.entry(callee.0).or_default() += 1;
    }
    calls.into_iter().map(|(callee, calls)| json!([callee, calls])).collect()
}

/// A node, followed by the nodes that determine its location in the source, the nearest first. These are the
/// METHOD that CONTAINS it or, if there is none, its ancestors up to a METHOD.
fn outwards(graph: &ModelGraph, node: NodeId) -> Vec<NodeId> {
    let is_method = |node: &NodeId| graph.has_label(*node, "METHOD");
    let container = graph.sources(node, "CONTAINS").iter().copied().find(is_method);
    if let Some(container) = container.filter(|_| !is_method(&node)) {
        return vec![node, container];
    }
    let mut path = vec![node];
    while let Some(above) = path.last().filter(|last| !is_method(last)) {
        let Some(parent) = graph.sources(*above, "AST").first() else { break };
        path.push(*parent);
    }
    path
}

fn method_of(graph: &ModelGraph, node: NodeId) -> Option<NodeId> {
    outwards(graph, node).into_iter().find(|node| graph.has_label(*node, "METHOD"))
}

/// The file names that frontends write if there is no file.
const NO_FILES: [&str; 4] = ["<empty>", "<unknown>", "<includes>", ""];

fn site(graph: &ModelGraph, node: NodeId) -> Json {
    let text = |node: NodeId, name: &str| graph.values(node, name).first().map(super::case::value);
    let file_of = |node: NodeId| {
        let name = if graph.has_label(node, "FILE") { "NAME" } else { "FILENAME" };
        text(node, name).filter(|name| !NO_FILES.iter().any(|none| name == none))
    };
    let mut path = outwards(graph, node);
    while let Some(parent) = path.last().and_then(|last| graph.sources(*last, "AST").first()) {
        path.push(*parent);
    }
    let file = path.into_iter().find_map(file_of);
    let has_full_names = graph.nodes().into_iter().any(|node| !graph.values(node, "FULL_NAME").is_empty());
    let name = if has_full_names { "FULL_NAME" } else { "NAME" };
    let method_name = method_of(graph, node).and_then(|method| text(method, name));
    json!([file, text(node, "LINE_NUMBER"), method_name])
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
