//! [`Uniqueness`]: the rule for repeated visits of a node, or repeated use of an edge.

/// The rule for repeated visits of a node or repeated use of an edge.
///
/// The walk checks the rule when it visits a branch, in the order of the walk. A branch that the rule refuses
/// is not evaluated, and its neighbours are not read. Start nodes count as visited before the first step. An
/// edge is the same edge whether it is followed out or in. A step without an edge, which a
/// [`Guide`](super::Guide) can make, satisfies every rule for edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uniqueness {
    /// A node is visited once for each path that leads to it. On a graph with cycles, such a walk does not
    /// end unless evaluators end it.
    None,
    /// A node is visited only once in a scope.
    Nodes(Within),
    /// An edge is followed only once in a scope; a node is visited once for each edge that leads to it.
    Edges(Within),
}

/// The scope within which a walk may visit a node, or follow an edge, only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Within {
    /// The whole walk, from all its starts.
    Walk,
    /// The path of the branch, from its start.
    Path,
    /// The last nodes or edges that the walk visited; the number says how many. A refused visit does not make
    /// its node or edge recent again.
    Recent(u32),
    /// The branches of the same depth.
    Depth,
}

impl Uniqueness {
    /// Whether the walk must identify edges.
    pub(super) fn is_of_edges(self) -> bool {
        matches!(self, Self::Edges(_))
    }
}

impl Default for Uniqueness {
    /// A walk visits each node once.
    fn default() -> Self {
        Self::Nodes(Within::Walk)
    }
}
