//! The answers that a graph must give, as JSON, computed by the model alone.
//!
//! A list has one entry for each node id. An integer is written as a JSON number, a float as its bits in
//! hexadecimal, and bytes as hexadecimal digits. A null and a null reference are written as `null`.

use serde_json::{Map, Value as Json, json};
use varvite_model::{AST, ModelGraph, NodeId, RandomGraph, RandomProperty, Value, ValueType};

/// The expected answers of a graph.
pub(super) fn of(graph: &ModelGraph, purpose: &str, properties: &[RandomProperty]) -> Json {
    let nodes = graph.nodes();
    let labels = graph.nodes().into_iter().flat_map(|node| graph.labels(node).clone());
    let labels: std::collections::BTreeSet<String> = labels.collect();
    let labels: Map<String, Json> = labels
        .into_iter()
        .map(|label| {
            let nodes = ids(&graph.nodes_with_label(&label));
            (label, nodes)
        })
        .collect();
    let edges: Map<String, Json> =
        graph.edge_labels().into_iter().map(|label| (label.to_owned(), edges(graph, label))).collect();
    let properties: Map<String, Json> = properties
        .iter()
        .map(|property| {
            let values = nodes.iter().map(|node| list(graph.values(*node, property.name)));
            let values: Vec<Json> = values.collect();
            let json = json!({ "type": type_name(property.value_type), "values": values });
            (property.name.to_owned(), json)
        })
        .collect();
    let subtree: Option<Vec<usize>> =
        graph.is_forest().then(|| graph.subtree_sizes().iter().map(|size| size - 1).collect());
    json!({
        "purpose": purpose,
        "nodes": nodes.len(),
        "labels": labels,
        "forest": graph.is_forest().then_some(AST),
        "subtree": subtree,
        "edges": edges,
        "properties": properties,
    })
}

fn edges(graph: &ModelGraph, label: &str) -> Json {
    let nodes = graph.nodes();
    let out: Vec<Json> = nodes.iter().map(|node| ids(&graph.targets(*node, label))).collect();
    let in_: Vec<Json> = nodes.iter().map(|node| ids(graph.sources(*node, label))).collect();
    let mut json = json!({ "count": nodes.iter().map(|node| graph.targets(*node, label).len()).sum::<usize>(),
        "out": out, "in": in_ });
    if label == RandomGraph::EDGE_PROPERTY_LABEL {
        let places = nodes.iter().flat_map(|node| graph.in_edges(*node, label));
        json["places"] = places.map(|edge| edge.position).collect();
        let values = nodes.iter().flat_map(|node| graph.out_edges(*node, label));
        json["property"] = json!(RandomGraph::EDGE_PROPERTY_NAME);
        json["values"] = values.map(|edge| list(edge.property.map_or(&[], std::slice::from_ref))).collect();
    }
    json
}

fn ids(nodes: &[NodeId]) -> Json {
    nodes.iter().map(|node| node.0).collect()
}

fn list(values: &[Value]) -> Json {
    values.iter().map(value).collect()
}

/// A value as JSON.
pub(crate) fn value(value: &Value) -> Json {
    match value {
        Value::Bool(value) => json!(value),
        Value::I8(value) => json!(value),
        Value::I16(value) => json!(value),
        Value::I32(value) => json!(value),
        Value::I64(value) => json!(value),
        Value::U8(value) => json!(value),
        Value::U16(value) => json!(value),
        Value::U32(value) => json!(value),
        Value::U64(value) => json!(value),
        Value::F32(value) => json!(format!("{:08x}", value.to_bits())),
        Value::F64(value) => json!(format!("{:016x}", value.to_bits())),
        Value::String(value) => json!(value),
        Value::Null => Json::Null,
        Value::Bytes(value) => json!(value.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
        Value::Ref(node) => json!(node.map(|node| node.0)),
    }
}

fn type_name(value_type: ValueType) -> String {
    format!("{value_type:?}").to_lowercase()
}
