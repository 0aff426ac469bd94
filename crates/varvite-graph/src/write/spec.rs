//! What a [`GraphWriter`](super::GraphWriter) is given of a label and of an edge label, with its prepared
//! columns.

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
    /// How many nodes it had in the file it came from; 0 if it came from none.
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
    /// How many edges have it.
    pub edges: u64,
    /// From source to targets; none if it follows from the forest.
    pub out: Option<PreparedAdjacency>,
    /// From target to sources; none if it follows from the forest.
    pub in_: Option<PreparedAdjacency>,
    /// See [`Encoder::places`](super::Encoder::places); a label whose edges have properties needs it.
    pub places: Option<PreparedPlaces>,
}
