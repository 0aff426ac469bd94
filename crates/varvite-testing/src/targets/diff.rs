//! Diffs: as lines of text, as operations of every type, and in bytes. A graph accepts a diff completely or
//! not at all.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{
    ChangeError, Diff, DiffText, ElementRef, NewEdge, NewNode, NewValue, NodeRef, PropertyOwner,
};
use varvite::write::{GraphChange, NewGraphOptions};
use varvite::{Cardinality, OpenOptions, Task, ValueType};

use crate::vfs::MemoryVfs;

const PATH: &str = "diff.varvite";
/// Names of the small graph, and some that it does not have.
const NAMES: [&str; 8] = ["METHOD", "CALL", "CFG", "AST", "REACHING_DEF", "NEW", "", "größe"];
const PROPERTIES: [&str; 8] = ["NAME", "ORDER", "EVIDENCE", "VARIABLE", "NEW", "FLOAT", "BYTES", ""];

/// Reads a text as a diff, and applies it to a graph.
pub fn apply_text(graph: &[u8], text: &[u8]) {
    match DiffText::read(text) {
        Ok(read) => {
            let lines = text.split(|byte| *byte == b'\n').count() as u64;
            let mut numbers = (0..read.diff.len() as u64).map(|operation| read.line_of(operation));
            assert!(numbers.all(|line| (1..=lines).contains(&line)), "each operation is of a line");
            apply(graph, &read.diff);
        }
        Err(error) => assert!(error.line > 0 && !error.to_string().is_empty()),
    }
}

/// Applies the diffs that bytes encode, one after another.
pub fn apply_operations(graph: &[u8], bytes: &[u8]) {
    let mut file = graph.to_vec();
    for bytes in bytes.chunks(120).take(4) {
        let diff = drawn(bytes);
        let sent = diff.to_bytes().expect("it is small");
        let came = Diff::from_bytes(&sent).expect("it is a diff");
        assert!(came.len() == diff.len() && came.to_bytes().expect("it is small") == sent);
        file = apply(&file, &came);
    }
}

/// Makes a diff from the first bytes, changes the diff's byte form by the other bytes, and applies the result
/// to a graph.
pub fn apply_bytes(graph: &[u8], bytes: &[u8]) {
    let (operations, edits) = bytes.split_at(bytes.len().min(120));
    let mut sent = drawn(operations).to_bytes().expect("it is small");
    for [low, high, byte] in edits.as_chunks().0 {
        let at = usize::from(u16::from_le_bytes([*low, *high])) % sent.len();
        sent[at] = *byte;
    }
    match Diff::from_bytes(&sent) {
        Ok(diff) => _ = apply(graph, &diff),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    make(&sent);
    if let Err(error) = Diff::from_bytes(bytes) {
        assert!(!error.to_string().is_empty());
    }
}

/// Makes a new graph from a diff in bytes, and checks that the graph is valid. Does nothing if the bytes are
/// invalid.
fn make(bytes: &[u8]) {
    let disk = MemoryVfs::new();
    let options = NewGraphOptions::new().vfs(Arc::new(disk.clone())).task(Task::new().threads(1));
    let mut new = options.create(PATH).expect("nobody else is at it");
    new.add_node(&["METHOD"]).expect("it is the first");
    if let Err(error) = new.apply_bytes(bytes) {
        assert!(!error.to_string().is_empty());
    }
    new.finish().expect("what was refused is not in it");
    let graph = OpenOptions::new().open_in(&disk, PATH).expect("what was written is a graph");
    assert_eq!(graph.verify(&Task::new().threads(1)).expect("memory can be read").problems, [""; 0]);
}

/// The diff that bytes encode.
fn drawn(bytes: &[u8]) -> Diff {
    let (mut diff, mut draws) = (Diff::new(), Draws { bytes, new_nodes: Vec::new(), new_edges: Vec::new() });
    while draws.operation(&mut diff).is_some() {}
    diff
}

/// Applies a diff to a file. Returns the new file, which must be valid, or the same file if the diff is
/// refused.
fn apply(file: &[u8], diff: &Diff) -> Vec<u8> {
    let disk = MemoryVfs::new();
    disk.put(PATH, file);
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).expect("nobody else is at it");
    let before = change.graph().node_count();
    let result = change.apply_with(diff, &Task::new().threads(1));
    let after = disk.contents(PATH).expect("it is there");
    match result {
        Ok(applied) => {
            let graph = OpenOptions::new().open_in(&disk, PATH).expect("what was written is a graph");
            assert_eq!(graph.node_count() as usize, before as usize + diff.new_nodes());
            assert_eq!(applied.nodes, before..graph.node_count());
            let report = graph.verify(&Task::new().threads(1)).expect("memory can be read");
            assert_eq!(report.problems, [""; 0]);
        }
        Err(ChangeError::Operation { operation, fault }) => {
            assert!(operation < diff.len() as u64, "{operation}: {fault}");
            assert!(after == file, "what is refused changes nothing");
        }
        Err(error) => panic!("{error}"),
    }
    after
}

/// Bytes that encode operations.
struct Draws<'a> {
    bytes: &'a [u8],
    new_nodes: Vec<NewNode>,
    new_edges: Vec<NewEdge>,
}

impl Draws<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    /// Adds the next operation to `diff`; `None` at the end of the bytes.
    fn operation(&mut self, diff: &mut Diff) -> Option<()> {
        match self.byte()? % 12 {
            0 => {
                let (labels, count) = ([self.name()?, self.name()?], usize::from(self.byte()? % 3));
                self.new_nodes.push(diff.add_node(&labels[..count]));
            }
            1..=3 => {
                let (label, from, to) = (self.name()?, self.node()?, self.node()?);
                self.new_edges.push(diff.add_edge(label, from, to));
            }
            4 => diff.remove_node(self.id()?),
            5 => {
                let label = self.name()?;
                diff.remove_edge(label, self.id()?);
            }
            6 => diff.declare_label(self.name()?),
            7 => diff.declare_edge_label(self.name()?),
            8 => self.declare(diff)?,
            kind => {
                let (owner, property) = (self.owner()?, self.property()?);
                let count = self.byte()? % 3;
                let values = (0..count).map(|_| self.value()).collect::<Option<Vec<_>>>()?;
                match kind {
                    9 => diff.append(owner, property, values),
                    10 => diff.clear(owner, property),
                    _ => diff.set(owner, property, values),
                }
            }
        }
        Some(())
    }

    fn declare(&mut self, diff: &mut Diff) -> Option<()> {
        let (name, byte) = (self.property()?, self.byte()?);
        let value_type = ValueType::from_number(byte % 14)?;
        let cardinality = Cardinality::from_number(byte / 14 % 3)?;
        let label = self.name()?;
        let owner = if byte % 2 == 0 { PropertyOwner::Nodes } else { PropertyOwner::Edges(label) };
        diff.declare_property(name, owner, value_type, cardinality);
        Some(())
    }

    fn name(&mut self) -> Option<&'static str> {
        Some(NAMES[usize::from(self.byte()?) % NAMES.len()])
    }

    fn property(&mut self) -> Option<&'static str> {
        Some(PROPERTIES[usize::from(self.byte()?) % PROPERTIES.len()])
    }

    /// A node id or the rank of an edge; usually one that exists.
    fn id(&mut self) -> Option<u32> {
        let byte = self.byte()?;
        Some(if byte == u8::MAX { u32::MAX } else { u32::from(byte % 44) })
    }

    fn node(&mut self) -> Option<NodeRef> {
        let byte = self.byte()?;
        match self.new_nodes.get(usize::from(byte / 2)) {
            Some(node) if byte % 2 == 1 => Some(NodeRef::New(*node)),
            _ => Some(NodeRef::Node(self.id()?)),
        }
    }

    fn owner(&mut self) -> Option<ElementRef<'static>> {
        let byte = self.byte()?;
        match self.new_edges.get(usize::from(byte / 4)) {
            Some(edge) if byte % 4 == 1 => Some(ElementRef::NewEdge(*edge)),
            _ if byte % 4 == 2 => Some(ElementRef::Edge(self.name()?, self.id()?)),
            _ => Some(ElementRef::Node(self.node()?)),
        }
    }

    fn value(&mut self) -> Option<NewValue<'static>> {
        let byte = self.byte()?;
        Some(match byte % 9 {
            0 => NewValue::Null,
            1 => NewValue::Bool(byte > 100),
            2 => NewValue::Int(i64::from(byte as i8)),
            3 => NewValue::Uint(u64::MAX - u64::from(byte)),
            4 => NewValue::F32(f32::from(byte) / 3.0),
            5 => NewValue::F64(f64::from(byte) / 3.0),
            6 => NewValue::Str(["", "int main", "main", "new", "größe"][usize::from(byte / 9) % 5]),
            7 => NewValue::from([&b""[..], b"\0", b"\xff\xfe"][usize::from(byte / 9) % 3]),
            _ => NewValue::Ref(self.node()?),
        })
    }
}
