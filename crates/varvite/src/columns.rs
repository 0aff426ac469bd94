//! The names of columns, as people read them: `edges CFG in neighbours`, `property NAME values`.
//!
//! One place gives them, so that `info`, `verify` and errors call a column the same. A column that several parts of
//! a graph share has a name for each of them.

use varvite_format::{ColumnId, Directory, NameId, Owner};

use crate::adjacency::Direction;

/// A column of the directory under one of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedColumn {
    pub(crate) name: String,
    pub(crate) id: ColumnId,
}

/// Every column that a part of the graph names, in the order of the directory.
pub(crate) fn named_columns(directory: &Directory) -> Vec<NamedColumn> {
    let mut columns = Vec::new();
    let mut add = |part: &str, column: &str, id: Option<ColumnId>| {
        let name = format!("{part} {column}");
        columns.extend(id.map(|id| NamedColumn { name, id }));
    };
    add("node", "labels", directory.codes);
    add("subtree", "sizes", directory.subtree);
    add("parent", "distances", directory.parents);
    for (number, row) in directory.labels.iter().enumerate() {
        let part = label_name(directory, number);
        add(&part, "nodes", Some(row.nodes));
        add(&part, "origin", row.origin);
    }
    for (number, row) in directory.edge_labels.iter().enumerate() {
        for (direction, side) in [(Direction::Out, row.out), (Direction::In, row.in_)] {
            let part = adjacency_name(directory, number, direction);
            add(&part, "nodes", side.nodes);
            add(&part, "offsets", side.offsets);
            add(&part, "neighbours", side.neighbors);
        }
        add(&edge_label_name(directory, number), "places", row.places);
    }
    for (number, row) in directory.properties.iter().enumerate() {
        let part = property_name(directory, number);
        add(&part, "owners", Some(row.present));
        add(&part, "offsets", row.offsets);
        add(&part, "values", Some(row.values));
        add(&part, "strings", row.strings);
    }
    for row in &directory.text_indexes {
        let part = index_name(directory, row.property as usize);
        let names = ["buckets", "codes", "groups", "sets", "starts", "nodes"];
        names.iter().zip(row.columns()).for_each(|(column, id)| add(&part, column, Some(id)));
    }
    columns
}

/// `label METHOD`.
pub(crate) fn label_name(directory: &Directory, label: usize) -> String {
    format!("label {}", name_of(directory, directory.labels.get(label).map(|row| row.name)))
}

/// `edges CFG`.
pub(crate) fn edge_label_name(directory: &Directory, edge_label: usize) -> String {
    format!("edges {}", name_of(directory, directory.edge_labels.get(edge_label).map(|row| row.name)))
}

/// `edges CFG in`.
pub(crate) fn adjacency_name(directory: &Directory, edge_label: usize, direction: Direction) -> String {
    format!("{} {}", edge_label_name(directory, edge_label), direction.name())
}

/// `property NAME`, or `property REACHING_DEF.VARIABLE` of edges.
pub(crate) fn property_name(directory: &Directory, property: usize) -> String {
    let row = directory.properties.get(property);
    let name = name_of(directory, row.map(|row| row.name));
    match row.map(|row| row.owner) {
        Some(Owner::Edge(label)) => {
            let label = directory.edge_labels.get(label as usize).map(|row| row.name);
            format!("property {}.{name}", name_of(directory, label))
        }
        _ => format!("property {name}"),
    }
}

/// `index NAME`.
pub(crate) fn index_name(directory: &Directory, property: usize) -> String {
    property_name(directory, property).replacen("property", "index", 1)
}

fn name_of(directory: &Directory, name: Option<NameId>) -> &str {
    name.map_or("", |name| directory.names.get(name))
}
