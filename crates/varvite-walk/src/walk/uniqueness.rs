//! [`Uniqueness`]: the rule for repeated visits of a node, or repeated use of an edge.

/// The rule for repeated visits of a node or repeated use of an edge, in nine levels.
///
/// The walk checks the rule when it visits a branch, in the order of the walk. A refused branch is not
/// evaluated, and its neighbours are not read. Start nodes count as visited before the first step. An edge is
/// the same edge from both of its ends. A step that a caller's function made without an edge satisfies every
/// rule on edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uniqueness {
    /// A node is visited as often as paths lead to it. On a graph with cycles this walk does not end, unless
    /// evaluators end it.
    None,
    /// A node is visited once in a scope.
    Nodes(Within),
    /// An edge is followed once in a scope; a node is visited as often as edges lead to it.
    Edges(Within),
}

/// The scope in which a visit or edge may occur only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Within {
    /// The whole walk, from all its starts.
    Walk,
    /// The path of the branch, from its start.
    Path,
    /// The nodes or edges that the walk visited last, this many. A refused visit does not make its node or
    /// edge recent again.
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
