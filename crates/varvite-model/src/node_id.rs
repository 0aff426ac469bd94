//! The number of a node in its graph and in values that refer to it.

/// The place of a node in the list of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub usize);
