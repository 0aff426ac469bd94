//! Opens the index of the tree, including nodes that were appended to the tree since the columns were
//! written.

use std::sync::Arc;

use varvite_store::{AccountId, MemoryState};

use crate::cursor::adjacency::Direction;
use crate::cursor::subtree::Subtree;
use crate::error::Result;
use crate::graph::Graph;
use crate::overlay::grown_tree::{GrownTree, Growth};

/// The index of a tree: the subtree index of the base, and the appended nodes, if there are any.
pub(crate) type TreeIndex = (Subtree, Option<Arc<GrownTree>>);

impl Graph {
    /// The index of the tree. `None` unless the tree's edges are a forest, no node or edge of it was removed,
    /// and all appended edges lead to appended nodes.
    #[doc(hidden)]
    #[inline]
    pub fn tree_index(&self) -> Result<Option<TreeIndex>> {
        match self.subtree()? {
            Some(subtree) => Ok(Some((subtree, None))),
            None => Ok(self.grown_tree()?.zip(self.base_subtree()?).map(|(grown, base)| (base, Some(grown)))),
        }
    }

    /// The appended nodes of the tree; `None` if there are none, or if the tree has other changes.
    fn grown_tree(&self) -> Result<Option<Arc<GrownTree>>> {
        let directory = self.store().directory();
        let Some(((changes, known), label)) = self.changes().zip(directory.tree_label) else {
            return Ok(None);
        };
        let (Some(edges), Some(subtree)) = (changes.of_edges(label), self.base_subtree()?) else {
            return Ok(None);
        };
        if edges.removed.is_some() {
            return Ok(None);
        }
        let grown = known.grown.get(|| {
            let out = self.adjacency(label, Direction::Out)?;
            let in_ = self.adjacency(label, Direction::In)?;
            let (Some(out), Some(in_)) = (out.changes(), in_.changes()) else { return Ok(None) };
            let (base_nodes, nodes) = (directory.base_nodes(), self.node_count());
            let account = self.ledger().account(AccountId::ENGINE);
            let bytes = GrownTree::bytes(base_nodes, nodes - base_nodes);
            let memory = self.store().charge(&account, MemoryState::Tables, bytes)?;
            let growth =
                Growth { base_nodes, nodes, subtree: &subtree, out: out.columns(), in_: in_.columns() };
            // If `tree` finds damage, there is no index. Walks then follow the edges, and find and report the
            // damage.
            let grown = self.damage().watch(|| growth.tree(out.touched(), memory));
            Ok(grown.ok().flatten())
        })?;
        Ok((*grown).clone())
    }
}
