//! [`Diff::write_text`]: writes a diff as lines of text.

use std::collections::HashSet;
use std::io::{Error, ErrorKind, Result, Write};

use serde_json::{Value as Json, json};
use varvite_store::StoreError;

use super::LINE_MAX;
use crate::change::chunk::Chunk;
use crate::change::diff::Diff;
use crate::change::element::{NewEdge, NodeRef};
use crate::change::operation::{Kind, Operation, StoredValue, ValueOwner, Values};
use crate::cursor::value::Hex;

impl Diff {
    /// Writes the diff as text, one operation per line, which [`DiffText::read`](super::DiffText::read)
    /// reads. Nodes that the diff adds are named `n0`, `n1` and so on; new edges to which the diff gives
    /// values are named `e0`, `e1` and so on.
    ///
    /// # Errors
    /// The errors of the output. [`ErrorKind::InvalidInput`] if a line would be too long for
    /// [`DiffText::read`](super::DiffText::read).
    ///
    /// # Example
    /// ```
    /// use varvite::change::Diff;
    ///
    /// let mut diff = Diff::new();
    /// let call = diff.add_node(&["CALL"]);
    /// diff.add_edge("AST", 7, call);
    /// let mut text = Vec::new();
    /// diff.write_text(&mut text)?;
    /// assert_eq!(
    ///     String::from_utf8_lossy(&text),
    ///     r#"{"add_node":{"labels":["CALL"],"name":"n0"}}
    /// {"add_edge":{"from":7,"label":"AST","to":"n0"}}
    /// "#
    /// );
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_text(&self, mut output: impl Write) -> Result<()> {
        let mut named = HashSet::new();
        let name = |_: u64, operation: Operation<'_>, _: &Chunk| {
            if let Operation::Values(Values { owner: ValueOwner::NewEdge(NewEdge(edge)), .. }) = operation {
                named.insert(edge);
            }
            Ok::<(), Failed>(())
        };
        self.for_each(&Kind::VALUES, name)?;
        let mut writing = Writing { diff: self, named, nodes: 0, edges: 0 };
        self.for_each(&Kind::ALL, |_, operation, chunk| {
            let line = writing.line(&operation, chunk).to_string();
            if line.len() as u64 >= LINE_MAX {
                let reason = format!("a line of the diff would be longer than {LINE_MAX} bytes");
                return Err(Failed(Error::new(ErrorKind::InvalidInput, reason)));
            }
            writeln!(output, "{line}").map_err(Failed)
        })?;
        output.flush()
    }
}

/// An error of the output, or an error while reading operations from disk.
struct Failed(Error);

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self(Error::other(error))
    }
}

impl From<Failed> for Error {
    fn from(Failed(error): Failed) -> Self {
        error
    }
}

/// A diff that is being written.
struct Writing<'a> {
    diff: &'a Diff,
    named: HashSet<u32>,
    /// The number of new nodes written so far, and (`edges`) of new edges.
    nodes: u32,
    edges: u32,
}

impl Writing<'_> {
    fn line(&mut self, operation: &Operation<'_>, chunk: &Chunk) -> Json {
        let name = |number: u32| self.diff.names.get(number).as_str();
        match *operation {
            Operation::AddNode { labels } => {
                let labels: Vec<&str> = labels.iter().map(|label| name(*label)).collect();
                self.nodes += 1;
                json!({ "add_node": { "name": node_name(self.nodes - 1), "labels": labels } })
            }
            Operation::AddEdge { label, from, to } => {
                let mut edge = json!({ "label": name(label), "from": node(from), "to": node(to) });
                if self.named.contains(&self.edges) {
                    edge["name"] = edge_name(self.edges).into();
                }
                self.edges += 1;
                json!({ "add_edge": edge })
            }
            Operation::RemoveNode { node } => json!({ "remove_node": node }),
            Operation::RemoveEdge { label, rank } => {
                json!({ "remove_edge": { "label": name(label), "rank": rank } })
            }
            Operation::Values(ref values) => self.values(values, chunk),
            Operation::DeclareLabel { name: label } => json!({ "declare_label": name(label) }),
            Operation::DeclareEdgeLabel { name: label } => json!({ "declare_edge_label": name(label) }),
            Operation::DeclareProperty { name: property, edge_label, value_type, cardinality } => {
                let mut declared = json!({
                    "name": name(property),
                    "type": value_type.name(),
                    "cardinality": cardinality.name(),
                });
                if let Some(label) = edge_label {
                    declared["edge_label"] = name(label).into();
                }
                json!({ "declare_property": declared })
            }
        }
    }

    fn values(&self, given: &Values<'_>, chunk: &Chunk) -> Json {
        let name = |number: u32| self.diff.names.get(number).as_str();
        let mut values: Vec<Json> = given.values.iter().map(|value| json_of(*value, chunk)).collect();
        let value = match values.len() {
            1 => values.remove(0),
            _ => Json::Array(values),
        };
        let mut line = json!({ "property": name(given.property), "value": value });
        let (field, owner) = match given.owner {
            ValueOwner::Node(of) => ("node", node(of)),
            ValueOwner::Edge(label, rank) => ("edge", json!({ "label": name(label), "rank": rank })),
            ValueOwner::NewEdge(NewEdge(edge)) => ("edge", edge_name(edge).into()),
        };
        line[field] = owner;
        match given.is_append {
            true => json!({ "append": line }),
            false => json!({ "set": line }),
        }
    }
}

fn json_of(stored: StoredValue, chunk: &Chunk) -> Json {
    match stored {
        StoredValue::Null => Json::Null,
        StoredValue::Bool(value) => value.into(),
        StoredValue::Int(value) => value.into(),
        StoredValue::Uint(value) => value.into(),
        StoredValue::F32(value) if value.is_nan() => bits(&value.to_bits().to_be_bytes()),
        StoredValue::F32(value) => float(value.into()),
        StoredValue::F64(value) if value.is_nan() => bits(&value.to_bits().to_be_bytes()),
        StoredValue::F64(value) => float(value),
        StoredValue::Str(_) => {
            let text = chunk.text_of(stored).map(String::from_utf8_lossy);
            text.unwrap_or_default().into()
        }
        StoredValue::Bytes(_) => {
            let bytes = chunk.text_of(stored).unwrap_or_default();
            json!({ "bytes": Hex(bytes).to_string() })
        }
        StoredValue::Ref(of) => json!({ "node": node(of) }),
    }
}

/// The JSON form of a float that is a number or infinite.
fn float(value: f64) -> Json {
    match value {
        f64::INFINITY => json!({ "float": "Infinity" }),
        f64::NEG_INFINITY => json!({ "float": "-Infinity" }),
        value => value.into(),
    }
}

/// The JSON form of a NaN: its bits, because there are many NaNs.
fn bits(bytes: &[u8]) -> Json {
    json!({ "bits": Hex(bytes).to_string() })
}

fn node(node: NodeRef) -> Json {
    match node {
        NodeRef::Node(id) => id.into(),
        NodeRef::New(new_node) => node_name(new_node.index() as u32).into(),
    }
}

fn node_name(number: u32) -> String {
    format!("n{number}")
}

fn edge_name(number: u32) -> String {
    format!("e{number}")
}
