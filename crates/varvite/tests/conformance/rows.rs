//! Rows and values in the form in which the cases write them.

use serde_json::{Map, Value as Json, json};
use varvite::pipeline::{Cell, Edge, Rows};
use varvite::{Graph, Property, Value};

/// The rows of a batch.
pub(super) fn rows(graph: &Graph, batch: Rows<'_>) -> Vec<Json> {
    (0..batch.len()).map(|row| row_of(graph, batch, row)).collect()
}

fn row_of(graph: &Graph, batch: Rows<'_>, row: usize) -> Json {
    if let Some(nodes) = batch.nodes() {
        return json!({ "node": nodes[row] });
    }
    if let Some(edges) = batch.edges() {
        return edge(graph, edges[row]);
    }
    let cells = batch.columns().map(|column| {
        let cell = match column.is_list() {
            true => column.list(row).map(|found| cell(graph, found)).collect(),
            false => column.get(row).map_or(Json::Null, |found| cell(graph, found)),
        };
        (column.name().to_owned(), cell)
    });
    let cells: Map<String, Json> = cells.collect();
    match batch.numbers() {
        Some(_) => cells.into_iter().map(|(_, value)| value).next().unwrap(),
        None => cells.into(),
    }
}

fn cell(graph: &Graph, cell: Cell<'_>) -> Json {
    match cell {
        Cell::Node(node) => json!(node),
        Cell::Edge(found) => edge(graph, found),
        Cell::Label(label) => json!(label),
        Cell::Value(found) => value(&found),
        other => panic!("{other:?}"),
    }
}

fn edge(graph: &Graph, edge: Edge) -> Json {
    let label = &graph.edge_labels()[edge.label.index()].name;
    json!({ "edge": label, "source": edge.source, "target": edge.target })
}

/// The values of each owner.
pub(super) fn values(property: &Property, owners: u32) -> Json {
    (0..owners).map(|owner| property.all(owner).map(|found| value(&found)).collect::<Json>()).collect()
}

fn value(value: &Value<'_>) -> Json {
    match value {
        Value::Bool(value) => json!(value),
        Value::Int(value) => json!(value),
        Value::Uint(value) => json!(value),
        Value::F32(value) => json!(f64::from(*value)),
        Value::F64(value) => json!(value),
        Value::Str(value) => json!(value.to_string()),
        Value::Bytes(value) => json!(value.iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
        Value::Ref(node) => json!(node),
        Value::Null => Json::Null,
    }
}
