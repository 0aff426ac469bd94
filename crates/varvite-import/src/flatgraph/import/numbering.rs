//! [`Numbering`]: the ids of all nodes of a flatgraph file, in the canonical order, which the AST determines.
//!
//! Deleted nodes have no id.

use varvite::columns::NodeOrder;
use varvite::error::Quantity;

use super::TREE;
use super::error::ColumnError;
use super::ids::Ids;
use super::lists::{OrderedLists, read_lists};
use crate::flatgraph::{Direction, FlatgraphFile, NodeKind, Scratch};

/// Maps nodes of a file to ids and back.
pub(super) struct Numbering {
    kinds: Vec<NodeKind>,
    ids: Ids,
    /// The old number of each node, by id.
    old_of_new: Vec<u32>,
    /// The parent of each node along the AST, by id.
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
                varvite::change::ChangeError::TooLarge { what: Quantity::Nodes, found, limit }
            })?);
        }
        let mut is_dead = vec![false; bases[kinds.len()] as usize];
        for (kind, base) in kinds.iter().zip(&bases) {
            kind.deletions.iter().for_each(|seq| is_dead[(base + seq) as usize] = true);
        }
        // The AST is read with old numbers as ids.
        let old = bases[kinds.len()];
        let ids = Ids::new(bases, (0..old).collect());
        let columns = file.edge_columns().iter().filter(|column| &*column.edge_label == TREE);
        let OrderedLists { offsets, neighbors, .. } =
            read_lists(file, &ids, columns, Direction::Out, old, &mut Scratch::new())?;
        let order = NodeOrder::pre_order(&offsets, &neighbors, |node| is_dead[node as usize])
            .map_err(varvite::change::ChangeError::from)?;
        let parents = parents(&order, &offsets, &neighbors);
        let NodeOrder { new_of_old, old_of_new } = order;
        Ok(Self { kinds, ids: ids.renumbered(new_of_old), old_of_new, parents })
    }

    pub(super) fn ids(&self) -> &Ids {
        &self.ids
    }

    /// The parent of each node along the AST, by id; `u32::MAX` if there is none.
    pub(super) fn parents(&self) -> &[u32] {
        &self.parents
    }

    pub(super) fn node_count(&self) -> u32 {
        self.old_of_new.len() as u32
    }

    pub(super) fn kinds(&self) -> &[NodeKind] {
        &self.kinds
    }

    /// The kind of each node, in the order of ids.
    pub(super) fn kinds_in_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.old_of_new.iter().map(|old| self.ids.kind_of(*old))
    }

    /// The number within its kind of each of `nodes`, which are all of kind `kind`.
    pub(super) fn numbers_in_kind(&self, kind: u32, nodes: &[u32]) -> Vec<u32> {
        let base = self.ids.base(kind);
        nodes.iter().map(|node| self.old_of_new[*node as usize] - base).collect()
    }
}

/// The new id of each node's parent; of the last parent if there are several.
fn parents(order: &NodeOrder, offsets: &[u32], neighbors: &[u32]) -> Vec<u32> {
    let mut parents = vec![NodeOrder::NONE; order.old_of_new.len()];
    for (id, old) in order.old_of_new.iter().enumerate() {
        let list = offsets[*old as usize] as usize..offsets[*old as usize + 1] as usize;
        for child in &neighbors[list] {
            let child = order.new_of_old[*child as usize];
            if child != NodeOrder::NONE {
                parents[child as usize] = id as u32;
            }
        }
    }
    parents
}
