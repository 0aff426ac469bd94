//! [`Numbering`]: the new id of each node of a flatgraph file.
//!
//! All nodes are first numbered end to end, kind after kind ("old" numbers); the AST then gives the canonical order.
//! Deleted nodes get no id.

use varvite::Order;

use super::FOREST;
use super::edges::{Lists, read_lists};
use super::error::ColumnError;
use crate::flatgraph::{Direction, FlatgraphFile, NodeKind, NodeRef, Scratch};

/// From nodes of a file to ids and back.
pub(super) struct Numbering {
    kinds: Vec<NodeKind>,
    /// Old number of the first node of each kind, and the end of the last.
    bases: Vec<u32>,
    order: Order,
    /// The node above each node along the AST, by id.
    parents: Vec<u32>,
}

impl Numbering {
    pub(super) fn read(file: &FlatgraphFile) -> Result<Self, ColumnError> {
        let kinds = file.kinds().to_vec();
        let mut bases = vec![0u32];
        for kind in &kinds {
            let end = bases[bases.len() - 1].checked_add(kind.node_count).filter(|end| *end < u32::MAX);
            bases.push(end.ok_or_else(|| {
                let found = kinds.iter().map(|kind| u64::from(kind.node_count)).sum();
                let limit = u64::from(u32::MAX) - 1;
                varvite::GraphError::TooLarge { what: "nodes".into(), found, limit }
            })?);
        }
        let mut is_dead = vec![false; bases[kinds.len()] as usize];
        for (kind, base) in kinds.iter().zip(&bases) {
            kind.deletions.iter().for_each(|seq| is_dead[(base + seq) as usize] = true);
        }
        // Old numbers are ids for a moment: the identity is a numbering too.
        let old = bases[kinds.len()];
        let identity = Order { new_of_old: (0..old).collect(), old_of_new: Vec::new() };
        let mut numbering = Self { kinds, bases, order: identity, parents: Vec::new() };
        let columns = file.edge_columns().iter().filter(|column| &*column.edge_label == FOREST);
        let Lists { offsets, neighbors, .. } =
            read_lists(file, &numbering, columns, Direction::Out, old, &mut Scratch::new())?;
        numbering.order = Order::pre_order(&offsets, &neighbors, |node| is_dead[node as usize]);
        numbering.parents = parents(&numbering.order, &offsets, &neighbors);
        Ok(numbering)
    }

    /// The node above each node along the AST, by id; `u32::MAX` for none.
    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    pub(super) fn node_count(&self) -> u32 {
        self.order.old_of_new.len() as u32
    }

    pub(super) fn kinds(&self) -> &[NodeKind] {
        &self.kinds
    }

    /// The id of a node; none if it is deleted.
    #[inline]
    pub(super) fn id(&self, kind: u32, seq: u32) -> Option<u32> {
        let base = self.bases.get(kind as usize)?;
        let id = *self.order.new_of_old.get(base.checked_add(seq)? as usize)?;
        (id != Order::NONE).then_some(id)
    }

    /// The id of a node that a column refers to; none if it is deleted or null.
    #[inline]
    pub(super) fn id_of(&self, node: NodeRef) -> Option<u32> {
        self.id(node.kind(), node.seq())
    }

    /// The kind of each node, in the order of ids.
    pub(super) fn kinds_in_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.order.old_of_new.iter().map(|old| self.kind_of(*old))
    }

    fn kind_of(&self, old: u32) -> u32 {
        self.bases.partition_point(|base| *base <= old) as u32 - 1
    }

    /// The place within its kind of each of `nodes`, which are all of kind `kind`.
    pub(super) fn places(&self, kind: u32, nodes: &[u32]) -> Vec<u32> {
        let base = self.bases[kind as usize];
        nodes.iter().map(|node| self.order.old_of_new[*node as usize] - base).collect()
    }
}

/// The new id of the node above each node; the last one, if there are several.
fn parents(order: &Order, offsets: &[u32], neighbors: &[u32]) -> Vec<u32> {
    let mut parents = vec![Order::NONE; order.old_of_new.len()];
    for (id, old) in order.old_of_new.iter().enumerate() {
        let list = offsets[*old as usize] as usize..offsets[*old as usize + 1] as usize;
        for child in &neighbors[list] {
            let child = order.new_of_old[*child as usize];
            if child != Order::NONE {
                parents[child as usize] = id as u32;
            }
        }
    }
    parents
}
