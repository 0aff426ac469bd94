//! [`Added`]: an owner of values in a new graph: a node or an edge.

/// An edge of a new graph, as [`NewGraph::add_edge`](super::NewGraph::add_edge) returns it. In the file the
/// edge has another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddedEdge {
    /// The number of the edge's label.
    pub(super) label: u32,
    /// The number of the edge among the edges of its label.
    pub(super) number: u32,
}

impl AddedEdge {
    /// The number of the edge among the edges of its label, from 0 in the order in which they were added.
    /// [`NewGraph::edge`](super::NewGraph::edge) finds the edge by this number.
    pub fn number(self) -> u32 {
        self.number
    }
}

/// A node or an edge of a new graph. A function that takes `impl Into<Added>` also accepts a node's number or
/// an [`AddedEdge`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Added {
    /// The node with this number.
    Node(u32),
    /// An edge, as [`NewGraph::add_edge`](super::NewGraph::add_edge) returned it.
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
