//! [`LayerInfo`]: what each layer of a graph holds, and how many bytes that takes; from the directory alone.

use std::collections::HashSet;

use varvite_format::{AdjacencyRow, ColumnId, EdgeLabelRow, LabelRow, PropertyRow, SegmentId};

use crate::describe::{Parts, stored_bytes};
use crate::graph::Graph;
use crate::schema::Layer;
use crate::value::Hex;

/// A layer, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LayerInfo {
    /// Its name and where it comes from.
    pub layer: Layer,
    /// Names of its node labels.
    pub labels: Vec<String>,
    /// Names of its edge labels.
    pub edge_labels: Vec<String>,
    /// Names of its properties, of nodes and of edges.
    pub properties: Vec<String>,
    /// Bytes in the file, block tables included. What several layers share counts for each of them.
    pub bytes: u64,
}

impl LayerInfo {
    /// Of every layer, in the order of the graph. Takes time in proportion to the directory.
    pub fn all(graph: &Graph) -> Vec<Self> {
        (0..).zip(graph.layers()).map(|(number, layer)| Self::of(graph, number, layer)).collect()
    }

    /// The source that it was made from, and its values, as a hash in hexadecimal digits; none if unknown.
    pub fn source(&self) -> Option<String> {
        let source = &self.layer.source;
        (*source != [0; 32]).then(|| Hex(source).to_string())
    }

    /// Whether it holds nothing but properties, so that it may be dropped or replaced.
    pub fn is_of_properties(&self) -> bool {
        self.labels.is_empty() && self.edge_labels.is_empty()
    }

    fn of(graph: &Graph, number: u32, layer: &Layer) -> Self {
        let labels = graph.labels().iter().filter(|label| label.layer == number);
        let edge_labels = graph.edge_labels().iter().filter(|label| label.layer == number);
        let properties = graph.properties().iter().filter(|property| property.layer == number);
        Self {
            layer: layer.clone(),
            labels: labels.map(|label| label.name.clone()).collect(),
            edge_labels: edge_labels.map(|label| label.name.clone()).collect(),
            properties: properties.map(|property| property.name.clone()).collect(),
            bytes: bytes_of(graph, number),
        }
    }
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
