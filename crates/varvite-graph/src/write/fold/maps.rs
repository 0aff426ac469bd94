//! [`NewNumbers`]: receives the new numbers of nodes and edges when a graph is written anew.

use varvite_format::EdgeLabelId;

use super::Fold;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::overlay::changed_counts::first_appended;
use crate::write::check_claim;

/// Stands for the new number of a removed node or edge.
pub const REMOVED: u32 = u32::MAX;

/// A receiver of the new numbers of nodes and edges when a graph is written anew. The number of a node is its
/// id; the number of an edge is the rank by which diffs refer to it. If the edges of the tree label follow
/// from the order of nodes, the number of such an edge is the id of its target.
///
/// Each thread holds the new numbers of one label in memory, until the call of the receiver returns. An error
/// ends the work; the graph is then unchanged.
pub trait NewNumbers: Sync {
    /// Receives the new id of each node, or [`REMOVED`], indexed by its old id. Called once, before all other
    /// methods.
    ///
    /// # Errors
    /// Any error ends the work, here and in the other methods.
    fn nodes(&self, new_of_old: &[u32]) -> Result<(), ChangeError>;

    /// Receives the new rank of each edge of a label, or [`REMOVED`], indexed by its old rank. Called once
    /// for each label, from any thread and in any order.
    ///
    /// # Errors
    /// Any error ends the work.
    fn edges(&self, label: &str, new_of_old: &[u32]) -> Result<(), ChangeError>;

    /// Called after all other calls and before the new file is put in place. The new file will have the id
    /// `file_id`. If this call fails, the file is not put in place.
    ///
    /// # Errors
    /// Any error ends the work.
    fn complete(&self, file_id: &[u8; 16]) -> Result<(), ChangeError>;
}

impl Fold<'_> {
    /// Passes the new numbers of the edges of a label to the receiver, if there is one. `targets` and
    /// `old_ranks` have the new target and the old rank of each edge, in the order of the new out-lists.
    pub(super) fn tell_edges(
        &self,
        label: EdgeLabelId,
        targets: &[u32],
        old_ranks: &[u32],
        is_forest: bool,
    ) -> Result<(), ChangeError> {
        let Some(told) = self.told else { return Ok(()) };
        let directory = self.graph.store().directory();
        let row = &directory.edge_labels[label.index()];
        let changes = directory.changes.as_ref().and_then(|changes| changes.of_edges(label));
        let appended = changes.map_or(0, |changes| changes.appended);
        let end = first_appended(directory, row).saturating_add(appended);
        check_claim(self.graph, end)?;
        let mut new_of_old = vec![REMOVED; end as usize];
        for (rank, (old, target)) in (0..).zip(old_ranks.iter().zip(targets)) {
            let place = new_of_old.get_mut(*old as usize).filter(|place| **place == REMOVED);
            *place.ok_or_else(|| self.contradiction(label, *target))? =
                if is_forest { *target } else { rank };
        }
        told.edges(&self.graph.edge_labels()[label.index()].name, &new_of_old)
    }
}
