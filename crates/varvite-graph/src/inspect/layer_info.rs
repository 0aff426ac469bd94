//! [`LayerInfo`]: the content of each layer of a graph, and its size in bytes.

use std::collections::HashSet;

use varvite_format::{AdjacencyRow, ColumnId, EdgeLabelRow, LabelRow, PropertyRow, SegmentId};

use crate::cursor::value::Hex;
use crate::error::Result;
use crate::graph::Graph;
use crate::inspect::describe::{Parts, stored_bytes};
use crate::schema::Layer;

/// A layer and its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayerInfo {
    /// Name and origin of the layer.
    pub layer: Layer,
    /// Names of the node labels that the layer added.
    pub labels: Vec<String>,
    /// Names of the edge labels that the layer added.
    pub edge_labels: Vec<String>,
    /// Names of the properties, of nodes and of edges, that the layer added.
    pub properties: Vec<String>,
    /// The number of nodes with one of the layer's labels.
    pub nodes: u64,
    /// The number of edges with one of the layer's edge labels.
    pub edges: u64,
    /// Whether the layer was added with its own nodes and edges, and can be dropped together with them.
    pub is_apart: bool,
    /// Bytes of the layer's columns in the file, block tables included. A segment that several layers share
    /// is counted for each layer.
    pub bytes: u64,
}

impl LayerInfo {
    /// Describes every layer, in the order of the graph. Reads the label set of each node.
    ///
    /// # Errors
    /// [`GraphError::Store`](crate::GraphError::Store), if the label sets are damaged.
    pub fn all(graph: &Graph) -> Result<Vec<Self>> {
        let nodes = nodes_of_layers(graph)?;
        let layers = (0..).zip(graph.layers()).zip(nodes);
        Ok(layers.map(|((number, layer), nodes)| Self::of(graph, number, layer, nodes)).collect())
    }

    /// Hash of the layer's source and of the layer's values, in hexadecimal digits; `None` if unknown.
    pub fn source(&self) -> Option<String> {
        let source = &self.layer.source;
        (*source != [0; 32]).then(|| Hex(source).to_string())
    }

    /// Whether the layer can be dropped or replaced, provided that no other element refers to its nodes.
    pub fn may_be_dropped(&self) -> bool {
        self.is_apart || self.is_of_properties()
    }

    /// Whether the layer has only properties, no labels.
    pub fn is_of_properties(&self) -> bool {
        self.labels.is_empty() && self.edge_labels.is_empty()
    }

    fn of(graph: &Graph, number: u32, layer: &Layer, nodes: u64) -> Self {
        let labels = graph.labels().iter().filter(|label| label.layer == number);
        let edge_labels = graph.edge_labels().iter().filter(|label| label.layer == number);
        let properties = graph.properties().iter().filter(|property| property.layer == number);
        let row = graph.store().directory().layers.get(number as usize);
        Self {
            nodes,
            edges: edge_labels.clone().map(|label| label.edges).sum(),
            is_apart: row.is_some_and(|row| row.nodes.is_some()),
            layer: layer.clone(),
            labels: labels.map(|label| label.name.clone()).collect(),
            edge_labels: edge_labels.map(|label| label.name.clone()).collect(),
            properties: properties.map(|property| property.name.clone()).collect(),
            bytes: bytes_of(graph, number),
        }
    }
}

/// For each layer, the number of nodes that have one of its labels.
fn nodes_of_layers(graph: &Graph) -> Result<Vec<u64>> {
    let sets = graph.label_sets()?;
    let mut counts = Vec::new();
    sets.count_codes(0..graph.node_count(), &mut counts);
    graph.check()?;
    let mut nodes = vec![0; graph.layers().len()];
    for (code, count) in (0..).zip(counts).filter(|(_, count)| *count > 0) {
        let mut layers: Vec<u32> =
            sets.of_code(code).map(|label| graph.labels()[label.index()].layer).collect();
        layers.sort_unstable();
        layers.dedup();
        layers.into_iter().for_each(|layer| nodes[layer as usize] += count);
    }
    Ok(nodes)
}

fn bytes_of(graph: &Graph, number: u32) -> u64 {
    let directory = graph.store().directory();
    let labels = directory.labels.iter().filter(|row| row.layer == number).flat_map(columns_of_label);
    let edges = directory.edge_labels.iter().filter(|row| row.layer == number).flat_map(columns_of_edges);
    let properties =
        directory.properties.iter().filter(|row| row.layer == number).flat_map(columns_of_property);
    let columns = labels.chain(edges).chain(properties).flatten();
    let segments: HashSet<SegmentId> =
        columns.flat_map(|column| Parts::of(directory, column).segments).collect();
    segments.into_iter().map(|segment| stored_bytes(directory, segment)).sum()
}

fn columns_of_label(row: &LabelRow) -> Vec<Option<ColumnId>> {
    vec![Some(row.nodes), row.origin]
}

fn columns_of_edges(row: &EdgeLabelRow) -> Vec<Option<ColumnId>> {
    let of_side = |side: AdjacencyRow| [side.nodes, side.offsets, side.neighbors];
    [row.out, row.in_].into_iter().flat_map(of_side).chain([row.places]).collect()
}

fn columns_of_property(row: &PropertyRow) -> Vec<Option<ColumnId>> {
    vec![Some(row.present), row.offsets, Some(row.values), row.strings]
}
