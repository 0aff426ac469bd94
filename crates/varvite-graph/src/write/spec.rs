//! A label and an edge label with prepared columns, as input of [`GraphWriter`](super::GraphWriter).

use super::adjacency::{PreparedAdjacency, PreparedPlaces};
use super::encoder::{PreparedOrigin, PreparedSet};

/// A node label of the new file.
#[derive(Debug)]
pub struct LabelSpec<'a> {
    /// The name of the label.
    pub name: &'a str,
    /// The layer of the label.
    pub layer: u32,
    /// The set of the label's nodes.
    pub nodes: PreparedSet,
    /// The number of the label's nodes in the imported file; 0 if the graph was not imported.
    pub origin_count: u32,
    /// The origin of each node (its number among those nodes), in the order of the nodes' ranks now; `None`
    /// if origins equal ranks.
    pub origin: Option<PreparedOrigin>,
}

/// An edge label of the new file.
#[derive(Debug)]
pub struct EdgeLabelSpec<'a> {
    /// The name of the edge label.
    pub name: &'a str,
    /// The layer of the edge label.
    pub layer: u32,
    /// The number of the label's edges.
    pub edges: u64,
    /// The lists from sources to targets; `None` if readers compute them from the forest.
    pub out: Option<PreparedAdjacency>,
    /// The lists from targets to sources; `None` if readers compute them from the forest.
    pub in_: Option<PreparedAdjacency>,
    /// The places of edges ([`Encoder::places`](super::Encoder::places)), which a label needs if its edges
    /// have properties.
    pub places: Option<PreparedPlaces>,
}
