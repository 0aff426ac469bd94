//! [`PathStep`]: a node of a path, and the edge that leads to it.

use varvite_format::EdgeLabelId;

use varvite_graph::Direction;

/// A node of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathStep {
    /// The node.
    pub node: u32,
    /// The edge that leads to it from the node before: its label, and which way round it was
    /// taken. None for the first node.
    pub edge: Option<(EdgeLabelId, Direction)>,
}
