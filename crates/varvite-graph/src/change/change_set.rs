//! [`ChangeSet`]: all changes since the columns of a graph were written.
//!
//! Changes are plain vectors, so a million edges take eight megabytes. If there is a temporary file, nodes,
//! edges and values that do not fit in memory are written to it. Data that does not depend on history, such
//! as the owners of changed values, is sorted. Appended edges keep the order in which they were added,
//! because this order determines their ranks.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use varvite_format::{EdgeLabelId, PropertyId};
use varvite_store::{Scratch, StoreError, Task};

use super::base::Reader;
use super::codes::Codes;
use super::ends::Ends;
use super::large_lists::LARGE;
use super::new_ranks::NewRanks;
use super::number_set::NumberSet;
use super::property_changes::PropertyChanges;
use super::sorted_ends::SortedEnds;
use super::sorted_values::SortedValues;
use super::value_runs::ValueRuns;
use crate::change_error::ChangeError;
use crate::error::Result;

/// The memory for values is the memory limit divided by this.
const SHARE: usize = 16;

/// All changes since the columns of a graph were written.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeSet {
    /// The number of nodes of the base; the ids of appended nodes start here.
    pub(crate) base_nodes: u32,
    /// The code of the label set of each appended node.
    pub(crate) codes: Codes,
    /// The ids of removed nodes.
    pub(crate) removed: NumberSet,
    /// Changes to the edges of each label.
    pub(crate) edges: BTreeMap<EdgeLabelId, EdgeChanges>,
    /// The value changes of each property whose changes fit in memory.
    pub(crate) properties: BTreeMap<PropertyId, PropertyChanges>,
    /// The value changes of the other properties, on disk, while a diff is being applied.
    pub(super) runs: BTreeMap<PropertyId, ValueRuns>,
    /// The value changes of the other properties, on disk, after a diff was applied.
    pub(super) sorted: BTreeMap<PropertyId, SortedValues>,
    /// Properties whose values may have changed since the last call of
    /// [`begin_to_watch`](ChangeSet::begin_to_watch).
    pub(super) touched: BTreeSet<PropertyId>,
    /// The temporary file for data that does not fit in memory.
    pub(super) scratch: Option<Arc<Scratch>>,
}

/// Changes to the edges of one label.
#[derive(Clone, Debug, Default)]
pub(crate) struct EdgeChanges {
    /// The number of the first appended edge. It equals the number of edges of this label in the base or, if
    /// the base stores the label as a forest, the number of nodes in the base.
    pub(crate) first: u32,
    /// The appended edges.
    pub(crate) ends: Ends,
    /// The numbers of removed edges.
    pub(crate) removed: NumberSet,
    /// The positions of removed entries in the in-lists of the base.
    pub(crate) removed_in: NumberSet,
    /// The appended edges, sorted into the order of the adjacency lists. Edges appended since the last
    /// [sort](ChangeSet::sort_edges) are missing.
    pub(super) sorted: SortedEnds,
}

/// The lengths of lists before a diff. Truncating the lists to these lengths undoes a diff that only appended
/// to them.
#[derive(Debug)]
pub(super) struct Mark {
    codes: u32,
    edges: Vec<(EdgeLabelId, u32)>,
}

impl Mark {
    pub(super) fn of(changes: &ChangeSet) -> Self {
        let edges = changes.edges.iter().map(|(label, changed)| (*label, changed.ends.len()));
        Self { codes: changes.codes.len(), edges: edges.collect() }
    }
}

impl ChangeSet {
    /// Undoes the additions of a diff that removes nothing and has not assigned values yet.
    pub(super) fn back_to(&mut self, mark: &Mark) {
        self.codes.truncate(mark.codes);
        self.edges.retain(|label, changed| {
            let known = mark.edges.iter().find(|(known, _)| known == label);
            known.is_some_and(|(_, edges)| {
                changed.ends.truncate(*edges);
                true
            })
        });
    }

    /// Whether there are no changes.
    pub(super) fn is_empty(&self) -> bool {
        let Self { base_nodes: _, codes, removed, edges, properties, runs, sorted, .. } = self;
        let has_values = !(properties.is_empty() && runs.is_empty() && sorted.is_empty());
        codes.is_empty() && removed.is_empty() && edges.is_empty() && !has_values
    }

    /// Checks that the data that must stay in memory, together with the ranks of new edges, is within the
    /// memory limit.
    pub(super) fn check_memory(&self, ranks: &NewRanks) -> Result<()> {
        let Some(scratch) = &self.scratch else { return Ok(()) };
        let limit = scratch.memory() as u64;
        let needed = (self.removed_bytes() + ranks.heap_bytes()) as u64;
        if needed > limit { Err(StoreError::OverBudget { limit, needed }.into()) } else { Ok(()) }
    }

    /// Bytes of memory for the sets of removed elements.
    fn removed_bytes(&self) -> usize {
        let edges = self.edges.values().map(|it| it.removed.heap_bytes() + it.removed_in.heap_bytes());
        self.removed.heap_bytes() + edges.sum::<usize>()
    }

    /// Bytes that the changes take in memory, without the data in the temporary file.
    pub(super) fn heap_bytes(&self) -> usize {
        let of_edges =
            |it: &EdgeChanges| it.ends.len() as usize * size_of::<[u32; 2]>() + it.sorted.heap_bytes();
        let ends = self.edges.values().map(of_edges);
        let values = self.properties.values().map(PropertyChanges::heap_bytes);
        let codes = self.codes.len() as usize * size_of::<u32>();
        self.removed_bytes() + codes + ends.sum::<usize>() + values.sum::<usize>()
    }

    /// Sorts appended edges into the order of the adjacency lists, so that encoding the changes does not have
    /// to sort them.
    pub(super) fn sort_edges(&mut self) {
        let few = self.edges.values_mut().filter(|changed| changed.ends.len() < LARGE);
        few.for_each(|changed| changed.sorted.take_up(&changed.ends));
    }

    /// Bytes of memory that values may take before they are moved to disk.
    pub(super) fn room_for_values(&self) -> usize {
        self.scratch.as_ref().map_or(usize::MAX, |scratch| scratch.memory() / SHARE)
    }

    /// Moves the changes of a property to disk; its later changes go there too.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn put_on_disk(&mut self, property: PropertyId) -> Result<()> {
        if let Some(changes) = self.properties.remove(&property) {
            self.runs.insert(property, ValueRuns::of(&changes, self.scratch.as_ref())?);
        }
        Ok(())
    }

    /// Moves values to disk if they need more memory than they may use. Without a temporary file, does
    /// nothing.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn make_room(&mut self) -> Result<()> {
        let room = self.room_for_values();
        if self.properties.values().map(PropertyChanges::heap_bytes).sum::<usize>() > room {
            while let Some(property) = self.properties.keys().next().copied() {
                self.put_on_disk(property)?;
            }
        }
        if self.runs.values().map(ValueRuns::heap_bytes).sum::<usize>() > room {
            self.runs.values_mut().try_for_each(ValueRuns::put_aside)?;
        }
        Ok(())
    }

    /// Brings the value changes into their final form: changes on disk are sorted by owner, and properties
    /// whose values all equal those of the base are removed from the changes.
    ///
    /// # Errors
    /// Damage of the base; an error of the file system;
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(super) fn settle(&mut self, reader: Reader<'_>, task: &Task<'_>) -> Result<(), ChangeError> {
        self.properties.retain(|_, changed| !changed.owners.is_empty());
        for (property, runs) in std::mem::take(&mut self.runs) {
            let is_of_base = property.index() < reader.graph.properties().len();
            let base = is_of_base.then(|| reader.values(property)).transpose()?;
            let sorted = runs.merge(base.as_ref(), self.scratch.as_ref(), Some(reader), task)?;
            if !sorted.is_empty() {
                self.sorted.insert(property, sorted);
            }
        }
        Ok(())
    }

    /// The properties with changed values, in ascending order.
    pub(super) fn changed_properties(&self) -> BTreeSet<PropertyId> {
        self.properties.keys().chain(self.sorted.keys()).copied().collect()
    }

    /// The number of nodes, including appended and removed nodes.
    pub(super) fn nodes(&self) -> u32 {
        self.base_nodes + self.codes.len()
    }
}

impl EdgeChanges {
    /// One more than the highest edge number.
    pub(super) fn end(&self) -> u32 {
        self.first + self.ends.len()
    }
}
