//! [`Uniqueness`]: the rule for repeated visits of a node, or repeated use of an edge.

/// The rule for repeated visits of a node or repeated use of an edge: nine levels.
///
/// The walk checks it when it visits a branch, in the order of the walk; a refused branch is not evaluated,
/// and nothing behind it is read. Start nodes count as visited before the first step. An edge is the same
/// edge from both of its ends. A step that a caller's function made without an edge passes every rule on
/// edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Uniqueness {
    /// As often as there are ways to it. On a graph with cycles such a walk has no end, unless evaluators end
    /// it.
    None,
    /// A node once in a scope.
    Nodes(Within),
    /// An edge once in a scope; nodes as often as edges lead there.
    Edges(Within),
}

/// The scope in which a visit or edge may occur only once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Within {
    /// The whole walk.
    Walk,
    /// The branch, from where it started.
    Path,
    /// The last so many that the walk came to. One that is refused does not count again.
    Recent(u32),
    /// Branches of the same depth.
    Depth,
}

impl Uniqueness {
    /// Whether the walk has to distinguish edges.
    pub(super) fn is_of_edges(self) -> bool {
        matches!(self, Self::Edges(_))
    }
}

impl Default for Uniqueness {
    /// Each node once.
    fn default() -> Self {
        Self::Nodes(Within::Walk)
    }
}
