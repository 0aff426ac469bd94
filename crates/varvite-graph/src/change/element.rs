//! The nodes and edges that operations of a diff refer to: existing elements of the graph, and elements that
//! the diff adds, which have no ids yet.

/// A node that a diff adds. It gets an id when the diff is applied ([`Applied::node`](super::Applied::node)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NewNode(pub(super) u32);

/// An edge that a diff adds. It gets a rank when the diff is applied
/// ([`Applied::edge`](super::Applied::edge)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NewEdge(pub(super) u32);

impl NewNode {
    /// The node with this number among the nodes that a diff adds. Applying the diff fails if there is no
    /// such node.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }

    /// The number of the node among the nodes that the diff adds, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl NewEdge {
    /// The edge with this number among the edges that a diff adds. Applying the diff fails if there is no
    /// such edge.
    pub fn from_index(index: u32) -> Self {
        Self(index)
    }

    /// The number of the edge among the edges that the diff adds, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of the graph, by its id, or a node that the diff adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeRef {
    /// A node of the graph, by its id.
    Node(u32),
    /// A node that the diff adds.
    New(NewNode),
}

impl From<u32> for NodeRef {
    fn from(node: u32) -> Self {
        Self::Node(node)
    }
}

impl From<NewNode> for NodeRef {
    fn from(node: NewNode) -> Self {
        Self::New(node)
    }
}

/// An owner of values: a node or an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementRef<'a> {
    /// A node of the graph, or one that the diff adds.
    Node(NodeRef),
    /// An edge of the graph, by its label and its rank.
    Edge(&'a str, u32),
    /// An edge that the diff adds.
    NewEdge(NewEdge),
}

impl From<u32> for ElementRef<'_> {
    fn from(node: u32) -> Self {
        Self::Node(node.into())
    }
}

impl From<NewNode> for ElementRef<'_> {
    fn from(node: NewNode) -> Self {
        Self::Node(node.into())
    }
}

impl From<NodeRef> for ElementRef<'_> {
    fn from(node: NodeRef) -> Self {
        Self::Node(node)
    }
}

impl From<NewEdge> for ElementRef<'_> {
    fn from(edge: NewEdge) -> Self {
        Self::NewEdge(edge)
    }
}

impl<'a> From<(&'a str, u32)> for ElementRef<'a> {
    fn from((label, rank): (&'a str, u32)) -> Self {
        Self::Edge(label, rank)
    }
}
