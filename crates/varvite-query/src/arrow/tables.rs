//! Whole parts of a graph as record batches: labels, the edges of a label, the values of a property.
//!
//! Each call makes one copy of its part of the graph. Texts become codes into a dictionary of all texts of
//! the property.

use std::sync::Arc;

use varvite_format::{EdgeLabelId, Fault, FormatError, LabelId, NONE, PropertyId};

use super::array::{Array, Buffer};
use super::batches::RecordBatch;
use super::field::{DataType, Field};
use varvite_graph::{Direction, Graph, Property, Ranks, Result, Texts, ValueType};

/// Returns one row for each label of each node, with columns `node` and `label`.
///
/// # Errors
/// [`GraphError`](varvite_graph::GraphError), if the file can't be read or is damaged.
pub fn labels(graph: &Graph) -> Result<RecordBatch> {
    let labels = graph.label_sets()?;
    let (mut nodes, mut codes) = (Vec::new(), Vec::new());
    for node in 0..graph.node_count() {
        for LabelId(label) in labels.of(node) {
            nodes.push(node);
            codes.push(label);
        }
    }
    let known = graph.labels();
    if let Some(label) = codes.iter().find(|label| **label as usize >= known.len()) {
        let (number, count) = (u64::from(*label), known.len() as u64);
        return Err(damaged(graph, "label sets", Fault::NoSuch { what: "label", number, count }));
    }
    let names = Array::names(known.iter().map(|label| label.name.as_str()));
    let codes = Array::numbers(codes).with_dictionary(Arc::new(names));
    let columns = [
        ("node", DataType::UInt32, Array::numbers(nodes)),
        ("label", DataType::dictionary_of_texts(), codes),
    ];
    checked(graph, columns)
}

/// Returns one row per edge of an edge label, in the order of out-lists, with columns `source` and `target`.
/// An edge's rank is its row number. If edges of the label have changed since its columns were written, a
/// third column, `rank`, has the ranks instead.
///
/// # Errors
/// As for [`labels`].
pub fn edges(graph: &Graph, edge_label: EdgeLabelId) -> Result<RecordBatch> {
    let adjacency = graph.adjacency(edge_label, Direction::Out)?;
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    adjacency.for_each_edge(|source, target| {
        sources.push(source);
        targets.push(target);
    });
    let column = |(name, ids)| (name, DataType::UInt32, Array::numbers(ids));
    let columns = [("source", sources), ("target", targets)];
    if adjacency.changes().is_none() {
        return checked(graph, columns.map(column));
    }
    let ranks = Ranks::new(adjacency.clone(), None);
    let ranks = adjacency.sources().flat_map(|source| ranks.of(source)).map(|(_, rank)| rank).collect();
    let [sources, targets] = columns;
    checked(graph, [sources, targets, ("rank", ranks)].map(column))
}

/// Returns one row for each value of a property, with the columns `node` and `value`; for a property of
/// edges, with the columns `rank` and `value`.
///
/// # Errors
/// As for [`labels`].
pub fn property(graph: &Graph, id: PropertyId) -> Result<RecordBatch> {
    let property = graph.property_at(id)?;
    let info = graph.properties().get(id.index());
    let is_of_edges = info.is_some_and(|info| info.edge_label.is_some());
    let (mut owners, mut values) = (Vec::new(), Vec::new());
    property.for_each(|owner, value| {
        owners.push(owner);
        values.push(value);
    });
    let name = info.map_or("", |info| info.name.as_str());
    let (data_type, values) = column_of_values(graph, name, &property, values)?;
    let owner = if is_of_edges { "rank" } else { "node" };
    checked(graph, [(owner, DataType::UInt32, Array::numbers(owners)), ("value", data_type, values)])
}

/// Makes the batch. Fails if damage was found, because nothing in the batch would show that rows are missing.
fn checked<const N: usize>(graph: &Graph, columns: [(&str, DataType, Array); N]) -> Result<RecordBatch> {
    graph.check()?;
    let field = |(name, data_type, array): (&str, DataType, Array)| {
        let field = Field { is_nullable: array.null_count() > 0, ..Field::new(name, data_type) };
        (field, array)
    };
    let (fields, columns): (Vec<Field>, Vec<Array>) = columns.into_iter().map(field).unzip();
    Ok(RecordBatch::new(fields.into(), columns))
}

fn column_of_values(
    graph: &Graph,
    name: &str,
    property: &Property,
    values: Vec<i64>,
) -> Result<(DataType, Array)> {
    let data_type = DataType::of(property.value_type());
    match property.value_type() {
        ValueType::Ref => Ok((data_type, codes(values, NONE))),
        ValueType::String | ValueType::Bytes => {
            let part = || format!("property {name}");
            let strings = property.strings().ok_or_else(|| {
                damaged(graph, &part(), Fault::Missing { what: "string table", number: None })
            })?;
            // Readers of an Arrow column check neither codes nor UTF-8, so both are checked here.
            let most = i64::from(strings.len());
            if let Some(found) = values.iter().copied().find(|code| !(0..=most).contains(code)) {
                let found = Some(found);
                let fault = Fault::Number { what: "code of a text", at: None, least: 0, most, found };
                return Err(damaged(graph, &part(), fault));
            }
            let is_text = property.value_type() == ValueType::String;
            let texts = texts_of(strings, is_text)
                .ok_or_else(|| damaged(graph, &part(), Fault::NotText { number: None }))?;
            let codes = codes(values, strings.len()).with_dictionary(Arc::new(texts));
            Ok((DataType::Dictionary(Box::new(data_type)), codes))
        }
        _ => {
            let array = Array::narrowed(&data_type, &values);
            Ok((data_type, array))
        }
    }
}

fn damaged(graph: &Graph, part: &str, fault: Fault) -> varvite_graph::GraphError {
    graph.store().damaged(FormatError::damaged(part, fault)).into()
}

/// Makes an array of codes in which `null` marks a missing value.
fn codes(values: Vec<i64>, null: u32) -> Array {
    let is_null = |value: &i64| *value == i64::from(null);
    let nulls = values.iter().filter(|value| is_null(value)).count();
    let codes = values.iter().map(|value| if is_null(value) { 0 } else { *value as u32 });
    let array = Array::numbers(codes.collect::<Vec<u32>>());
    match nulls {
        0 => array,
        _ => array.with_validity(nulls, Buffer::of_bits(values.iter().map(|value| !is_null(value)))),
    }
}

/// The array of all texts of a string table. `None` if one of them can't be read.
fn texts_of(strings: &Texts, is_text: bool) -> Option<Array> {
    let mut reader = strings.reader();
    let (mut offsets, mut bytes) = (vec![0i64], Vec::new());
    for code in 0..strings.len() {
        let text = reader.bytes(code)?;
        if is_text {
            std::str::from_utf8(text).ok()?;
        }
        bytes.extend_from_slice(text);
        offsets.push(bytes.len() as i64);
    }
    Some(Array::texts(offsets, bytes))
}
