//! Checks the sets of a graph's changes: nodes with changed edges, owners of changed values, and removed
//! elements.

use varvite_format::{ColumnId, Directory, EdgeLabelId, Owner};

use crate::cursor::adjacency::Direction;
use crate::cursor::columns::{adjacency_name, edge_label_name, property_name};
use crate::overlay::changed_counts::first_appended;

/// The sets in the columns of changes: for each set, its name, its column, and the exclusive upper limit of
/// its members.
pub(super) fn sets(directory: &Directory) -> Vec<(String, ColumnId, u32)> {
    let Some(changes) = &directory.changes else { return Vec::new() };
    let mut sets = Vec::new();
    sets.extend(changes.removed.map(|column| ("removed nodes".to_owned(), column, directory.nodes)));
    for row in &changes.edges {
        let label = row.edge_label;
        for (direction, side) in [(Direction::Out, row.out), (Direction::In, row.in_)] {
            let name = format!("{} appended nodes", adjacency_name(directory, label, direction));
            sets.extend(side.nodes.map(|column| (name, column, directory.nodes)));
        }
        let name = format!("{} removed", edge_label_name(directory, label));
        sets.extend(
            row.removed.zip(edge_limit(directory, label)).map(|(column, limit)| (name, column, limit)),
        );
        let edges = directory.edge_labels.get(label.index()).and_then(|row| u32::try_from(row.edges).ok());
        let name = format!("{} removed", adjacency_name(directory, label, Direction::In));
        sets.extend(row.removed_in.zip(edges).map(|(column, limit)| (name, column, limit)));
    }
    for row in &changes.properties {
        let owner = directory.properties.get(row.property.index()).map(|row| row.owner);
        let limit = match owner {
            Some(Owner::Node) => Some(directory.nodes),
            Some(Owner::Edge(label)) => edge_limit(directory, label),
            None => None,
        };
        let Some(limit) = limit else { continue };
        let name = property_name(directory, row.property);
        sets.push((format!("{name} changed owners"), row.owners, limit));
        sets.push((format!("{name} changed present"), row.present, limit));
    }
    sets
}

/// The exclusive upper limit of the ranks of a label's edges.
fn edge_limit(directory: &Directory, label: EdgeLabelId) -> Option<u32> {
    let row = directory.edge_labels.get(label.index())?;
    let changes = directory.changes.as_ref().and_then(|changes| changes.of_edges(label));
    let limit = match changes {
        Some(changes) => first_appended(directory, row).checked_add(changes.appended)?,
        None => row.edges,
    };
    u32::try_from(limit).ok()
}
