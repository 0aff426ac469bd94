//! Opens the edges of an edge label with changes since the columns were written.
//!
//! The lengths of change columns are checked against each other here. The numbers in these columns are
//! checked when they are read.

use std::sync::Arc;

use varvite_format::{EdgeChangeRow, EdgeLabelRow, Fault, NodeSet};
use varvite_store::{AccountId, MemoryState, Pinned};

use crate::cursor::adjacency::{Adjacency, ChangeColumns, ChangedLists, Direction, MergedLists, Touched};
use crate::error::Result;
use crate::graph::Graph;
use crate::overlay::changed_counts::{first_appended, living_edges};

impl Graph {
    /// The neighbours in `base`, with the changes of the edge label applied.
    pub(crate) fn changed_adjacency(
        &self,
        base: Adjacency,
        changes: &EdgeChangeRow,
        direction: Direction,
    ) -> Result<Adjacency> {
        let directory = self.store().directory();
        let label = changes.edge_label;
        let row = &directory.edge_labels[label.index()];
        let columns = self.change_columns(row, changes, direction)?;
        let nodes = self.node_count();
        let merged = MergedLists::new(base.clone(), columns.clone(), self.damage().clone());
        let make = || {
            let account = self.ledger().account(AccountId::ENGINE);
            let charge = |bytes| self.store().charge(&account, MemoryState::Tables, bytes);
            let memory = charge(Touched::bytes(nodes))?;
            let parents = match (direction, row.out.nodes, &columns.holes) {
                (Direction::Out, None, Some(_)) => {
                    let distances =
                        self.ints(directory.parents, "parents", directory.base_nodes() as usize)?;
                    let (nodes, damage) = (directory.base_nodes(), self.damage().clone());
                    Some(Adjacency::parents(distances, row.edges, nodes, damage))
                }
                _ => None,
            };
            let mut touched = Touched::of(&base, &columns, parents.as_ref(), nodes, memory);
            let file_len = self.store().superblock().file_len;
            // Short lists are merged now if there is memory for them; all other lists are merged when they
            // are read.
            if let Ok(memory) = charge(touched.list_bytes(file_len)) {
                touched.make_lists(&merged, file_len, memory);
            }
            Ok(touched)
        };
        let known = self.changes().and_then(|(_, known)| known.touched(label, direction));
        let touched = known.map_or_else(|| Ok(Arc::new(make()?)), |known| known.get(make))?;
        let edges = living_edges(directory, label, row);
        let lists = ChangedLists::new(merged, touched);
        Ok(Adjacency::changed(lists, edges, nodes, self.damage().clone()))
    }

    /// Opens the change columns of an edge label in one direction.
    pub(crate) fn change_columns(
        &self,
        row: &EdgeLabelRow,
        changes: &EdgeChangeRow,
        direction: Direction,
    ) -> Result<ChangeColumns> {
        const PART: &str = "changed edges";
        let (side, ranks, base) = match direction {
            Direction::Out => (changes.out, changes.out_ranks, row.out),
            Direction::In => (changes.in_, changes.in_ranks, row.in_),
        };
        let appended =
            side.nodes.map(|_| self.lists(side, changes.appended, self.node_count())).transpose()?;
        if appended.is_none() && changes.appended > 0 {
            return Err(self.damaged(PART, Fault::Missing { what: "lists of appended edges", number: None }));
        }
        let ranks = ranks.map(|ranks| self.ints(Some(ranks), PART, changes.appended as usize)).transpose()?;
        let first = first_appended(self.store().directory(), row);
        let limit = |edges: u64| {
            let fault = Fault::TooMany { what: "edges", most: u32::MAX.into(), found: edges };
            u32::try_from(edges).map_err(|_| self.damaged(PART, fault))
        };
        let removed: Option<NodeSet<Pinned>> = match changes.removed {
            Some(column) => Some(self.set(column, limit(first.saturating_add(changes.appended))?)?),
            None => None,
        };
        let holes = match (base.nodes, direction, changes.removed_in) {
            (Some(_), Direction::In, Some(column)) => Some(self.set(column, limit(row.edges)?)?),
            (Some(_), Direction::In, None) => None,
            _ => removed.clone(),
        };
        let is_appended = |removed: &NodeSet<Pinned>| {
            removed.iter_from(u32::try_from(first).unwrap_or(u32::MAX)).next().is_some()
        };
        let removed = removed.filter(is_appended);
        Ok(ChangeColumns { first, appended, ranks, holes, removed })
    }
}
