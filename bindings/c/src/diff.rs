//! `varvite_diff`: operations on a graph, collected to be applied together.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, ElementRef, NewEdge, NewNode, NewValue, NodeRef, PropertyOwner};
use varvite::{Cardinality, ValueType};
use varvite_format::NONE;
use varvite_store::vfs::RealVfs;

use crate::c_type::Char;
use crate::failure::Failure;
use crate::handle::{Counted, Handle, Kind};
use crate::pointer::{
    Byte, FieldItems, In, Items, OptionalOutItems, OptionalPathText, OptionalText, Out, OutItems, Text,
    Texts, c_struct,
};
use crate::room::Room;
use crate::status::Status;

/// The object behind a diff handle.
pub(crate) struct DiffObject(pub(crate) Diff);

impl Kind for DiffObject {
    const NAME: &'static str = "diff";
    const FOUND: &'static str = "it is one of a diff";
    const C: &'static str = "varvite_diff";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

/// Added to the number of a node that a diff adds, to distinguish it from the ids of the graph's nodes.
pub(crate) const NEW_NODE: u64 = 1 << 32;
/// Added to the number of an edge that a diff adds, to distinguish it from all numbers of nodes and edges.
pub(crate) const NEW_EDGE: u64 = 2 << 32;

c_struct! {
    /// An owner of values: a node or an edge.
    COwner = "varvite_owner" {
        edge_label: FieldItems<Char>,
        number: u64,
    }
}

c_struct! {
    /// A value that a diff sets or appends.
    CValue = "varvite_value" {
        value_type: u32,
        length: u32,
        number: i64,
        real: f64,
        bytes: FieldItems<Byte>,
    }
}

impl COwner {
    /// The owner as a diff refers to it.
    fn element(&self) -> Result<ElementRef<'_>, Failure> {
        if !self.edge_label.is_null() {
            let (expected, found) = ("the rank of an edge of the graph", self.number);
            let rank = u32::try_from(found);
            let rank = rank.map_err(|_| Failure::Value { argument: "owner.number", expected, found })?;
            return Ok(ElementRef::Edge(self.edge_label.text("owner.edge_label")?, rank));
        }
        match self.number >> 32 {
            2 => Ok(ElementRef::NewEdge(NewEdge::from_index(self.number as u32))),
            _ => Ok(ElementRef::Node(node_ref("owner.number", self.number)?)),
        }
    }
}

impl CValue {
    /// The value in the engine's type.
    pub(crate) fn value(&self) -> Result<NewValue<'_>, Failure> {
        let value_type = u8::try_from(self.value_type).ok().and_then(ValueType::from_number);
        Ok(match value_type {
            None if self.value_type == NONE => NewValue::Null,
            None => return Err(unknown_type("values.value_type", self.value_type)),
            Some(ValueType::Bool) => match self.number {
                0 => NewValue::Bool(false),
                1 => NewValue::Bool(true),
                other => return Err(wrong_number("0 or 1", other)),
            },
            Some(ValueType::U64) => NewValue::Uint(self.number as u64),
            Some(ValueType::F32) => NewValue::F32(self.real as f32),
            Some(ValueType::F64) => NewValue::F64(self.real),
            Some(ValueType::String) => NewValue::Str(self.bytes.letters("values.bytes", self.length.into())?),
            Some(ValueType::Bytes) => NewValue::from(self.bytes.bytes("values.bytes", self.length.into())?),
            Some(ValueType::Ref) => match u64::try_from(self.number) {
                Ok(number) if number == u64::from(NONE) => NewValue::Null,
                Ok(number) => NewValue::Ref(node_ref("values.number", number)?),
                Err(_) => return Err(wrong_number(NODE, self.number)),
            },
            Some(_) => NewValue::Int(self.number),
        })
    }
}

const NODE: &str = "the id of a node, or what varvite_diff_add_node gave";

fn wrong_number(expected: &'static str, found: i64) -> Failure {
    Failure::Value { argument: "values.number", expected, found: found as u64 }
}

fn unknown_type(argument: &'static str, found: u32) -> Failure {
    Failure::Value { argument, expected: "one of the types", found: found.into() }
}

/// The value type and cardinality with these numbers.
pub(crate) fn declared_kind(value_type: u32, cardinality: u32) -> Result<(ValueType, Cardinality), Failure> {
    let kind = u8::try_from(value_type).ok().and_then(ValueType::from_number);
    let kind = kind.ok_or_else(|| unknown_type("value_type", value_type))?;
    let many = u8::try_from(cardinality).ok().and_then(Cardinality::from_number);
    let (argument, expected) = ("cardinality", "one of the cardinalities");
    let many = many.ok_or(Failure::Value { argument, expected, found: cardinality.into() })?;
    Ok((kind, many))
}

fn node_ref(argument: &'static str, number: u64) -> Result<NodeRef, Failure> {
    match number >> 32 {
        0 => Ok(NodeRef::Node(number as u32)),
        1 => Ok(NodeRef::New(NewNode::from_index(number as u32))),
        _ => Err(Failure::Value { argument, expected: NODE, found: number }),
    }
}

/// The caller's values in the engine's type.
pub(crate) fn given(values: &[CValue]) -> Result<Vec<NewValue<'_>>, Failure> {
    values.iter().map(CValue::value).collect()
}

/// An empty diff that keeps at most `memory_bytes` in memory; 0 means no limit.
fn empty(beside: Option<&Path>, memory_bytes: u64) -> Result<Diff, Failure> {
    match (beside, usize::try_from(memory_bytes).unwrap_or(usize::MAX)) {
        (_, 0) => Ok(Diff::new()),
        (None, _) => Err(Failure::Null { argument: "beside" }),
        (Some(beside), bytes) => Ok(Diff::with_memory(bytes, Arc::new(RealVfs), beside)?),
    }
}

/// Decodes a diff that keeps at most `memory_bytes` in memory; 0 means no limit.
pub(crate) fn read(bytes: &[u8], beside: &Path, memory_bytes: u64) -> Result<Diff, Failure> {
    Ok(empty(Some(beside), memory_bytes)?.read_bytes(bytes)?)
}

exports! {
    /// Creates a diff without operations.
    fn varvite_diff_create(
        beside: OptionalPathText<'_>,
        memory_bytes: u64,
        diff: Out<'_, Counted<DiffObject>>,
    ) {
        diff.write(Counted::new(DiffObject(empty(beside, memory_bytes)?)));
        Ok(Status::Ok)
    }

    /// Decodes a diff from bytes.
    fn varvite_diff_from_bytes(bytes: Items<'_, Byte>, length: u64, diff: Out<'_, Counted<DiffObject>>) {
        diff.write(Counted::new(DiffObject(Diff::from_bytes(bytes.bytes(length)?)?)));
        Ok(Status::Ok)
    }

    /// Encodes a diff as bytes.
    fn varvite_diff_to_bytes(
        diff: Handle<DiffObject>,
        bytes: OutItems<'_, Byte>,
        capacity: u64,
        length: Out<'_, u64>,
    ) {
        let made = diff.read(|object| Ok(object.0.to_bytes()?))?;
        Room { items: bytes, capacity, count: length }.fill(made.into_iter().map(Byte))
    }

    /// The number of operations of a diff, and of the nodes and edges that they add.
    fn varvite_diff_counts(
        diff: Handle<DiffObject>,
        operations: Out<'_, u64>,
        nodes: Out<'_, u64>,
        edges: Out<'_, u64>,
    ) {
        diff.read(|DiffObject(diff)| {
            operations.write(diff.len() as u64);
            nodes.write(diff.new_nodes() as u64);
            edges.write(diff.new_edges() as u64);
            Ok(Status::Ok)
        })
    }

    /// Adds a node.
    fn varvite_diff_add_node(
        diff: Counted<DiffObject>,
        labels: Texts<'_>,
        label_count: u64,
        node: OptionalOutItems<'_, u64>,
    ) {
        let (labels, room) = (labels.all(label_count)?, node.slice(1)?);
        let added = diff.change(|object| Ok(object.0.add_node(&labels)))?;
        if let Some([room]) = room {
            room.write(NEW_NODE | added.index() as u64);
        }
        Ok(Status::Ok)
    }

    /// Adds an edge.
    fn varvite_diff_add_edge(
        diff: Counted<DiffObject>,
        edge_label: Text<'_>,
        source: u64,
        target: u64,
        edge: OptionalOutItems<'_, u64>,
    ) {
        let (source, target) = (node_ref("source", source)?, node_ref("target", target)?);
        let room = edge.slice(1)?;
        let added = diff.change(|object| Ok(object.0.add_edge(edge_label, source, target)))?;
        if let Some([room]) = room {
            room.write(NEW_EDGE | added.index() as u64);
        }
        Ok(Status::Ok)
    }

    /// Removes a node.
    fn varvite_diff_remove_node(diff: Counted<DiffObject>, node: u32) {
        diff.change(|object| {
            object.0.remove_node(node);
            Ok(Status::Ok)
        })
    }

    /// Removes an edge.
    fn varvite_diff_remove_edge(diff: Counted<DiffObject>, edge_label: Text<'_>, rank: u32) {
        diff.change(|object| {
            object.0.remove_edge(edge_label, rank);
            Ok(Status::Ok)
        })
    }

    /// Replaces the values of a property of an owner.
    fn varvite_diff_set(
        diff: Counted<DiffObject>,
        owner: In<'_, COwner>,
        property: Text<'_>,
        values: Items<'_, CValue>,
        count: u64,
    ) {
        let (owner, values) = (owner.element()?, given(values.slice(count)?)?);
        diff.change(|object| {
            object.0.set(owner, property, values);
            Ok(Status::Ok)
        })
    }

    /// Appends values to a property of an owner.
    fn varvite_diff_append(
        diff: Counted<DiffObject>,
        owner: In<'_, COwner>,
        property: Text<'_>,
        values: Items<'_, CValue>,
        count: u64,
    ) {
        let (owner, values) = (owner.element()?, given(values.slice(count)?)?);
        diff.change(|object| {
            object.0.append(owner, property, values);
            Ok(Status::Ok)
        })
    }

    /// Removes all values of a property of an owner.
    fn varvite_diff_clear(diff: Counted<DiffObject>, owner: In<'_, COwner>, property: Text<'_>) {
        let owner = owner.element()?;
        diff.change(|object| {
            object.0.clear(owner, property);
            Ok(Status::Ok)
        })
    }

    /// Appends the operations of another diff, and ends the other diff's handle.
    fn varvite_diff_absorb(
        diff: Counted<DiffObject>,
        other: Counted<DiffObject>,
        nodes: OptionalOutItems<'_, u64>,
        edges: OptionalOutItems<'_, u64>,
    ) {
        if diff.is(&other) {
            return Err(Failure::Same { argument: "other", same_as: "diff" });
        }
        let (nodes, edges) = (nodes.slice(1)?, edges.slice(1)?);
        diff.read(|_| Ok(()))?;
        // The two diffs are locked one after the other. No thread holds both locks, so two threads can't
        // deadlock.
        let DiffObject(other) = other.take(|_| Ok(()))?;
        let absorbed = diff.change(|object| Ok(object.0.absorb(&other)))?;
        if let Some([room]) = nodes {
            room.write(absorbed.node(NewNode::from_index(0)).index() as u64);
        }
        if let Some([room]) = edges {
            room.write(absorbed.edge(NewEdge::from_index(0)).index() as u64);
        }
        Ok(Status::Ok)
    }

    /// Declares a label.
    fn varvite_diff_declare_label(diff: Counted<DiffObject>, name: Text<'_>) {
        diff.change(|object| {
            object.0.declare_label(name);
            Ok(Status::Ok)
        })
    }

    /// Declares an edge label.
    fn varvite_diff_declare_edge_label(diff: Counted<DiffObject>, name: Text<'_>) {
        diff.change(|object| {
            object.0.declare_edge_label(name);
            Ok(Status::Ok)
        })
    }

    /// Declares a property.
    fn varvite_diff_declare_property(
        diff: Counted<DiffObject>,
        edge_label: OptionalText<'_>,
        name: Text<'_>,
        value_type: u32,
        cardinality: u32,
    ) {
        let owner = edge_label.map_or(PropertyOwner::Nodes, PropertyOwner::Edges);
        let (kind, many) = declared_kind(value_type, cardinality)?;
        diff.change(|object| {
            object.0.declare_property(name, owner, kind, many);
            Ok(Status::Ok)
        })
    }
}
