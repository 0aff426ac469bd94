//! `varvite_new_graph`: a graph with a schema that the caller defines, built node by node.

use std::path::Path;

use varvite::change::{NewValue, NodeRef, PropertyOwner};
use varvite::write::{Added, Codec, NewGraphOptions, NewGraphReport};
use varvite::{NewGraph, Profile};

use super::import::{codec, if_exists, profile};
use crate::c_type::Char;
use crate::diff::{COwner, CValue, declared_kind, given};
use crate::failure::Failure;
use crate::handle::{Counted, Handle, Kind};
use crate::pointer::{
    Byte, FieldItems, FieldTexts, In, Items, OptionalOutItems, OptionalText, Options, Out, OutStructs,
    PathText, SizedFirst, Text, Texts, c_struct,
};
use crate::run::task;
use crate::status::Status;

/// The object behind a new graph's handle.
pub(crate) struct NewGraphObject(NewGraph<'static>);

impl Kind for NewGraphObject {
    const NAME: &'static str = "new graph";
    const FOUND: &'static str = "it is one of a new graph";
    const C: &'static str = "varvite_new_graph";
    const GRAPH: Option<fn(&Self) -> &varvite::Graph> = None;
}

c_struct! {
    /// Options of a new graph.
    NewGraphSettings = "varvite_new_graph_options" {
        size: u32,
        profile: u32,
        codec: u32,
        replace: u32,
        threads: u32,
        index_count: u32,
        memory_bytes_max: u64,
        tree: FieldItems<Char>,
        indexes: FieldTexts,
    }
}

c_struct! {
    /// The counts and the digest of a finished new graph.
    Made = "varvite_new_graph_report" {
        node_count: u64,
        edge_count: u64,
        file_length: u64,
        digest: [u8; 32],
    }
}

impl Default for NewGraphSettings {
    fn default() -> Self {
        Self {
            size: size_of::<Self>() as u32,
            profile: Profile::Compact.to_number(),
            codec: Codec::Zstd as u32,
            replace: 0,
            threads: 0,
            index_count: 0,
            memory_bytes_max: 0,
            tree: FieldItems::NULL,
            indexes: FieldTexts::NULL,
        }
    }
}

impl SizedFirst for NewGraphSettings {}

impl NewGraphSettings {
    fn create(&self, path: &Path) -> Result<NewGraph<'static>, Failure> {
        let mut options = NewGraphOptions::new()
            .profile(profile(self.profile)?)
            .codec(codec(self.codec)?)
            .if_exists(if_exists(self.replace)?)
            .task(task(self.threads, self.memory_bytes_max));
        if !self.tree.is_null() {
            options = options.tree(self.tree.text("options.tree")?);
        }
        let indexes = self.indexes.all("options.indexes", self.index_count.into())?;
        options = indexes.into_iter().fold(options, NewGraphOptions::index);
        Ok(options.create(path)?)
    }
}

/// The owner of values: a node by its number, or an edge by its label and its number among the label's edges.
fn added(new: &NewGraph<'_>, owner: &COwner) -> Result<Added, Failure> {
    let (argument, found) = ("owner.number", owner.number);
    let expected = "what varvite_new_graph_add_node or varvite_new_graph_add_edge gave";
    let number = u32::try_from(found).map_err(|_| Failure::Value { argument, expected, found })?;
    match owner.edge_label.is_null() {
        true => Ok(Added::Node(number)),
        false => Ok(Added::Edge(new.edge(owner.edge_label.text("owner.edge_label")?, number)?)),
    }
}

/// Returns the values, or fails if one of them refers to a node that a diff adds.
fn without_new_nodes<'v>(values: Vec<NewValue<'v>>) -> Result<Vec<NewValue<'v>>, Failure> {
    let new = values.iter().find_map(|value| match value {
        NewValue::Ref(NodeRef::New(node)) => Some(node.index() as u64),
        _ => None,
    });
    let (argument, expected) = ("values.number", "what varvite_new_graph_add_node gave, or VARVITE_NONE");
    match new {
        None => Ok(values),
        Some(index) => Err(Failure::Value { argument, expected, found: crate::diff::NEW_NODE | index }),
    }
}

exports! {
    /// Begins a new graph.
    fn varvite_new_graph_create(
        path: PathText<'_>,
        options: Options<'_, NewGraphSettings>,
        new_graph: Out<'_, Counted<NewGraphObject>>,
    ) {
        new_graph.write(Counted::new(NewGraphObject(options.create(path)?)));
        Ok(Status::Ok)
    }

    /// The number of nodes added so far.
    fn varvite_new_graph_node_count(new_graph: Handle<NewGraphObject>, nodes: Out<'_, u32>) {
        new_graph.read(|object| {
            nodes.write(object.0.node_count());
            Ok(Status::Ok)
        })
    }

    /// Declares a label.
    fn varvite_new_graph_declare_label(new_graph: Counted<NewGraphObject>, name: Text<'_>) {
        new_graph.change(|object| Ok(object.0.declare_label(name)?))?;
        Ok(Status::Ok)
    }

    /// Declares an edge label.
    fn varvite_new_graph_declare_edge_label(new_graph: Counted<NewGraphObject>, name: Text<'_>) {
        new_graph.change(|object| Ok(object.0.declare_edge_label(name)?))?;
        Ok(Status::Ok)
    }

    /// Declares a property.
    fn varvite_new_graph_declare_property(
        new_graph: Counted<NewGraphObject>,
        edge_label: OptionalText<'_>,
        name: Text<'_>,
        value_type: u32,
        cardinality: u32,
    ) {
        let owner = edge_label.map_or(PropertyOwner::Nodes, PropertyOwner::Edges);
        let (kind, many) = declared_kind(value_type, cardinality)?;
        new_graph.change(|object| Ok(object.0.declare_property(name, owner, kind, many)?))?;
        Ok(Status::Ok)
    }

    /// Adds a node.
    fn varvite_new_graph_add_node(
        new_graph: Counted<NewGraphObject>,
        labels: Texts<'_>,
        label_count: u64,
        node: OptionalOutItems<'_, u32>,
    ) {
        let (labels, room) = (labels.all(label_count)?, node.slice(1)?);
        let added = new_graph.change(|object| Ok(object.0.add_node(&labels)?))?;
        if let Some([room]) = room {
            room.write(added);
        }
        Ok(Status::Ok)
    }

    /// Adds an edge.
    fn varvite_new_graph_add_edge(
        new_graph: Counted<NewGraphObject>,
        edge_label: Text<'_>,
        source: u32,
        target: u32,
        number: OptionalOutItems<'_, u32>,
    ) {
        let room = number.slice(1)?;
        let added = new_graph.change(|object| Ok(object.0.add_edge(edge_label, source, target)?))?;
        if let Some([room]) = room {
            room.write(added.number());
        }
        Ok(Status::Ok)
    }

    /// Sets the value of a property of an owner.
    fn varvite_new_graph_set(
        new_graph: Counted<NewGraphObject>,
        owner: In<'_, COwner>,
        property: Text<'_>,
        value: In<'_, CValue>,
    ) {
        let values = without_new_nodes(vec![value.value()?])?;
        new_graph.change(|NewGraphObject(new)| {
            let owner = added(new, &owner)?;
            values.into_iter().try_for_each(|value| Ok(new.set(owner, property, value)?))
        })?;
        Ok(Status::Ok)
    }

    /// Appends values to a property of an owner.
    fn varvite_new_graph_append(
        new_graph: Counted<NewGraphObject>,
        owner: In<'_, COwner>,
        property: Text<'_>,
        values: Items<'_, CValue>,
        count: u64,
    ) {
        let values = without_new_nodes(given(values.slice(count)?)?)?;
        new_graph.change(|NewGraphObject(new)| Ok(new.append(added(new, &owner)?, property, values)?))?;
        Ok(Status::Ok)
    }

    /// Runs the operations of a diff, passed as bytes; the operations may only add and declare.
    fn varvite_new_graph_apply_bytes(
        new_graph: Counted<NewGraphObject>,
        bytes: Items<'_, Byte>,
        length: u64,
    ) {
        let bytes = bytes.bytes(length)?;
        new_graph.change(|object| Ok(object.0.apply_bytes(bytes)?))?;
        Ok(Status::Ok)
    }

    /// Writes the graph file, and ends the handle.
    fn varvite_new_graph_finish(
        new_graph: Counted<NewGraphObject>,
        report: OutStructs<'_, Made>,
        report_size: u64,
    ) {
        let report = report.room(report_size, 1)?;
        let NewGraphObject(new) = new_graph.take(|_| Ok(()))?;
        let NewGraphReport { nodes, edges, file_len, digest, .. } = new.finish()?;
        report.write(Made { node_count: nodes.into(), edge_count: edges, file_length: file_len, digest });
        Ok(Status::Ok)
    }
}
