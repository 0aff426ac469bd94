//! [`LogOperations`]: the operations of a diff, as the payload of a record or as an encoded diff.
//!
//! Names come first, each once, and operations refer to them by number. The reader checks that texts are
//! UTF-8 and that numbers of names exist. Only the graph can check other numbers, such as node ids.
//!
//! ```text
//! u32 count of names, then each: u32 length, bytes
//! u32 count of operations, then each: u8 kind, fields
//! ```
//!
//! An encoded diff begins with a magic number and may contain declarations of labels and properties; the
//! payload of a record has neither.

use crate::bytes::Fields;
use crate::{Fault, FormatError, Part, Result};

const ADD_NODE: u8 = 0;
const ADD_EDGE: u8 = 1;
const REMOVE_NODE: u8 = 2;
const REMOVE_EDGE: u8 = 3;
const SET: u8 = 4;
const APPEND: u8 = 5;
const DECLARE_LABEL: u8 = 6;
const DECLARE_EDGE_LABEL: u8 = 7;
const DECLARE_PROPERTY: u8 = 8;

/// The magic number at the start of an encoded diff.
const DIFF_MAGIC: [u8; 8] = *b"VVDIFF01";

/// A node: either one that was in the graph before the record, identified by its id, or one that the record
/// adds, identified by its number among the added nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogNode {
    /// The id or number.
    pub number: u32,
    /// Whether the record adds the node.
    pub is_new: bool,
}

/// An edge that was in the graph before the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEdge {
    /// The number of the edge label's name.
    pub label: u32,
    /// The rank of the edge.
    pub rank: u32,
}

/// The owner of property values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogOwner {
    /// A node.
    Node(LogNode),
    /// An edge that was in the graph before the record.
    Edge(LogEdge),
    /// An edge that the record adds, by its number among the added edges.
    NewEdge(u32),
}

/// A value of a property.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // The names are the documentation.
pub enum LogValue<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    F32(f32),
    F64(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    Node(LogNode),
}

/// One operation. It refers to a name by its index in [`LogOperations::names`].
#[derive(Clone, Debug)]
#[allow(missing_docs)] // As for `LogValue`.
pub enum LogOperation<'a> {
    AddNode { labels: LogNumbers<'a> },
    AddEdge { label: u32, from: LogNode, to: LogNode },
    RemoveNode { node: u32 },
    RemoveEdge(LogEdge),
    Values { owner: LogOwner, property: u32, is_append: bool, values: LogValues<'a> },
    DeclareLabel { name: u32 },
    DeclareEdgeLabel { name: u32 },
    DeclareProperty { name: u32, edge_label: Option<u32>, value_type: u8, cardinality: u8 },
}

/// Builds the payload of a record, or an encoded diff.
#[derive(Debug, Default)]
pub struct LogOperationsBuilder {
    names: Vec<u8>,
    name_count: u32,
    operations: Vec<u8>,
    count: u32,
}

impl LogOperationsBuilder {
    /// Adds a name, and returns its number. Each name may be added only once.
    pub fn add_name(&mut self, name: &str) -> u32 {
        put_bytes(&mut self.names, name.as_bytes());
        self.name_count += 1;
        self.name_count - 1
    }

    /// Adds a node with these labels.
    pub fn add_node(&mut self, labels: &[u32]) {
        self.begin(ADD_NODE);
        self.put(labels.len() as u32);
        labels.iter().for_each(|label| self.put(*label));
    }

    /// Adds an edge.
    pub fn add_edge(&mut self, label: u32, from: LogNode, to: LogNode) {
        self.begin(ADD_EDGE);
        self.put(label);
        [from, to].into_iter().for_each(|node| put_node(&mut self.operations, node));
    }

    /// Removes a node.
    pub fn remove_node(&mut self, node: u32) {
        self.begin(REMOVE_NODE);
        self.put(node);
    }

    /// Removes an edge.
    pub fn remove_edge(&mut self, edge: LogEdge) {
        self.begin(REMOVE_EDGE);
        self.put(edge.label);
        self.put(edge.rank);
    }

    /// Sets or appends values of a property.
    pub fn give_values<'v>(
        &mut self,
        owner: LogOwner,
        property: u32,
        is_append: bool,
        values: impl ExactSizeIterator<Item = LogValue<'v>>,
    ) {
        self.begin(if is_append { APPEND } else { SET });
        let output = &mut self.operations;
        match owner {
            LogOwner::Node(node) => put_node(output, node),
            LogOwner::Edge(LogEdge { label, rank }) => {
                output.push(2);
                output.extend(label.to_le_bytes());
                output.extend(rank.to_le_bytes());
            }
            LogOwner::NewEdge(number) => {
                output.push(3);
                output.extend(number.to_le_bytes());
            }
        }
        output.extend(property.to_le_bytes());
        output.extend((values.len() as u32).to_le_bytes());
        values.for_each(|value| put_value(output, value));
    }

    /// Declares a label. Not permitted in the payload of a record.
    pub fn declare_label(&mut self, name: u32) {
        self.begin(DECLARE_LABEL);
        self.put(name);
    }

    /// Declares an edge label. Not permitted in the payload of a record.
    pub fn declare_edge_label(&mut self, name: u32) {
        self.begin(DECLARE_EDGE_LABEL);
        self.put(name);
    }

    /// Declares a property of nodes or of the edges of a label. Not permitted in the payload of a record.
    /// Types and cardinalities are numbers as in the directory's rows of properties.
    pub fn declare_property(&mut self, name: u32, edge_label: Option<u32>, value_type: u8, cardinality: u8) {
        self.begin(DECLARE_PROPERTY);
        self.put(name);
        self.operations.extend([value_type, cardinality, edge_label.is_some().into()]);
        if let Some(label) = edge_label {
            self.put(label);
        }
    }

    /// The bytes of the payload of a record.
    pub fn build(self) -> Vec<u8> {
        self.behind(&[])
    }

    /// The bytes of the encoded diff.
    pub fn build_diff(self) -> Vec<u8> {
        self.behind(&DIFF_MAGIC)
    }

    fn behind(self, magic: &[u8]) -> Vec<u8> {
        let mut payload = Vec::with_capacity(magic.len() + 8 + self.names.len() + self.operations.len());
        payload.extend(magic);
        payload.extend(self.name_count.to_le_bytes());
        payload.extend(self.names);
        payload.extend(self.count.to_le_bytes());
        payload.extend(self.operations);
        payload
    }

    fn begin(&mut self, kind: u8) {
        self.count += 1;
        self.operations.push(kind);
    }

    fn put(&mut self, number: u32) {
        self.operations.extend(number.to_le_bytes());
    }
}

fn put_bytes(output: &mut Vec<u8>, bytes: &[u8]) {
    output.extend((bytes.len() as u32).to_le_bytes());
    output.extend_from_slice(bytes);
}

fn put_node(output: &mut Vec<u8>, node: LogNode) {
    output.push(node.is_new.into());
    output.extend(node.number.to_le_bytes());
}

fn put_value(output: &mut Vec<u8>, value: LogValue<'_>) {
    let tag = |output: &mut Vec<u8>, tag: u8, bytes: &[u8]| {
        output.push(tag);
        output.extend_from_slice(bytes);
    };
    match value {
        LogValue::Null => tag(output, 0, &[]),
        LogValue::Bool(value) => tag(output, 1, &[value.into()]),
        LogValue::Int(value) => tag(output, 2, &value.to_le_bytes()),
        LogValue::Uint(value) => tag(output, 3, &value.to_le_bytes()),
        LogValue::F32(value) => tag(output, 4, &value.to_bits().to_le_bytes()),
        LogValue::F64(value) => tag(output, 5, &value.to_bits().to_le_bytes()),
        LogValue::Text(text) => {
            output.push(6);
            put_bytes(output, text.as_bytes());
        }
        LogValue::Bytes(bytes) => {
            output.push(7);
            put_bytes(output, bytes);
        }
        LogValue::Node(node) => {
            output.push(8);
            put_node(output, node);
        }
    }
}

/// An iterator over the operations of a payload. It ends after an error.
#[derive(Clone, Debug)]
pub struct LogOperations<'a> {
    names: Vec<&'a str>,
    left: u32,
    reader: Reader<'a>,
    /// Whether declarations are permitted; true only in an encoded diff.
    may_declare: bool,
}

impl<'a> LogOperations<'a> {
    /// Reads the names of a payload, up to its first operation.
    ///
    /// # Errors
    /// Damage.
    pub fn read(payload: &'a [u8]) -> Result<Self> {
        Self::begin(Reader { fields: Fields::new(payload), len: payload.len() }, false)
    }

    /// Reads the names of an encoded diff, up to its first operation.
    ///
    /// # Errors
    /// The bytes are not a valid diff.
    pub fn read_diff(bytes: &'a [u8]) -> Result<Self> {
        let mut reader = Reader { fields: Fields::new(bytes), len: bytes.len() };
        match reader.fields.take() {
            Some(DIFF_MAGIC) => Self::begin(reader, true),
            _ => {
                Err(FormatError::damaged(Part::Log, Fault::Missing { what: "magic VVDIFF01", number: None }))
            }
        }
    }

    fn begin(mut reader: Reader<'a>, may_declare: bool) -> Result<Self> {
        let count = reader.count(4, "names")?;
        let names = (0..count).map(|_| reader.text()).collect::<Result<Vec<_>>>()?;
        let left = reader.count(1, "operations")?;
        Ok(Self { names, left, reader, may_declare })
    }

    /// All names, in order of their numbers.
    pub fn names(&self) -> &[&'a str] {
        &self.names
    }

    /// The number of remaining operations.
    pub fn left(&self) -> u32 {
        self.left
    }

    fn operation(&mut self) -> Result<LogOperation<'a>> {
        let Self { names, reader, may_declare, .. } = self;
        let names = names.len() as u32;
        Ok(match reader.u8()? {
            ADD_NODE => LogOperation::AddNode { labels: reader.names(names)? },
            ADD_EDGE => {
                LogOperation::AddEdge { label: reader.name(names)?, from: reader.node()?, to: reader.node()? }
            }
            REMOVE_NODE => LogOperation::RemoveNode { node: reader.u32()? },
            REMOVE_EDGE => LogOperation::RemoveEdge(reader.edge(names)?),
            kind @ (SET | APPEND) => LogOperation::Values {
                owner: reader.owner(names)?,
                property: reader.name(names)?,
                is_append: kind == APPEND,
                values: reader.values()?,
            },
            DECLARE_LABEL if *may_declare => LogOperation::DeclareLabel { name: reader.name(names)? },
            DECLARE_EDGE_LABEL if *may_declare => {
                LogOperation::DeclareEdgeLabel { name: reader.name(names)? }
            }
            DECLARE_PROPERTY if *may_declare => LogOperation::DeclareProperty {
                name: reader.name(names)?,
                value_type: reader.u8()?,
                cardinality: reader.u8()?,
                edge_label: if reader.truth()? { Some(reader.name(names)?) } else { None },
            },
            other => return Err(unknown("operation", other)),
        })
    }
}

impl<'a> Iterator for LogOperations<'a> {
    type Item = Result<LogOperation<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            // Bytes after the last operation are reported once.
            return (std::mem::take(&mut self.reader.len) > self.reader.fields.at()).then(|| {
                Err(FormatError::damaged(
                    Part::Log,
                    Fault::Unexpected { what: "bytes behind the operations" },
                ))
            });
        }
        self.left -= 1;
        let operation = self.operation();
        if operation.is_err() {
            (self.left, self.reader.len) = (0, 0);
        }
        Some(operation)
    }
}

/// A list of numbers of names.
#[derive(Clone, Debug)]
pub struct LogNumbers<'a>(&'a [u8]);

impl Iterator for LogNumbers<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*first))
    }
}

/// An iterator over values that were checked before.
#[derive(Clone, Debug)]
pub struct LogValues<'a> {
    left: u32,
    reader: Reader<'a>,
}

impl<'a> Iterator for LogValues<'a> {
    type Item = LogValue<'a>;

    fn next(&mut self) -> Option<LogValue<'a>> {
        self.left = self.left.checked_sub(1)?;
        self.reader.value().ok()
    }
}

#[derive(Clone, Debug)]
struct Reader<'a> {
    fields: Fields<'a>,
    len: usize,
}

impl<'a> Reader<'a> {
    fn u8(&mut self) -> Result<u8> {
        self.fields.u8().ok_or_else(cut_off)
    }

    fn u32(&mut self) -> Result<u32> {
        self.fields.u32().ok_or_else(cut_off)
    }

    /// Reads the count of the items that follow. Each item has at least `bytes` bytes.
    fn count(&mut self, bytes: usize, what: &'static str) -> Result<u32> {
        let found = self.u32()?;
        let most = (self.len.saturating_sub(self.fields.at()) / bytes) as u64;
        match u64::from(found) > most {
            false => Ok(found),
            true => {
                let fault = Fault::TooMany { what, most, found: found.into() };
                Err(FormatError::damaged(Part::Log, fault))
            }
        }
    }

    fn bytes(&mut self) -> Result<&'a [u8]> {
        let len = self.u32()?;
        self.fields.slice(len as usize).ok_or_else(cut_off)
    }

    fn text(&mut self) -> Result<&'a str> {
        let text = std::str::from_utf8(self.bytes()?);
        text.map_err(|_| FormatError::damaged(Part::Log, Fault::NotText { number: None }))
    }

    fn name(&mut self, names: u32) -> Result<u32> {
        let number = self.u32()?;
        check_name(number, names).map(|()| number)
    }

    fn names(&mut self, names: u32) -> Result<LogNumbers<'a>> {
        let count = self.count(4, "labels")?;
        let numbers = LogNumbers(self.fields.slice(count as usize * 4).ok_or_else(cut_off)?);
        numbers.clone().try_for_each(|number| check_name(number, names))?;
        Ok(numbers)
    }

    fn truth(&mut self) -> Result<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(unknown("truth value", other)),
        }
    }

    fn node(&mut self) -> Result<LogNode> {
        let is_new = self.truth()?;
        Ok(LogNode { number: self.u32()?, is_new })
    }

    fn edge(&mut self, names: u32) -> Result<LogEdge> {
        Ok(LogEdge { label: self.name(names)?, rank: self.u32()? })
    }

    fn owner(&mut self, names: u32) -> Result<LogOwner> {
        Ok(match self.u8()? {
            kind @ (0 | 1) => LogOwner::Node(LogNode { number: self.u32()?, is_new: kind == 1 }),
            2 => LogOwner::Edge(self.edge(names)?),
            3 => LogOwner::NewEdge(self.u32()?),
            other => return Err(unknown("owner", other)),
        })
    }

    /// Checks a list of values, moves past it, and returns an iterator over the values.
    fn values(&mut self) -> Result<LogValues<'a>> {
        let left = self.count(1, "values")?;
        let values = LogValues { left, reader: self.clone() };
        (0..left).try_for_each(|_| self.value().map(drop))?;
        Ok(values)
    }

    fn value(&mut self) -> Result<LogValue<'a>> {
        Ok(match self.u8()? {
            0 => LogValue::Null,
            1 => LogValue::Bool(self.truth()?),
            2 => LogValue::Int(self.fields.i64().ok_or_else(cut_off)?),
            3 => LogValue::Uint(self.fields.u64().ok_or_else(cut_off)?),
            4 => LogValue::F32(f32::from_bits(self.u32()?)),
            5 => LogValue::F64(f64::from_bits(self.fields.u64().ok_or_else(cut_off)?)),
            6 => LogValue::Text(self.text()?),
            7 => LogValue::Bytes(self.bytes()?),
            8 => LogValue::Node(self.node()?),
            other => return Err(unknown("value", other)),
        })
    }
}

fn check_name(number: u32, names: u32) -> Result<()> {
    if number < names {
        return Ok(());
    }
    let fault = Fault::NoSuch { what: "name", number: number.into(), count: names.into() };
    Err(FormatError::damaged(Part::Log, fault))
}

fn cut_off() -> FormatError {
    FormatError::damaged(Part::Log, Fault::Missing { what: "end of an operation", number: None })
}

fn unknown(what: &'static str, found: u8) -> FormatError {
    FormatError::damaged(Part::Log, Fault::Unknown { what, found: found.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut builder = LogOperationsBuilder::default();
        let [call, name] = ["CALL", "NAME"].map(|name| builder.add_name(name));
        let (old, new) = (LogNode { number: 7, is_new: false }, LogNode { number: 0, is_new: true });
        builder.add_node(&[call, call]);
        builder.add_edge(call, old, new);
        builder.remove_node(3);
        builder.remove_edge(LogEdge { label: call, rank: 9 });
        let values = [
            LogValue::Null,
            LogValue::Bool(true),
            LogValue::Int(-1),
            LogValue::Uint(u64::MAX),
            LogValue::F32(0.5),
            LogValue::F64(-0.25),
            LogValue::Text("memcpy"),
            LogValue::Bytes(&[0, 255]),
            LogValue::Node(new),
        ];
        builder.give_values(LogOwner::Node(new), name, false, values.into_iter());
        let owner = LogOwner::Edge(LogEdge { label: call, rank: 1 });
        builder.give_values(owner, name, true, [].into_iter());
        builder.give_values(LogOwner::NewEdge(0), name, false, [LogValue::Int(2)].into_iter());
        builder.build()
    }

    fn shown(payload: &[u8]) -> Result<Vec<String>> {
        let operations = LogOperations::read(payload)?;
        let show = |operation| match operation {
            LogOperation::AddNode { labels } => format!("node {:?}", labels.collect::<Vec<_>>()),
            LogOperation::Values { owner, property, is_append, values } => {
                format!("{owner:?} {property} {is_append} {:?}", values.collect::<Vec<_>>())
            }
            other => format!("{other:?}"),
        };
        operations.map(|operation| operation.map(show)).collect()
    }

    #[test]
    fn operations_come_back_as_they_were_given() {
        let payload = sample();
        assert_eq!(LogOperations::read(&payload).unwrap().names(), ["CALL", "NAME"]);
        let expected = [
            "node [0, 0]",
            "AddEdge { label: 0, from: LogNode { number: 7, is_new: false }, to: LogNode { number: 0, is_new: true } }",
            "RemoveNode { node: 3 }",
            "RemoveEdge(LogEdge { label: 0, rank: 9 })",
            "Node(LogNode { number: 0, is_new: true }) 1 false [Null, Bool(true), Int(-1), \
             Uint(18446744073709551615), F32(0.5), F64(-0.25), Text(\"memcpy\"), Bytes([0, 255]), \
             Node(LogNode { number: 0, is_new: true })]",
            "Edge(LogEdge { label: 0, rank: 1 }) 1 true []",
            "NewEdge(0) 1 false [Int(2)]",
        ];
        assert_eq!(shown(&payload).unwrap(), expected);
    }

    #[test]
    fn a_diff_declares_names_and_a_record_does_not() {
        let declare = || {
            let mut builder = LogOperationsBuilder::default();
            let [label, name] = ["CALL", "NAME"].map(|name| builder.add_name(name));
            builder.declare_label(label);
            builder.declare_edge_label(label);
            builder.declare_property(name, None, 11, 1);
            builder.declare_property(name, Some(label), 4, 2);
            builder
        };
        let bytes = declare().build_diff();
        let operations = LogOperations::read_diff(&bytes).unwrap();
        let found: Vec<String> = operations.map(|operation| format!("{:?}", operation.unwrap())).collect();
        let expected = [
            "DeclareLabel { name: 0 }",
            "DeclareEdgeLabel { name: 0 }",
            "DeclareProperty { name: 1, edge_label: None, value_type: 11, cardinality: 1 }",
            "DeclareProperty { name: 1, edge_label: Some(0), value_type: 4, cardinality: 2 }",
        ];
        assert_eq!(found, expected);
        for len in 0..bytes.len() {
            let cut = LogOperations::read_diff(&bytes[..len]).and_then(|operations| operations.collect());
            let cut: Result<Vec<_>> = cut;
            assert!(cut.is_err(), "{len} bytes");
        }
        let payload = declare().build();
        assert_eq!(bytes[8..], payload);
        assert!(LogOperations::read_diff(&payload).is_err());
        assert!(matches!(LogOperations::read(&payload).unwrap().next(), Some(Err(_))));
    }

    #[test]
    fn a_payload_that_is_cut_off_or_longer_is_damaged() {
        let payload = sample();
        for len in 0..payload.len() {
            assert!(shown(&payload[..len]).is_err(), "{len} bytes");
        }
        let longer: Vec<u8> = payload.iter().copied().chain([0]).collect();
        assert!(shown(&longer).is_err());
    }

    #[test]
    fn no_byte_makes_it_panic_or_claim_more_than_it_has() {
        let payload = sample();
        for at in 0..payload.len() {
            for byte in [0, 1, 2, 9, 127, 128, 255] {
                let mut changed = payload.clone();
                changed[at] = byte;
                if let Ok(operations) = shown(&changed) {
                    assert!(operations.len() <= payload.len());
                }
            }
        }
    }
}
