//! [`Edit`]: one difference of two graphs.

use varvite_graph::Direction;

/// One difference of two graphs. The nodes and edges of each graph are given by their ids and ranks in that
/// graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// A node of the first graph that is not in the second.
    NodeRemoved(u32),
    /// A node of the second graph that is not in the first.
    NodeAdded(u32),
    /// A node has different values of a property in the two graphs.
    NodeValue {
        /// The index of the property in [`Difference::properties`](super::Difference::properties).
        property: u32,
        /// The ids of the node in both graphs.
        nodes: [u32; 2],
    },
    /// An edge of the first graph that is not in the second.
    EdgeRemoved {
        /// The index of the edge label in [`Difference::edge_labels`](super::Difference::edge_labels).
        edge_label: u32,
        /// The edge in the first graph.
        edge: EdgeAt,
    },
    /// An edge of the second graph that is not in the first.
    EdgeAdded {
        /// The index of the edge label in [`Difference::edge_labels`](super::Difference::edge_labels).
        edge_label: u32,
        /// The edge in the second graph.
        edge: EdgeAt,
    },
    /// An edge has different values of a property in the two graphs.
    EdgeValue {
        /// The index of the property in [`Difference::properties`](super::Difference::properties).
        property: u32,
        /// The edge in each graph.
        edges: [EdgeAt; 2],
    },
    /// In an edge list of a node, the shared edges (those that both graphs have) are in a different order.
    Order {
        /// The index of the edge label in [`Difference::edge_labels`](super::Difference::edge_labels).
        edge_label: u32,
        /// The direction of the list.
        direction: Direction,
        /// The ids of the node in both graphs.
        nodes: [u32; 2],
    },
}

/// An edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeAt {
    /// The source of the edge.
    pub source: u32,
    /// The target of the edge.
    pub target: u32,
    /// The rank of the edge, by which its values are stored.
    pub rank: u32,
}
