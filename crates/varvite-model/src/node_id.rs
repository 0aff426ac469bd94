//! The number by which a graph, and values that refer to nodes, identify a node.

/// The place of a node in the list of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub usize);
