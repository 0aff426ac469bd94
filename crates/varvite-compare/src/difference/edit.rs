//! [`Edit`]: one thing in which two graphs differ.

use varvite_graph::Direction;

/// One thing in which two graphs differ. Nodes and edges of each are named by its own ids and ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A node of the first graph is not in the second.
    NodeRemoved(u32),
    /// A node of the second graph is not in the first.
    NodeAdded(u32),
    /// A node has other values of a property.
    NodeValue {
        /// The property, by its place in [`Difference::properties`](super::Difference::properties).
        property: u32,
        /// Its ids.
        nodes: [u32; 2],
    },
    /// An edge of the first graph is not in the second.
    EdgeRemoved {
        /// The label, by its place in [`Difference::edge_labels`](super::Difference::edge_labels).
        edge_label: u32,
        /// The edge's place in the first graph.
        edge: EdgeAt,
    },
    /// An edge of the second graph is not in the first.
    EdgeAdded {
        /// The label, by its place in [`Difference::edge_labels`](super::Difference::edge_labels).
        edge_label: u32,
        /// The edge's place in the second graph.
        edge: EdgeAt,
    },
    /// An edge has other values of a property.
    EdgeValue {
        /// The property, by its place in [`Difference::properties`](super::Difference::properties).
        property: u32,
        /// The edge's place in each graph.
        edges: [EdgeAt; 2],
    },
    /// Edges that both graphs have are in another order in a node's list.
    Order {
        /// The label, by its place in [`Difference::edge_labels`](super::Difference::edge_labels).
        edge_label: u32,
        /// The direction of the list.
        direction: Direction,
        /// The ids of the node.
        nodes: [u32; 2],
    },
}

/// The place of an edge in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeAt {
    /// The node where it starts.
    pub source: u32,
    /// The node where it ends.
    pub target: u32,
    /// The number that its values are stored under.
    pub rank: u32,
}
