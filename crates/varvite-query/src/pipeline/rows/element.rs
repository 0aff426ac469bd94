//! [`Element`]: one row that is no row of columns: a node, an edge or a value.

use varvite_format::EdgeLabelId;

/// A row under test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element {
    Node(u32),
    Edge(Edge),
    Number(i64),
}

/// An edge in a result. Laid out as it stands here: other languages read it in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(C)]
pub struct Edge {
    /// Its label.
    pub label: EdgeLabelId,
    /// The node it starts at.
    pub source: u32,
    /// The node it leads to.
    pub target: u32,
    /// Its rank among the edges of its label, in the out direction: the number under which edge properties
    /// are stored. For edges of the forest label, which have no rank, the target. `u32::MAX` for an edge that
    /// was reached against its direction in a label without properties.
    pub rank: u32,
}

impl Edge {
    /// The edge as one number, that of no other edge: its label and its rank.
    pub(crate) fn number(&self) -> i64 {
        i64::from(self.label.0) << 32 | i64::from(self.rank)
    }
}
