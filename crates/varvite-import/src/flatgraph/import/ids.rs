//! [`Ids`]: the id that each node of a flatgraph file has in the graph.

use varvite::columns::NodeOrder;

use crate::flatgraph::NodeRef;

/// From a node kind and a number within it to an id.
///
/// All nodes are numbered end to end, kind after kind: that is a node's old number.
pub(super) struct Ids {
    /// Old number of the first node of each kind, and the end of the last.
    bases: Vec<u32>,
    new_of_old: Vec<u32>,
}

impl Ids {
    /// `bases` has the old number of the first node of each kind, and the end of the last.
    pub(super) fn new(bases: Vec<u32>, new_of_old: Vec<u32>) -> Self {
        Self { bases, new_of_old }
    }

    /// The same nodes with other ids.
    pub(super) fn renumbered(self, new_of_old: Vec<u32>) -> Self {
        Self { new_of_old, ..self }
    }

    /// The id of a node; none if it is deleted.
    #[inline]
    pub(super) fn id(&self, kind: u32, seq: u32) -> Option<u32> {
        let base = self.bases.get(kind as usize)?;
        let id = *self.new_of_old.get(base.checked_add(seq)? as usize)?;
        (id != NodeOrder::NONE).then_some(id)
    }

    /// The id of a node that a column refers to; none if it is deleted or null.
    #[inline]
    pub(super) fn id_of(&self, node: NodeRef) -> Option<u32> {
        self.id(node.kind(), node.seq())
    }

    /// The kind of the node with an old number.
    pub(super) fn kind_of(&self, old: u32) -> u32 {
        self.bases.partition_point(|base| *base <= old) as u32 - 1
    }

    /// The old number of the first node of a kind.
    pub(super) fn base(&self, kind: u32) -> u32 {
        self.bases[kind as usize]
    }
}
