//! The names of columns in messages, such as `edges CFG in neighbours` or `property NAME values`.
//!
//! All names are made here, so that `info`, `verify` and errors use the same name for a column. A column
//! shared by several parts of a graph has one name for each part.

use varvite_format::{Changes, ColumnId, Directory, EdgeLabelId, LabelId, NameId, Owner, PropertyId};

use crate::cursor::adjacency::Direction;

/// A column of the directory with one of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedColumn {
    pub(crate) name: String,
    pub(crate) id: ColumnId,
}

/// Every column that the directory refers to, once for each reference, in the order of the directory.
pub(crate) fn named_columns(directory: &Directory) -> Vec<NamedColumn> {
    let mut columns = Vec::new();
    let mut add = |part: &str, column: &str, id: Option<ColumnId>| {
        let name = format!("{part} {column}");
        columns.extend(id.map(|id| NamedColumn { name, id }));
    };
    add("node", "labels", directory.codes);
    add("subtree", "sizes", directory.subtree);
    add("parent", "distances", directory.parents);
    for (label, row) in (0..).map(LabelId).zip(&directory.labels) {
        let part = label_name(directory, label);
        add(&part, "nodes", Some(row.nodes));
        add(&part, "origin", row.origin);
    }
    for (label, row) in (0..).map(EdgeLabelId).zip(&directory.edge_labels) {
        for (direction, side) in [(Direction::Out, row.out), (Direction::In, row.in_)] {
            let part = adjacency_name(directory, label, direction);
            add(&part, "nodes", side.nodes);
            add(&part, "offsets", side.offsets);
            add(&part, "neighbours", side.neighbors);
        }
        add(&edge_label_name(directory, label), "places", row.places);
    }
    for (property, row) in (0..).map(PropertyId).zip(&directory.properties) {
        let part = property_name(directory, property);
        add(&part, "owners", Some(row.present));
        add(&part, "offsets", row.offsets);
        add(&part, "values", Some(row.values));
        add(&part, "strings", row.strings);
    }
    for row in &directory.text_indexes {
        let part = index_name(directory, row.property);
        let names = ["buckets", "codes", "groups", "sets", "starts", "nodes"];
        names.iter().zip(row.columns()).for_each(|(column, id)| add(&part, column, Some(id)));
    }
    if let Some(changes) = &directory.changes {
        add_changes(directory, changes, &mut add);
    }
    columns
}

/// Adds the columns of changes made since the base was written.
fn add_changes(directory: &Directory, changes: &Changes, add: &mut impl FnMut(&str, &str, Option<ColumnId>)) {
    add("appended nodes", "labels", changes.codes);
    add("removed", "nodes", changes.removed);
    for row in &changes.edges {
        let sides = [(Direction::Out, row.out, row.out_ranks), (Direction::In, row.in_, row.in_ranks)];
        for (direction, side, ranks) in sides {
            let part = format!("{} appended", adjacency_name(directory, row.edge_label, direction));
            add(&part, "nodes", side.nodes);
            add(&part, "offsets", side.offsets);
            add(&part, "neighbours", side.neighbors);
            add(&part, "ranks", ranks);
        }
        add(&edge_label_name(directory, row.edge_label), "removed", row.removed);
        add(&adjacency_name(directory, row.edge_label, Direction::In), "removed", row.removed_in);
    }
    for row in &changes.properties {
        let part = format!("{} changed", property_name(directory, row.property));
        add(&part, "owners", Some(row.owners));
        add(&part, "present", Some(row.present));
        add(&part, "offsets", row.offsets);
        add(&part, "values", Some(row.values));
        add(&part, "strings", row.strings);
    }
}

/// The name of a label in messages, such as `label METHOD`.
pub fn label_name(directory: &Directory, label: LabelId) -> String {
    format!("label {}", name_of(directory, directory.labels.get(label.index()).map(|row| row.name)))
}

/// The name of an edge label in messages, such as `edges CFG`.
pub fn edge_label_name(directory: &Directory, edge_label: EdgeLabelId) -> String {
    format!("edges {}", name_of(directory, directory.edge_labels.get(edge_label.index()).map(|row| row.name)))
}

/// The name of an edge label in one direction, such as `edges CFG in`.
pub fn adjacency_name(directory: &Directory, edge_label: EdgeLabelId, direction: Direction) -> String {
    format!("{} {}", edge_label_name(directory, edge_label), direction.name())
}

/// The name of a property in messages, such as `property NAME`, or `property REACHING_DEF.VARIABLE` for a
/// property of edges.
pub fn property_name(directory: &Directory, property: PropertyId) -> String {
    let row = directory.properties.get(property.index());
    let name = name_of(directory, row.map(|row| row.name));
    match row.map(|row| row.owner) {
        Some(Owner::Edge(label)) => {
            let label = directory.edge_labels.get(label.index()).map(|row| row.name);
            format!("property {}.{name}", name_of(directory, label))
        }
        _ => format!("property {name}"),
    }
}

/// The name of a property's text index in messages, such as `index NAME`.
pub(crate) fn index_name(directory: &Directory, property: PropertyId) -> String {
    property_name(directory, property).replacen("property", "index", 1)
}

fn name_of(directory: &Directory, name: Option<NameId>) -> &str {
    name.map_or("", |name| directory.names.get(name))
}
