//! The number by which a graph, and a value that refers to a node, name the node.

/// The place of a node in the list of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub usize);
