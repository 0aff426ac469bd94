//! [`Added`]: an owner of values in a new graph: a node or an edge.

/// An edge of a new graph, as [`NewGraph::add_edge`](super::NewGraph::add_edge) gives it. Ids that edges have
/// in the file are others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddedEdge {
    /// The number of its label.
    pub(super) label: u32,
    /// Its number among the edges of its label.
    pub(super) number: u32,
}

impl AddedEdge {
    /// Its number among the edges of its label, from 0 in the order in which they were added.
    /// [`NewGraph::edge`](super::NewGraph::edge) leads back.
    pub fn number(self) -> u32 {
        self.number
    }
}

/// A node or an edge of a new graph. Functions with such a parameter take a node's number or an
/// [`AddedEdge`], too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Added {
    /// The node of this number.
    Node(u32),
    /// An edge.
    Edge(AddedEdge),
}

impl From<u32> for Added {
    fn from(node: u32) -> Self {
        Self::Node(node)
    }
}

impl From<AddedEdge> for Added {
    fn from(edge: AddedEdge) -> Self {
        Self::Edge(edge)
    }
}
