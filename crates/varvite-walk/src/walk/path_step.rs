//! [`PathStep`]: a node of a path, and the edge that leads to it.

use varvite_format::EdgeLabelId;

use varvite_graph::Direction;

/// A node of a path, with the edge that leads to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// The id of the node.
    pub node: u32,
    /// The edge that leads to the node from the previous node: its label, and the direction in which it was
    /// followed. `None` for the first node, and for a node that was reached without an edge.
    pub edge: Option<(EdgeLabelId, Direction)>,
}
