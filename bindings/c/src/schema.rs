//! The schema in C: labels, edge labels, properties and layers, each as an array of structs, and searches by
//! name.

use varvite::error::{NameKind, nearest};
use varvite::inspect::Layer;
use varvite::{EdgeLabel, EdgeLabelId, Graph, GraphError, Label, LabelId, PropertyId, PropertyInfo};
use varvite_format::{AdjacencyRow, ColumnId, Directory, NONE};

use crate::c_type::Char;
use crate::failure::Failure;
use crate::graph::GraphObject;
use crate::handle::Handle;
use crate::names::Name;
use crate::pointer::{Out, OutAddress, OutStructs, Text, c_struct};
use crate::room::StructsRoom;
use crate::status::Status;

c_struct! {
    /// A node label.
    CLabel = "varvite_label" {
        name: OutAddress<Char>,
        name_length: u64,
        node_count: u64,
        layer: u32,
        nodes_column: u32,
    }
}

c_struct! {
    /// An edge label.
    CEdgeLabel = "varvite_edge_label" {
        name: OutAddress<Char>,
        name_length: u64,
        edge_count: u64,
        layer: u32,
        out_nodes_column: u32,
        out_offsets_column: u32,
        out_neighbors_column: u32,
        in_nodes_column: u32,
        in_offsets_column: u32,
        in_neighbors_column: u32,
        places_column: u32,
    }
}

c_struct! {
    /// A property of nodes, or of the edges of one label.
    CProperty = "varvite_property_info" {
        name: OutAddress<Char>,
        name_length: u64,
        default_text: OutAddress<Char>,
        default_length: u64,
        layer: u32,
        edge_label: u32,
        value_type: u32,
        cardinality: u32,
        owners_column: u32,
        offsets_column: u32,
        values_column: u32,
        strings_column: u32,
    }
}

c_struct! {
    /// A layer.
    CLayer = "varvite_layer" {
        name: OutAddress<Char>,
        name_length: u64,
        tool: OutAddress<Char>,
        tool_length: u64,
        version: OutAddress<Char>,
        version_length: u64,
        time: i64,
        source: [u8; 32],
    }
}

exports! {
    /// All node labels, by number.
    fn varvite_graph_labels(
        graph: Handle<GraphObject>,
        labels: OutStructs<'_, CLabel>,
        label_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let directory = open.graph.store().directory();
        let all = open.graph.label_ids().zip(open.graph.labels()).zip(&open.names.labels);
        let rows = all.map(|((id, label), name)| c_label(directory, id, label, name));
        StructsRoom { items: labels, size: label_size, capacity, count }.fill(rows)
    }

    /// All edge labels, by number.
    fn varvite_graph_edge_labels(
        graph: Handle<GraphObject>,
        edge_labels: OutStructs<'_, CEdgeLabel>,
        edge_label_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let directory = open.graph.store().directory();
        let all = open.graph.edge_label_ids().zip(open.graph.edge_labels()).zip(&open.names.edge_labels);
        let rows = all.map(|((id, label), name)| c_edge_label(directory, id, label, name));
        StructsRoom { items: edge_labels, size: edge_label_size, capacity, count }.fill(rows)
    }

    /// All properties, of nodes and of edges, by number.
    fn varvite_graph_properties(
        graph: Handle<GraphObject>,
        properties: OutStructs<'_, CProperty>,
        property_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let all = open.graph.property_ids().zip(open.graph.properties()).zip(&open.names.properties);
        let rows = all.map(|((id, info), names)| c_property(&open.graph, id, info, names));
        StructsRoom { items: properties, size: property_size, capacity, count }.fill(rows)
    }

    /// All layers, by number.
    fn varvite_graph_layers(
        graph: Handle<GraphObject>,
        layers: OutStructs<'_, CLayer>,
        layer_size: u64,
        capacity: u64,
        count: Out<'_, u64>,
    ) {
        let open = graph.graph()?;
        let rows = open.graph.layers().iter().zip(&open.names.layers);
        StructsRoom { items: layers, size: layer_size, capacity, count }.fill(rows.map(|(layer, names)| c_layer(layer, names)))
    }

    /// The number of a node label.
    fn varvite_label_find(graph: Handle<GraphObject>, name: Text<'_>, label: Out<'_, u32>) {
        let found = graph.read(|object| Ok(object.0.graph.label(name)?))?;
        label.write(found.0);
        Ok(Status::Ok)
    }

    /// The number of an edge label.
    fn varvite_edge_label_find(graph: Handle<GraphObject>, name: Text<'_>, edge_label: Out<'_, u32>) {
        let found = graph.read(|object| Ok(object.0.graph.edge_label(name)?))?;
        edge_label.write(found.0);
        Ok(Status::Ok)
    }

    /// The number of a property of nodes, or of the edges of a label.
    fn varvite_property_find(
        graph: Handle<GraphObject>,
        edge_label: u32,
        name: Text<'_>,
        property: Out<'_, u32>,
    ) {
        let found = graph.read(|object| find_property(&object.0.graph, edge_label, name))?;
        property.write(found.0);
        Ok(Status::Ok)
    }
}

fn find_property(graph: &Graph, edge_label: u32, name: &str) -> Result<PropertyId, Failure> {
    let owner = match edge_label {
        NONE => None,
        number => Some(graph.edge_labels()[edge_label_at(graph, number)?.index()].name.as_str()),
    };
    let is_of_owner = |info: &&PropertyInfo| info.edge_label.as_deref() == owner;
    let of_owner = graph.properties().iter().filter(is_of_owner).map(|info| info.name.as_str());
    let is_wanted = |info: &PropertyInfo| info.edge_label.as_deref() == owner && info.name == name;
    let found = graph.properties().iter().position(is_wanted);
    found.map(PropertyId::from_index).ok_or_else(|| {
        let kind = if owner.is_some() { NameKind::EdgeProperty } else { NameKind::Property };
        GraphError::Unknown { kind, name: name.to_owned(), nearest: nearest(name, of_owner) }.into()
    })
}

/// The edge label with this number. Fails if there is none.
pub(crate) fn edge_label_at(graph: &Graph, number: u32) -> Result<EdgeLabelId, Failure> {
    let (id, count) = (EdgeLabelId(number), graph.edge_labels().len());
    match id.index() < count {
        true => Ok(id),
        false => Err(Failure::Index { kind: "edge label", index: number.into(), count }),
    }
}

/// The property with this number. Fails if there is none.
pub(crate) fn property_at(graph: &Graph, number: u32) -> Result<PropertyId, Failure> {
    let (id, count) = (PropertyId(number), graph.properties().len());
    match id.index() < count {
        true => Ok(id),
        false => Err(Failure::Index { kind: "property", index: number.into(), count }),
    }
}

fn c_label(directory: &Directory, id: LabelId, label: &Label, name: &Name) -> CLabel {
    let nodes = directory.labels.get(id.index()).map(|row| row.nodes);
    let row = nodes.and_then(|column| directory.columns.get(column.index()));
    CLabel {
        name: name.text(),
        name_length: name.len(),
        node_count: row.map_or(0, |row| row.count),
        layer: label.layer,
        nodes_column: ColumnId::to_number(nodes),
    }
}

fn c_edge_label(directory: &Directory, id: EdgeLabelId, label: &EdgeLabel, name: &Name) -> CEdgeLabel {
    let none = AdjacencyRow { nodes: None, offsets: None, neighbors: None };
    let row = directory.edge_labels.get(id.index());
    let (out, in_) = row.map_or((none, none), |row| (row.out, row.in_));
    CEdgeLabel {
        name: name.text(),
        name_length: name.len(),
        edge_count: label.edges,
        layer: label.layer,
        out_nodes_column: ColumnId::to_number(out.nodes),
        out_offsets_column: ColumnId::to_number(out.offsets),
        out_neighbors_column: ColumnId::to_number(out.neighbors),
        in_nodes_column: ColumnId::to_number(in_.nodes),
        in_offsets_column: ColumnId::to_number(in_.offsets),
        in_neighbors_column: ColumnId::to_number(in_.neighbors),
        places_column: ColumnId::to_number(row.and_then(|row| row.places)),
    }
}

fn c_property(
    graph: &Graph,
    id: PropertyId,
    info: &PropertyInfo,
    (name, default): &(Name, Option<Name>),
) -> CProperty {
    let row = graph.store().directory().properties.get(id.index());
    let column = |column: Option<ColumnId>| ColumnId::to_number(column);
    let of_label = |wanted: &str| graph.edge_label(wanted).map_or(NONE, |id| id.0);
    CProperty {
        name: name.text(),
        name_length: name.len(),
        default_text: default.as_ref().map_or(OutAddress::NULL, Name::text),
        default_length: default.as_ref().map_or(0, Name::len),
        layer: info.layer,
        edge_label: info.edge_label.as_deref().map_or(NONE, of_label),
        value_type: info.value_type as u32,
        cardinality: info.cardinality as u32,
        owners_column: column(row.map(|row| row.present)),
        offsets_column: column(row.and_then(|row| row.offsets)),
        values_column: column(row.map(|row| row.values)),
        strings_column: column(row.and_then(|row| row.strings)),
    }
}

fn c_layer(layer: &Layer, [name, tool, version]: &[Name; 3]) -> CLayer {
    CLayer {
        name: name.text(),
        name_length: name.len(),
        tool: tool.text(),
        tool_length: tool.len(),
        version: version.text(),
        version_length: version.len(),
        time: layer.time,
        source: layer.source,
    }
}
