//! A label and an edge label with prepared columns, as input of [`GraphWriter`](super::GraphWriter).

use super::adjacency::{PreparedAdjacency, PreparedPlaces};
use super::encoder::{PreparedOrigin, PreparedSet};

/// A node label of the new file.
#[derive(Debug)]
pub struct LabelSpec<'a> {
    /// Its name.
    pub name: &'a str,
    /// Layer that added it.
    pub layer: u32,
    /// The set of its nodes.
    pub nodes: PreparedSet,
    /// The number of its nodes in the imported file; 0 without one.
    pub origin_count: u32,
    /// The number of each node among them, by its rank now; none if it is the rank.
    pub origin: Option<PreparedOrigin>,
}

/// An edge label of the new file.
#[derive(Debug)]
pub struct EdgeLabelSpec<'a> {
    /// Its name.
    pub name: &'a str,
    /// Layer that added it.
    pub layer: u32,
    /// The number of its edges.
    pub edges: u64,
    /// From source to targets; none if it follows from the forest.
    pub out: Option<PreparedAdjacency>,
    /// From target to sources; none if it follows from the forest.
    pub in_: Option<PreparedAdjacency>,
    /// See [`Encoder::places`](super::Encoder::places); a label whose edges have properties needs it.
    pub places: Option<PreparedPlaces>,
}
