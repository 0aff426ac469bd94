//! Converts a diff to a record of the log, and back.
//!
//! Records refer to labels and properties by name, as diffs do. A record has no declarations, because a diff
//! that declares something new is written as a large commit instead.

use varvite_format::{
    LogEdge, LogNode, LogOperation, LogOperations, LogOperationsBuilder, LogOwner, LogValue,
};
use varvite_store::StoreError;

use super::chunk::Chunk;
use super::diff::Diff;
use super::element::{ElementRef, NewEdge, NewNode, NodeRef};
use super::new_value::NewValue;
use super::operation::{Kind, Operation, ValueOwner};

/// Encodes a diff as the payload of a record.
///
/// # Errors
/// A failure to read operations of the diff from disk.
pub(super) fn payload_of(diff: &Diff) -> Result<Vec<u8>, StoreError> {
    let mut builder = builder_of(diff);
    diff.for_each(&Kind::ALL, |_, operation, chunk| {
        put(&mut builder, operation, chunk);
        Ok::<(), StoreError>(())
    })?;
    Ok(builder.build())
}

/// A builder with the names of a diff, in the order of their numbers.
pub(super) fn builder_of(diff: &Diff) -> LogOperationsBuilder {
    let mut builder = LogOperationsBuilder::default();
    diff.names.all().iter().for_each(|name| _ = builder.add_name(name));
    builder
}

/// Adds an operation to the builder. Operations that declare a name are left out.
pub(super) fn put(builder: &mut LogOperationsBuilder, operation: Operation<'_>, chunk: &Chunk) {
    match operation {
        Operation::AddNode { labels } => builder.add_node(labels),
        Operation::AddEdge { label, from, to } => builder.add_edge(label, log_node(from), log_node(to)),
        Operation::RemoveNode { node } => builder.remove_node(node),
        Operation::RemoveEdge { label, rank } => builder.remove_edge(LogEdge { label, rank }),
        Operation::Values(given) => {
            let owner = match given.owner {
                ValueOwner::Node(node) => LogOwner::Node(log_node(node)),
                ValueOwner::Edge(label, rank) => LogOwner::Edge(LogEdge { label, rank }),
                ValueOwner::NewEdge(edge) => LogOwner::NewEdge(edge.0),
            };
            let values: Vec<NewValue<'_>> = given.values.iter().map(|value| chunk.value(*value)).collect();
            builder.give_values(owner, given.property, given.is_append, values.iter().map(log_value));
        }
        Operation::DeclareLabel { .. }
        | Operation::DeclareEdgeLabel { .. }
        | Operation::DeclareProperty { .. } => {}
    }
}

/// Decodes a record into a diff.
///
/// # Errors
/// Damage of the record.
pub(super) fn diff_of(payload: &[u8]) -> varvite_format::Result<Diff> {
    let operations = LogOperations::read(payload)?;
    let names = operations.names().to_vec();
    let mut diff = Diff::new();
    for operation in operations {
        take(&mut diff, &names, operation?, &Renumbering::NONE);
    }
    Ok(diff)
}

/// The renumbering of a record's nodes and edges when the record is added to a diff that already contains
/// earlier records.
#[derive(Clone, Copy, Debug)]
pub(super) struct Renumbering {
    /// The id of the first node that the diff adds.
    pub(super) first_node: u32,
    /// The number of nodes that earlier records add.
    pub(super) nodes: u32,
    /// The number of edges that earlier records add.
    pub(super) edges: u32,
}

impl Renumbering {
    /// The renumbering for a record that is the only one in its diff, which changes no number.
    pub(super) const NONE: Self = Self { first_node: u32::MAX, nodes: 0, edges: 0 };

    fn node(&self, node: LogNode) -> NodeRef {
        match node {
            LogNode { number, is_new: true } => NodeRef::New(NewNode(number.saturating_add(self.nodes))),
            LogNode { number, is_new: false } => match number.checked_sub(self.first_node) {
                Some(new) if new < self.nodes => NodeRef::New(NewNode(new)),
                _ => NodeRef::Node(number),
            },
        }
    }

    fn edge(&self, number: u32) -> NewEdge {
        NewEdge(number.saturating_add(self.edges))
    }
}

/// Adds an operation of a record to the diff. Declarations are ignored; no record has one.
pub(super) fn take(diff: &mut Diff, names: &[&str], operation: LogOperation<'_>, renumbering: &Renumbering) {
    let name = |number: u32| names[number as usize];
    match operation {
        LogOperation::AddNode { labels } => {
            let labels: Vec<&str> = labels.map(name).collect();
            diff.add_node(&labels);
        }
        LogOperation::AddEdge { label, from, to } => {
            diff.add_edge(name(label), renumbering.node(from), renumbering.node(to));
        }
        LogOperation::RemoveNode { node } => diff.remove_node(node),
        LogOperation::RemoveEdge(LogEdge { label, rank }) => diff.remove_edge(name(label), rank),
        LogOperation::Values { owner, property, is_append, values } => {
            let owner = match owner {
                LogOwner::Node(node) => ElementRef::Node(renumbering.node(node)),
                LogOwner::Edge(LogEdge { label, rank }) => ElementRef::Edge(name(label), rank),
                LogOwner::NewEdge(number) => ElementRef::NewEdge(renumbering.edge(number)),
            };
            let values = values.map(|value| renumbered(value, renumbering));
            match is_append {
                true => diff.append(owner, name(property), values),
                false => diff.set(owner, name(property), values),
            }
        }
        LogOperation::DeclareLabel { .. }
        | LogOperation::DeclareEdgeLabel { .. }
        | LogOperation::DeclareProperty { .. } => {}
    }
}

fn log_node(node: NodeRef) -> LogNode {
    match node {
        NodeRef::Node(number) => LogNode { number, is_new: false },
        NodeRef::New(NewNode(number)) => LogNode { number, is_new: true },
    }
}

fn log_value<'v>(value: &'v NewValue<'_>) -> LogValue<'v> {
    match value {
        NewValue::Null => LogValue::Null,
        NewValue::Bool(value) => LogValue::Bool(*value),
        NewValue::Int(value) => LogValue::Int(*value),
        NewValue::Uint(value) => LogValue::Uint(*value),
        NewValue::F32(value) => LogValue::F32(*value),
        NewValue::F64(value) => LogValue::F64(*value),
        NewValue::Str(text) => LogValue::Text(text),
        NewValue::Bytes(bytes) => LogValue::Bytes(bytes),
        NewValue::Ref(node) => LogValue::Node(log_node(*node)),
    }
}

/// Converts a value of a record to a value of a diff.
pub(crate) fn new_value(value: LogValue<'_>) -> NewValue<'_> {
    renumbered(value, &Renumbering::NONE)
}

fn renumbered<'v>(value: LogValue<'v>, renumbering: &Renumbering) -> NewValue<'v> {
    match value {
        LogValue::Null => NewValue::Null,
        LogValue::Bool(value) => NewValue::Bool(value),
        LogValue::Int(value) => NewValue::Int(value),
        LogValue::Uint(value) => NewValue::Uint(value),
        LogValue::F32(value) => NewValue::F32(value),
        LogValue::F64(value) => NewValue::F64(value),
        LogValue::Text(text) => NewValue::Str(text),
        LogValue::Bytes(bytes) => NewValue::from(bytes),
        LogValue::Node(node) => NewValue::Ref(renumbering.node(node)),
    }
}
