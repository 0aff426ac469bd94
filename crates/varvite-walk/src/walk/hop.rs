//! [`Hop`]: edges that a walk follows from nodes with some labels.

use varvite_graph::Direction;
use varvite_graph::internal::Names;

/// Edges of some labels, one way round or both, from nodes with one of some labels to nodes with one of
/// others.
///
/// ```
/// use varvite::walk::Hop;
///
/// let calls = Hop::out("CALL").from("CALL").to(["METHOD", "TYPE_DECL"]);
/// let any = Hop::both(varvite::pipeline::ALL);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// None: all.
    pub(super) edge_labels: Vec<String>,
    /// None: both, out first.
    pub(super) direction: Option<Direction>,
    /// Labels of nodes that edges are followed from; a node needs any one. Empty for all nodes.
    pub(super) from: Vec<String>,
    /// The same of the nodes that they lead to.
    pub(super) to: Vec<String>,
}

impl Hop {
    /// Edges with one of these labels, from source to target; with no label, all edges. They are followed
    /// label by label, in the order of the names or of the schema.
    pub fn out(edge_labels: impl Names) -> Self {
        Self::along(edge_labels, Some(Direction::Out))
    }

    /// The same from target to source.
    pub fn in_(edge_labels: impl Names) -> Self {
        Self::along(edge_labels, Some(Direction::In))
    }

    /// The same either way round: of each label first out, then in. An edge from a node to itself is followed
    /// once, out.
    pub fn both(edge_labels: impl Names) -> Self {
        Self::along(edge_labels, None)
    }

    fn along(edge_labels: impl Names, direction: Option<Direction>) -> Self {
        Self { edge_labels: edge_labels.names(), direction, from: Vec::new(), to: Vec::new() }
    }

    /// Only from nodes with one of these labels.
    #[must_use]
    pub fn from(self, labels: impl Names) -> Self {
        Self { from: labels.names(), ..self }
    }

    /// Only to nodes with one of these labels.
    #[must_use]
    pub fn to(self, labels: impl Names) -> Self {
        Self { to: labels.names(), ..self }
    }

    /// The same edges followed from their other end.
    #[must_use]
    pub fn reversed(self) -> Self {
        let direction = self.direction.map(Direction::reversed);
        Self { edge_labels: self.edge_labels, direction, from: self.to, to: self.from }
    }
}
