//! `varvite_export_arrow`: a part of a graph as a table of Arrow columns.

use varvite::{Graph, LabelId, Property, PropertyInfo, ValueType};
use varvite_format::{FormatError, NONE, Strings};
use varvite_store::Pinned;

use crate::arrow::{ArrowArray, ArrowColumn, ArrowSchema, Buffer};
use crate::export::Status;
use crate::failure::Failure;
use crate::graph::{GraphObject, OpenGraph};
use crate::handle::Handle;
use crate::pointer::Out;
use crate::schema::edge_label_at;

/// What can be exported, in the order of their numbers.
#[cfg(test)]
pub(crate) const TABLES: [&str; 3] = ["TABLE_LABELS", "TABLE_EDGES", "TABLE_PROPERTY"];
const LABELS: u32 = 0;
const EDGES: u32 = 1;
const PROPERTY: u32 = 2;

exports! {
    /// A part of the graph as a table.
    fn varvite_export_arrow(
        graph: Handle<GraphObject>,
        table: u32,
        number: u32,
        schema: Out<'_, ArrowSchema>,
        array: Out<'_, ArrowArray>,
    ) {
        let open = graph.graph()?;
        let columns = match table {
            LABELS => labels(&open)?,
            EDGES => edges(&open.graph, number)?,
            PROPERTY => property(&open.graph, number)?,
            other => {
                let expected = "one of the tables";
                return Err(Failure::Value { argument: "table", expected, found: other.into() });
            }
        };
        // Before anything is given away: a table with holes would not be noticed later.
        open.graph.check()?;
        let (given_schema, given_array) = table_of(columns).give();
        schema.write(given_schema);
        array.write(given_array);
        Ok(Status::Ok)
    }
}

fn table_of(children: Vec<ArrowColumn>) -> ArrowColumn {
    let length = children.first().map_or(0, |column| column.length);
    let buffers = vec![Buffer::none()];
    ArrowColumn { name: "", format: "+s", length, nulls: 0, buffers, children, dictionary: None }
}

/// A row for each node and each of its labels.
fn labels(open: &OpenGraph) -> Result<Vec<ArrowColumn>, Failure> {
    let labels = open.labels()?;
    let (mut nodes, mut codes) = (Vec::new(), Vec::new());
    for node in 0..open.graph.node_count() {
        for LabelId(label) in labels.of(node) {
            nodes.push(node);
            codes.push(label);
        }
    }
    let known = open.graph.labels();
    if codes.iter().any(|label| *label as usize >= known.len()) {
        return Err(damaged(&open.graph, "label sets", "labels that exist"));
    }
    let (mut offsets, mut bytes) = (vec![0i64], Vec::new());
    for label in known {
        bytes.extend_from_slice(label.name.as_bytes());
        offsets.push(bytes.len() as i64);
    }
    let names = text_column("U", offsets, bytes);
    Ok(vec![
        numbers("node", "I", nodes),
        ArrowColumn { dictionary: Some(Box::new(names)), ..numbers("label", "I", codes) },
    ])
}

/// A row for each edge of a label, in the order of its ranks.
fn edges(graph: &Graph, number: u32) -> Result<Vec<ArrowColumn>, Failure> {
    edge_label_at(graph, number)?;
    let adjacency = graph.adjacency(number as usize, varvite::Direction::Out)?;
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    adjacency.for_each_edge(|source, target| {
        sources.push(source);
        targets.push(target);
    });
    Ok(vec![numbers("source", "I", sources), numbers("target", "I", targets)])
}

/// A row for each value of a property.
fn property(graph: &Graph, number: u32) -> Result<Vec<ArrowColumn>, Failure> {
    let count = graph.properties().len();
    let missing = Failure::Index { kind: "property", index: number.into(), count };
    let info = graph.properties().get(number as usize).ok_or(missing)?;
    let property = graph.property_at(number as usize)?;
    let (mut owners, mut values) = (Vec::new(), Vec::new());
    property.for_each(|owner, value| {
        owners.push(owner);
        values.push(value);
    });
    let values = column_of_values(graph, info, &property, values)?;
    Ok(vec![numbers(owner_name(info), "I", owners), values])
}

fn owner_name(info: &PropertyInfo) -> &'static str {
    if info.edge_label.is_some() { "rank" } else { "node" }
}

fn column_of_values(
    graph: &Graph,
    info: &PropertyInfo,
    property: &Property,
    values: Vec<i64>,
) -> Result<ArrowColumn, Failure> {
    Ok(match property.value_type() {
        ValueType::Bool => bits(values),
        ValueType::I8 => converted("c", values, |value| value as i8),
        ValueType::I16 => converted("s", values, |value| value as i16),
        ValueType::I32 => converted("i", values, |value| value as i32),
        ValueType::I64 => numbers("value", "l", values),
        ValueType::U8 => converted("C", values, |value| value as u8),
        ValueType::U16 => converted("S", values, |value| value as u16),
        ValueType::U32 => converted("I", values, |value| value as u32),
        ValueType::U64 => converted("L", values, |value| value as u64),
        ValueType::F32 => converted("f", values, |value| f32::from_bits(value as u32)),
        ValueType::F64 => converted("g", values, |value| f64::from_bits(value as u64)),
        ValueType::Ref => codes(values, NONE, None),
        ValueType::String | ValueType::Bytes => {
            let part = || format!("property {}", info.name);
            let strings = property.strings().ok_or_else(|| damaged(graph, &part(), "texts"))?;
            // Whoever takes the column trusts its codes and its UTF-8.
            if !values.iter().all(|code| (0..=i64::from(strings.len())).contains(code)) {
                return Err(damaged(graph, &part(), "codes of texts"));
            }
            let is_text = property.value_type() == ValueType::String;
            let texts = texts_of(strings, is_text)
                .ok_or_else(|| damaged(graph, &part(), "texts that can be read"))?;
            codes(values, strings.len(), Some(Box::new(texts)))
        }
    })
}

fn damaged(graph: &Graph, part: &str, expected: &str) -> Failure {
    graph.store().damaged(FormatError::damaged(part, expected, "others")).into()
}

fn numbers<T: Copy + Send + 'static>(name: &'static str, format: &'static str, items: Vec<T>) -> ArrowColumn {
    let (length, buffers) = (items.len(), vec![Buffer::none(), Buffer::of(items)]);
    ArrowColumn { name, format, length, nulls: 0, buffers, children: Vec::new(), dictionary: None }
}

fn converted<T: Copy + Send + 'static>(
    format: &'static str,
    values: Vec<i64>,
    convert: fn(i64) -> T,
) -> ArrowColumn {
    numbers("value", format, values.into_iter().map(convert).collect())
}

fn bits(values: Vec<i64>) -> ArrowColumn {
    let buffers = vec![Buffer::none(), Buffer::of_bits(values.iter().map(|value| *value != 0))];
    ArrowColumn { length: values.len(), buffers, ..numbers::<u8>("value", "b", Vec::new()) }
}

/// Codes, of which `null` stands for no value, and what they stand for.
fn codes(values: Vec<i64>, null: u32, dictionary: Option<Box<ArrowColumn>>) -> ArrowColumn {
    let nulls = values.iter().filter(|value| **value == i64::from(null)).count();
    let validity = match nulls {
        0 => Buffer::none(),
        _ => Buffer::of_bits(values.iter().map(|value| *value != i64::from(null))),
    };
    let codes: Vec<u32> =
        values.into_iter().map(|value| if value == i64::from(null) { 0 } else { value as u32 }).collect();
    ArrowColumn {
        length: codes.len(),
        nulls,
        buffers: vec![validity, Buffer::of(codes)],
        dictionary,
        ..numbers::<u32>("value", "I", Vec::new())
    }
}

/// All texts of a table; none if one of them can't be read.
fn texts_of(strings: &Strings<Pinned>, is_text: bool) -> Option<ArrowColumn> {
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
    Some(text_column(if is_text { "U" } else { "Z" }, offsets, bytes))
}

fn text_column(format: &'static str, offsets: Vec<i64>, bytes: Vec<u8>) -> ArrowColumn {
    let length = offsets.len() - 1;
    let buffers = vec![Buffer::none(), Buffer::of(offsets), Buffer::of(bytes)];
    ArrowColumn { name: "", format, length, nulls: 0, buffers, children: Vec::new(), dictionary: None }
}
