//! [`Element`]: a row with a single column: a node, an edge or a value.

use varvite_format::EdgeLabelId;

/// A row that is a node, an edge or a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Node(u32),
    Edge(Edge),
    Number(i64),
}

/// An edge in a result. Its memory layout is as declared, since other languages read it in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C)]
pub struct Edge {
    /// The edge's label.
    pub label: EdgeLabelId,
    /// The node at which the edge starts.
    pub source: u32,
    /// The node at which the edge ends.
    pub target: u32,
    /// The edge's rank among the edges of its label in the out direction; edge properties are stored by rank.
    /// If the label is the tree label and its edges form a forest, they have no rank, and this field is the
    /// edge's target. For an edge that was reached against its direction, in a label without properties, this
    /// field is `u32::MAX`.
    pub rank: u32,
}

impl Edge {
    /// A number that identifies the edge, made of its label and its rank.
    pub(crate) fn number(&self) -> i64 {
        i64::from(self.label.0) << 32 | i64::from(self.rank)
    }
}
