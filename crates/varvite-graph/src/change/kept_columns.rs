//! [`KeptColumns`]: the columns that the last replay of the log made from the changes. The next replay reuses
//! the columns of those changes that are still the same.
//!
//! A new record of the log affects few of the labels and properties that older records changed. Edges are
//! only appended and removed, and appended edges keep their order, so if the counts are the same, the edges
//! are the same. For values, the change set lists the properties that may differ.

use varvite_format::{
    Changes, ColumnId, EdgeChangeRow, EdgeLabelId, Encoding, Owner, PropertyChangeRow, PropertyId, Source,
};
use varvite_store::{Store, StoreWriter};

use super::change_set::{ChangeSet, EdgeChanges};
use crate::error::Result;

/// The number of owners per word of a bitmap. A bitmap can be reused if its number of words stays the same.
const ROOM: u32 = 64;

/// The counts of changes at the time when the columns were made.
#[derive(Debug)]
pub(super) struct ChangeCounts {
    nodes: u32,
    codes: u32,
    removed: usize,
    edges: Vec<(EdgeLabelId, EdgeCounts)>,
}

/// The counts of appended and removed edges of a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct EdgeCounts {
    appended: u32,
    removed: usize,
    removed_in: usize,
}

impl EdgeCounts {
    fn of(changed: &EdgeChanges) -> Self {
        let EdgeChanges { ends, removed, removed_in, .. } = changed;
        Self { appended: ends.len(), removed: removed.len(), removed_in: removed_in.len() }
    }
}

impl ChangeSet {
    /// Starts to record which properties change, and returns the counts of changes at this moment.
    pub(super) fn begin_to_watch(&mut self) -> ChangeCounts {
        self.touched.clear();
        let edges = self.edges.iter().map(|(label, changed)| (*label, EdgeCounts::of(changed)));
        ChangeCounts {
            nodes: self.nodes(),
            codes: self.codes.len(),
            removed: self.removed.len(),
            edges: edges.collect(),
        }
    }
}

/// The columns of changes in a store, and the counts of changes when they were made.
#[derive(Debug)]
pub(super) struct KeptColumns<'a> {
    pub(super) store: &'a Store,
    pub(super) counts: ChangeCounts,
}

impl KeptColumns<'_> {
    fn rows(&self) -> Option<&Changes> {
        self.store.directory().changes.as_ref()
    }

    /// The column of the codes of appended nodes, if no more nodes were appended since it was made.
    pub(super) fn codes(&self, changes: &ChangeSet) -> Option<ColumnId> {
        self.rows()?.codes.filter(|_| changes.codes.len() == self.counts.codes)
    }

    /// The set of removed nodes, if no more nodes were removed since it was made.
    pub(super) fn removed(&self, changes: &ChangeSet) -> Option<ColumnId> {
        let is_same = changes.removed.len() == self.counts.removed;
        let removed = self.rows()?.removed.filter(|_| is_same)?;
        self.fits(removed, self.counts.nodes, changes.nodes()).then_some(removed)
    }

    /// The columns of an edge label, if its edges are unchanged.
    pub(super) fn edges(
        &self,
        label: EdgeLabelId,
        changed: &EdgeChanges,
        changes: &ChangeSet,
    ) -> Option<EdgeChangeRow> {
        let row = self.rows()?.of_edges(label)?;
        let sets = [row.out.nodes, row.in_.nodes];
        let fit = sets.into_iter().flatten().all(|set| self.fits(set, self.counts.nodes, changes.nodes()));
        (fit && self.edge_counts(label) == Some(EdgeCounts::of(changed))).then_some(*row)
    }

    /// The columns of a property, if its values are unchanged and its owners are below `limit`.
    pub(super) fn property(
        &self,
        property: PropertyId,
        owner: Owner,
        changes: &ChangeSet,
        limit: u32,
    ) -> Option<PropertyChangeRow> {
        let row = self.rows()?.of_property(property).filter(|_| !changes.touched.contains(&property))?;
        let new = match owner {
            Owner::Node => changes.nodes() - self.counts.nodes,
            Owner::Edge(label) => {
                let before = self.edge_counts(label).map_or(0, |counts| counts.appended);
                changes.edges.get(&label).map_or(0, |changed| changed.ends.len()) - before
            }
        };
        [row.owners, row.present].iter().all(|set| self.fits(*set, limit - new, limit)).then_some(*row)
    }

    fn edge_counts(&self, label: EdgeLabelId) -> Option<EdgeCounts> {
        let place = self.counts.edges.binary_search_by_key(&label, |(label, _)| *label).ok()?;
        Some(self.counts.edges[place].1)
    }

    /// Whether the column of a set that was written for numbers below `before` would be the same for numbers
    /// below `now`.
    fn fits(&self, set: ColumnId, before: u32, now: u32) -> bool {
        let Ok(row) = self.store.row(set) else { return false };
        match row.encoding {
            _ if before == now => true,
            Encoding::EmptySet | Encoding::RangeSet => true,
            Encoding::BitmapSet | Encoding::SparseSet => before.div_ceil(ROOM) == now.div_ceil(ROOM),
            _ => false,
        }
    }
}

/// Makes `writer` share columns that `store` has in memory, and updates the column ids.
pub(super) fn share<'c>(
    columns: impl Iterator<Item = &'c mut ColumnId>,
    store: &Store,
    writer: &mut StoreWriter,
) -> Result<()> {
    for column in columns {
        *column = writer.share(store, *column)?;
    }
    Ok(())
}
