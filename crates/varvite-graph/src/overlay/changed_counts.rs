//! Counts of an edge label with changes: the number of its edges now, and the number that identifies its
//! first appended edge.

use varvite_format::{Directory, EdgeLabelId, EdgeLabelRow};

/// The number of edges that a label has now: with appended edges, without removed edges.
pub(crate) fn living_edges(directory: &Directory, label: EdgeLabelId, row: &EdgeLabelRow) -> u64 {
    let changes = directory.changes.as_ref().and_then(|changes| changes.of_edges(label));
    let Some(changes) = changes else { return row.edges };
    let removed = changes.removed.and_then(|column| directory.columns.get(column.index()));
    let all = row.edges.saturating_add(changes.appended);
    all.saturating_sub(removed.map_or(0, |column| column.count))
}

/// The number that identifies the first appended edge. All edges of the base have smaller numbers: their
/// ranks, or in a forest the ids of their targets.
pub(crate) fn first_appended(directory: &Directory, row: &EdgeLabelRow) -> u64 {
    match row.out.nodes {
        Some(_) => row.edges,
        None => directory.base_nodes().into(),
    }
}
