//! [`NewNumbers`]: receives the new numbers of nodes and edges when a graph is written anew.

use varvite_format::EdgeLabelId;

use super::Fold;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::overlay::changed_counts::first_appended;
use crate::write::check_claim;

/// The new number of removed nodes and edges.
pub const REMOVED: u32 = u32::MAX;

/// A receiver of the new numbers of nodes and edges when a graph is written anew, by their old numbers: the
/// ids of nodes, and for each edge label the ranks by which diffs name its edges. If the graph stores the
/// tree label's edges by the order of nodes, such an edge is named by the id of its target.
///
/// Each thread has one map in memory, which is freed when the call returns. An error ends the work; the graph
/// is then unchanged.
pub trait NewNumbers: Sync {
    /// Receives the new id of each node, or [`REMOVED`], by its old id. Called first, and once.
    ///
    /// # Errors
    /// Any error ends the work, here and in the other methods.
    fn nodes(&self, new_of_old: &[u32]) -> Result<(), ChangeError>;

    /// Receives the new rank of each edge of a label, or [`REMOVED`], by its old rank. Called once for each
    /// label, from any thread and in any order.
    ///
    /// # Errors
    /// Any error ends the work.
    fn edges(&self, label: &str, new_of_old: &[u32]) -> Result<(), ChangeError>;

    /// Called after all other calls, before the new file, which will have this id, is put in place. If this
    /// call fails, the file is not put in place.
    ///
    /// # Errors
    /// Any error ends the work.
    fn complete(&self, file_id: &[u8; 16]) -> Result<(), ChangeError>;
}

impl Fold<'_> {
    /// Passes the new numbers of the edges of a label to the receiver, if there is one. The old ranks are
    /// given list after list.
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
