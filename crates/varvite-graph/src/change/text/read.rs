//! [`DiffText::read`]: reads a diff from lines of text.

use std::collections::HashMap;
use std::io::{BufRead, Read};
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::LINE_MAX;
use super::error::{DiffTextError, DiffTextFault};
use super::line::{AddEdge, AddNode, Declared, EdgeName, Line, NodeName, PropertyLine};
use crate::change::{Diff, ElementRef, NewEdge, NewNode, NewValue, NodeRef, PropertyOwner};
use crate::cursor::value::{Cardinality, ValueType};

/// A diff that was read from text, and the line number of each operation.
#[derive(Clone, Debug, Default)]
pub struct DiffText {
    /// The diff that was read.
    pub diff: Diff,
    /// Runs of operations from consecutive lines: the first operation of each run, and the line number of
    /// that operation.
    lines: Vec<(usize, u64)>,
    /// The number of operations whose line numbers are recorded.
    counted: usize,
}

impl DiffText {
    /// Reads a diff with one operation per line; empty lines are ignored.
    ///
    /// # Errors
    /// An error for the first line that cannot be read or is not an operation.
    ///
    /// # Example
    /// ```
    /// use varvite::change::DiffText;
    ///
    /// let text = r#"{"add_node": {"name": "call", "labels": ["CALL"], "properties": {"NAME": "memcpy"}}}
    /// {"add_edge": {"label": "AST", "from": 7, "to": "call"}}"#;
    /// let read = DiffText::read(text.as_bytes())?;
    /// assert_eq!(read.diff.len(), 3);
    /// assert_eq!(read.line_of(2), 2);
    /// # Ok::<(), varvite::change::DiffTextError>(())
    /// ```
    pub fn read(input: impl BufRead) -> Result<Self, DiffTextError> {
        Self::read_into(Diff::new(), input)
    }

    /// The same as [`Self::read`], but adds the operations to an empty diff, which may have a [memory
    /// limit](Diff::with_memory). Besides the operations, memory holds the names, and 16 bytes for each line
    /// that has more than one operation.
    ///
    /// # Errors
    /// The errors of [`Self::read`].
    pub fn read_into(diff: Diff, mut input: impl BufRead) -> Result<Self, DiffTextError> {
        let read = Self { diff, ..Self::default() };
        let (mut reading, mut bytes) = (Reading { read, ..Reading::default() }, Vec::new());
        for line in 1.. {
            let at = |fault| DiffTextError { line, fault };
            bytes.clear();
            let read = input.by_ref().take(LINE_MAX + 1).read_until(b'\n', &mut bytes);
            if read.map_err(|error| at(DiffTextFault::Io(Arc::new(error))))? == 0 {
                break;
            }
            if bytes.len() as u64 > LINE_MAX {
                return Err(at(DiffTextFault::TooLong { most: LINE_MAX }));
            }
            reading.line(&bytes).map_err(at)?;
            reading.read.count_line(line);
        }
        Ok(reading.read)
    }

    /// The line number of an operation, from 1; 0 if the operation does not exist.
    pub fn line_of(&self, operation: u64) -> u64 {
        let Some(operation) = usize::try_from(operation).ok().filter(|operation| *operation < self.counted)
        else {
            return 0;
        };
        let run = self.lines[self.lines.partition_point(|(first, _)| *first <= operation) - 1];
        run.1 + (operation - run.0) as u64
    }

    /// Records that the operations added since the last call come from this line.
    fn count_line(&mut self, line: u64) {
        for operation in self.counted..self.diff.len() {
            let last = self.lines.last();
            if last.is_none_or(|(first, of_first)| of_first + (operation - first) as u64 != line) {
                self.lines.push((operation, line));
            }
        }
        self.counted = self.diff.len();
    }
}

type LineResult<T> = Result<T, DiffTextFault>;

#[derive(Default)]
struct Reading {
    read: DiffText,
    nodes: HashMap<String, NewNode>,
    edges: HashMap<String, NewEdge>,
}

impl Reading {
    fn line(&mut self, bytes: &[u8]) -> LineResult<()> {
        if bytes.trim_ascii().is_empty() {
            return Ok(());
        }
        let line: Line<'_> = serde_json::from_slice(bytes)
            .map_err(|error| DiffTextFault::Form { reason: reason_of(&error) })?;
        let diff = &mut self.read.diff;
        match line {
            Line::AddNode(added) => self.add_node(&added)?,
            Line::AddEdge(added) => self.add_edge(&added)?,
            Line::RemoveNode(node) => diff.remove_node(node),
            Line::RemoveEdge(edge) => diff.remove_edge(&edge.label, edge.rank),
            Line::Set(given) => self.give(&given, false)?,
            Line::Append(given) => self.give(&given, true)?,
            Line::Clear(cleared) => {
                let owner = self.owner(cleared.node.as_ref(), cleared.edge.as_ref())?;
                self.read.diff.clear(owner, &cleared.property);
            }
            Line::DeclareLabel(name) => diff.declare_label(&name),
            Line::DeclareEdgeLabel(name) => diff.declare_edge_label(&name),
            Line::DeclareProperty(declared) => declare(&declared, diff)?,
        }
        Ok(())
    }

    fn add_node(&mut self, added: &AddNode<'_>) -> LineResult<()> {
        let labels: Vec<&str> = added.labels.iter().map(|label| &**label).collect();
        let node = self.read.diff.add_node(&labels);
        if let Some(name) = &added.name
            && self.nodes.insert(name.to_string(), node).is_some()
        {
            return Err(DiffTextFault::NameTwice { what: "node", name: name.to_string() });
        }
        self.set_all(node.into(), &added.properties.0)
    }

    fn add_edge(&mut self, added: &AddEdge<'_>) -> LineResult<()> {
        let (from, to) = (self.node(&added.from)?, self.node(&added.to)?);
        let edge = self.read.diff.add_edge(&added.label, from, to);
        if let Some(name) = &added.name
            && self.edges.insert(name.to_string(), edge).is_some()
        {
            return Err(DiffTextFault::NameTwice { what: "edge", name: name.to_string() });
        }
        self.set_all(edge.into(), &added.properties.0)
    }

    fn set_all(&mut self, owner: ElementRef<'_>, properties: &Map<String, Json>) -> LineResult<()> {
        for (property, value) in properties {
            let values = values_of(value, &self.nodes)?;
            self.read.diff.set(owner, property, values);
        }
        Ok(())
    }

    fn give(&mut self, given: &PropertyLine<'_>, is_append: bool) -> LineResult<()> {
        let owner = self.owner(given.node.as_ref(), given.edge.as_ref())?;
        let values = values_of(&given.value.0, &self.nodes)?;
        match is_append {
            true => self.read.diff.append(owner, &given.property, values),
            false => self.read.diff.set(owner, &given.property, values),
        }
        Ok(())
    }

    fn owner<'a>(
        &self,
        node: Option<&NodeName<'_>>,
        edge: Option<&'a EdgeName<'_>>,
    ) -> LineResult<ElementRef<'a>> {
        match (node, edge) {
            (Some(node), None) => Ok(self.node(node)?.into()),
            (None, Some(EdgeName::Old(edge))) => Ok(ElementRef::Edge(&edge.label, edge.rank)),
            (None, Some(EdgeName::Name(name))) => {
                let known = self.edges.get(&**name).copied();
                let unknown = || DiffTextFault::UnknownName { what: "edge", name: name.to_string() };
                Ok(ElementRef::NewEdge(known.ok_or_else(unknown)?))
            }
            _ => Err(DiffTextFault::Owner),
        }
    }

    fn node(&self, node: &NodeName<'_>) -> LineResult<NodeRef> {
        match node {
            NodeName::Id(id) => Ok(NodeRef::Node(*id)),
            NodeName::Name(name) => node_named(name, &self.nodes),
        }
    }
}

fn node_named(name: &str, nodes: &HashMap<String, NewNode>) -> LineResult<NodeRef> {
    let known = nodes.get(name).copied().map(NodeRef::New);
    known.ok_or_else(|| DiffTextFault::UnknownName { what: "node", name: name.to_owned() })
}

/// The values of a JSON array, or a single value.
fn values_of<'j>(json: &'j Json, nodes: &HashMap<String, NewNode>) -> LineResult<Vec<NewValue<'j>>> {
    match json {
        Json::Array(values) => values.iter().map(|value| value_of(value, nodes)).collect(),
        value => Ok(vec![value_of(value, nodes)?]),
    }
}

fn value_of<'j>(json: &'j Json, nodes: &HashMap<String, NewNode>) -> LineResult<NewValue<'j>> {
    let wrong = || DiffTextFault::Value { found: json.to_string() };
    match json {
        Json::Null => Ok(NewValue::Null),
        Json::Bool(value) => Ok(NewValue::Bool(*value)),
        Json::String(text) => Ok(NewValue::Str(text)),
        Json::Number(number) => {
            let value = number.as_i64().map(NewValue::Int);
            let value = value.or_else(|| number.as_u64().map(NewValue::Uint));
            value.or_else(|| number.as_f64().map(NewValue::F64)).ok_or_else(wrong)
        }
        Json::Object(object) => {
            let mut fields = object.iter();
            let (Some((field, value)), None) = (fields.next(), fields.next()) else { return Err(wrong()) };
            special_value(field, value, nodes)?.ok_or_else(wrong)
        }
        Json::Array(_) => Err(wrong()),
    }
}

/// A value of a kind for which JSON has no form.
fn special_value<'j>(
    field: &str,
    json: &'j Json,
    nodes: &HashMap<String, NewNode>,
) -> LineResult<Option<NewValue<'j>>> {
    Ok(match (field, json) {
        ("node", Json::String(name)) => Some(NewValue::Ref(node_named(name, nodes)?)),
        ("node", Json::Number(id)) => {
            let id = id.as_u64().and_then(|id| u32::try_from(id).ok());
            id.map(|id| NewValue::Ref(NodeRef::Node(id)))
        }
        ("bytes", Json::String(digits)) => bytes_of(digits).map(NewValue::from),
        ("bits", Json::String(digits)) => bytes_of(digits).and_then(|bytes| match bytes.len() {
            4 => Some(NewValue::F32(f32::from_bits(u32::from_be_bytes(bytes.try_into().ok()?)))),
            8 => Some(NewValue::F64(f64::from_bits(u64::from_be_bytes(bytes.try_into().ok()?)))),
            _ => None,
        }),
        ("float", Json::String(name)) => match name.as_str() {
            "NaN" => Some(NewValue::F64(f64::NAN)),
            "Infinity" => Some(NewValue::F64(f64::INFINITY)),
            "-Infinity" => Some(NewValue::F64(f64::NEG_INFINITY)),
            _ => None,
        },
        _ => None,
    })
}

/// Decodes pairs of hexadecimal digits.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16).map(|digit| digit as u8);
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?));
    rest.is_empty().then(|| bytes.collect())?
}

fn declare(declared: &Declared<'_>, diff: &mut Diff) -> LineResult<()> {
    let unknown = |what, name: &str| DiffTextFault::Unknown { what, name: name.to_owned() };
    let Declared { name, edge_label, value_type, cardinality } = declared;
    let of_name = ValueType::from_name(value_type).ok_or_else(|| unknown("type", value_type))?;
    let cardinality =
        Cardinality::from_name(cardinality).ok_or_else(|| unknown("cardinality", cardinality))?;
    let owner = edge_label.as_ref().map_or(PropertyOwner::Nodes, |label| PropertyOwner::Edges(label));
    diff.declare_property(name, owner, of_name, cardinality);
    Ok(())
}

/// The parser's message without its line number, which is useless because the parser sees only one line.
fn reason_of(error: &serde_json::Error) -> String {
    let (text, place) = (error.to_string(), format!(" at line {} column {}", error.line(), error.column()));
    match text.strip_suffix(&place) {
        Some(reason) => format!("column {}: {reason}", error.column()),
        None => text,
    }
}
