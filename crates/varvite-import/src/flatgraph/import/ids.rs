//! [`Ids`]: the id in the graph of each node of a flatgraph file.

use varvite::columns::NodeOrder;

use crate::flatgraph::NodeRef;

/// Maps a node kind and a number within the kind to an id.
///
/// A node's old number is its index in the sequence of all nodes, sorted by kind and then by number within
/// the kind.
pub(super) struct Ids {
    /// The old number of the first node of each kind, and the number of all nodes.
    bases: Vec<u32>,
    new_of_old: Vec<u32>,
}

impl Ids {
    /// Makes a map. `bases` has the old number of the first node of each kind, and the number of all nodes.
    pub(super) fn new(bases: Vec<u32>, new_of_old: Vec<u32>) -> Self {
        Self { bases, new_of_old }
    }

    /// The map for the same kinds, with new ids.
    pub(super) fn renumbered(self, new_of_old: Vec<u32>) -> Self {
        Self { new_of_old, ..self }
    }

    /// The id of a node; `None` if it is deleted.
    #[inline]
    pub(super) fn id(&self, kind: u32, seq: u32) -> Option<u32> {
        let base = self.bases.get(kind as usize)?;
        let id = *self.new_of_old.get(base.checked_add(seq)? as usize)?;
        (id != NodeOrder::NONE).then_some(id)
    }

    /// The id of a node that a column refers to; `None` if the node is deleted or the reference is null.
    #[inline]
    pub(super) fn id_of(&self, node: NodeRef) -> Option<u32> {
        self.id(node.kind(), node.seq())
    }

    /// The kind of the node whose old number is `old`.
    pub(super) fn kind_of(&self, old: u32) -> u32 {
        self.bases.partition_point(|base| *base <= old) as u32 - 1
    }

    /// The old number of the first node of a kind.
    pub(super) fn base(&self, kind: u32) -> u32 {
        self.bases[kind as usize]
    }
}
