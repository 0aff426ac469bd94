//! [`ChangedNodes`]: the nodes of which edges changed since the columns were written; and how many edges there are now.

use std::sync::{Arc, Mutex, PoisonError};

use varvite_format::{Directory, EdgeLabelId, EdgeLabelRow};

use crate::adjacency::{Direction, Touched};
use crate::error::Result;

/// The nodes of which edges changed, of each edge label and direction, as far as anyone asked for them.
#[derive(Debug, Default)]
pub(crate) struct ChangedNodes(Box<[Mutex<Option<Arc<Touched>>>]>);

impl ChangedNodes {
    /// Room for those of a graph.
    pub(crate) fn of(directory: &Directory) -> Self {
        let labels = directory.changes.as_ref().map_or(0, |_| directory.edge_labels.len());
        Self((0..2 * labels).map(|_| Mutex::default()).collect())
    }

    /// Forgets those that no cursor holds.
    pub(crate) fn release(&self) {
        self.0.iter().for_each(|touched| {
            let mut touched = touched.lock().unwrap_or_else(PoisonError::into_inner);
            touched.take_if(|touched| Arc::strong_count(touched) == 1);
        });
    }

    /// Those of an edge label and direction, made by `make` if nobody asked before.
    pub(crate) fn get(
        &self,
        label: EdgeLabelId,
        direction: Direction,
        make: impl FnOnce() -> Result<Touched>,
    ) -> Result<Arc<Touched>> {
        let Some(touched) = self.0.get(2 * label.index() + direction as usize) else {
            return Ok(Arc::new(make()?));
        };
        let mut touched = touched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(touched) = &*touched {
            return Ok(Arc::clone(touched));
        }
        Ok(Arc::clone(touched.insert(Arc::new(make()?))))
    }
}

/// How many edges a label has now.
pub(crate) fn living_edges(directory: &Directory, label: EdgeLabelId, row: &EdgeLabelRow) -> u64 {
    let changes = directory.changes.as_ref().and_then(|changes| changes.of_edges(label));
    let Some(changes) = changes else { return row.edges };
    let removed = changes.removed.and_then(|column| directory.columns.get(column.index()));
    let all = row.edges.saturating_add(changes.appended);
    all.saturating_sub(removed.map_or(0, |column| column.count))
}

/// The number of the first edge that was appended: the others have ranks below, or are told by their targets in a forest.
pub(crate) fn first_appended(directory: &Directory, row: &EdgeLabelRow) -> u64 {
    match row.out.nodes {
        Some(_) => row.edges,
        None => directory.base_nodes().into(),
    }
}
