//! [`Hop`]: edges that a walk follows from nodes with some labels.

use varvite_graph::Direction;
use varvite_graph::internal::Names;

/// Describes edges to follow, by their labels and direction, and by the labels of the nodes from which and to
/// which they are followed.
///
/// ```
/// use varvite::walk::Hop;
///
/// let calls = Hop::out("CALL").from("CALL").to(["METHOD", "TYPE_DECL"]);
/// let any = Hop::both(varvite::pipeline::ALL);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The labels of the edges; empty for all labels.
    pub(super) edge_labels: Vec<String>,
    /// The direction; `None` for both directions, out before in.
    pub(super) direction: Option<Direction>,
    /// The labels of nodes from which edges are followed; a node needs at least one of them. Empty for all
    /// nodes.
    pub(super) from: Vec<String>,
    /// The labels of nodes to which edges are followed; a node needs at least one of them. Empty for all
    /// nodes.
    pub(super) to: Vec<String>,
}

impl Hop {
    /// Edges with one of these labels, followed from source to target; if no label is given, all edges. Edges
    /// are followed label by label, in the order of the given labels; if none is given, in the order of the
    /// schema.
    pub fn out(edge_labels: impl Names) -> Self {
        Self::along(edge_labels, Some(Direction::Out))
    }

    /// The same as [`Self::out`], but edges are followed from target to source.
    pub fn in_(edge_labels: impl Names) -> Self {
        Self::along(edge_labels, Some(Direction::In))
    }

    /// The same as [`Self::out`], but edges are followed in both directions: for each label first out, then
    /// in. An edge from a node to itself is followed only once, as an out-edge.
    pub fn both(edge_labels: impl Names) -> Self {
        Self::along(edge_labels, None)
    }

    fn along(edge_labels: impl Names, direction: Option<Direction>) -> Self {
        Self { edge_labels: edge_labels.names(), direction, from: Vec::new(), to: Vec::new() }
    }

    /// Follows edges only from nodes with one of these labels.
    #[must_use]
    pub fn from(self, labels: impl Names) -> Self {
        Self { from: labels.names(), ..self }
    }

    /// Follows edges only to nodes with one of these labels.
    #[must_use]
    pub fn to(self, labels: impl Names) -> Self {
        Self { to: labels.names(), ..self }
    }

    /// The same edges followed in the opposite direction.
    #[must_use]
    pub fn reversed(self) -> Self {
        let direction = self.direction.map(Direction::reversed);
        Self { edge_labels: self.edge_labels, direction, from: self.to, to: self.from }
    }
}
