//! [`TablePlan`]: one file of an export, with its rows and columns.

use varvite::arrow::{Field, Table};
use varvite::{EdgeLabelId, Graph, LabelId, PropertyId, PropertyInfo};

use super::error::{ParquetExportError, Result};
use super::file_name::FileNames;
use super::uses::Uses;

/// The folder of nodes, and that of edges.
pub(super) const FOLDERS: [&str; 2] = ["nodes", "edges"];
/// The ending of every table.
pub(super) const ENDING: &str = ".parquet";

/// The largest number of files. Code has some dozens of labels; a folder of more files is slow to make.
const FILES_MAX: usize = 4096;

/// A file of an export.
#[derive(Debug)]
pub(super) struct TablePlan {
    pub(super) rows: RowKind,
    /// The name of the label.
    pub(super) label: String,
    /// The name of the file in its folder.
    pub(super) file: String,
    properties: Vec<PropertyId>,
    /// A name for each property, with a number after it if it would be that of another column but for case.
    names: Vec<String>,
}

/// The rows of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum RowKind {
    Nodes(LabelId),
    Edges(EdgeLabelId),
}

impl RowKind {
    /// The folder of the file.
    pub(super) fn folder(self) -> &'static str {
        let [nodes, edges] = FOLDERS;
        match self {
            Self::Nodes(_) => nodes,
            Self::Edges(_) => edges,
        }
    }

    /// The columns before those of properties.
    fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Nodes(_) => &["id"],
            Self::Edges(_) => &["source", "target"],
        }
    }
}

/// The files of a graph, nodes first. A label without nodes or edges has none.
pub(super) fn plans_of(
    graph: &Graph,
    properties: &[(PropertyId, PropertyInfo)],
    uses: &Uses,
) -> Result<Vec<TablePlan>> {
    let (mut plans, mut names) = (Vec::new(), FileNames::default());
    for (id, label) in graph.label_ids().zip(graph.labels()) {
        if !graph.nodes_of(id)?.is_empty() {
            plans.push(TablePlan::new(RowKind::Nodes(id), &label.name, &uses.of_label(id), &mut names));
        }
    }
    names = FileNames::default();
    for (id, label) in graph.edge_label_ids().zip(graph.edge_labels()) {
        let is_of = |info: &PropertyInfo| info.edge_label.as_ref() == Some(&label.name);
        let own = properties.iter().filter(|(_, info)| is_of(info));
        let own: Vec<_> = own.map(|(id, info)| (*id, info.name.as_str())).collect();
        if label.edges > 0 {
            plans.push(TablePlan::new(RowKind::Edges(id), &label.name, &own, &mut names));
        }
    }
    match plans.len() {
        found if found > FILES_MAX => Err(ParquetExportError::ManyFiles { found, limit: FILES_MAX }),
        _ => Ok(plans),
    }
}

impl TablePlan {
    fn new(rows: RowKind, label: &str, properties: &[(PropertyId, &str)], files: &mut FileNames) -> Self {
        let mut taken: Vec<String> = rows.ids().iter().map(|name| (*name).to_owned()).collect();
        let mut names = Vec::with_capacity(properties.len());
        for (_, name) in properties {
            let all =
                std::iter::once((*name).to_owned()).chain((1u64..).map(|number| format!("{name}_{number}")));
            let mut free = all.filter(|name| !taken.contains(&name.to_lowercase()));
            let name = free.next().unwrap_or_default();
            taken.push(name.to_lowercase());
            names.push(name);
        }
        let properties = properties.iter().map(|(id, _)| *id).collect();
        Self {
            rows,
            label: label.to_owned(),
            file: format!("{}{ENDING}", files.of(label)),
            properties,
            names,
        }
    }

    /// The rows and columns.
    pub(super) fn open(&self, graph: &Graph) -> Result<Table> {
        Ok(match self.rows {
            RowKind::Nodes(label) => Table::of_nodes(graph, Some(label), &self.properties)?,
            RowKind::Edges(label) => Table::of_edges(graph, label, &self.properties)?,
        })
    }

    /// The columns of the file: for each, the index in batches of the table, and its field under its name in
    /// the file. Ranks of edges are left out: they number the changes of this graph only.
    pub(super) fn columns(&self, fields: &[Field]) -> Vec<(usize, Field)> {
        let first = fields.len() - self.properties.len();
        let ids = (0..self.rows.ids().len()).map(|index| (index, None));
        let named = (first..).zip(self.names.iter().map(Some));
        let renamed = |(index, name): (usize, Option<&String>)| {
            let mut field = fields.get(index)?.clone();
            field.name = name.cloned().unwrap_or(field.name);
            Some((index, field))
        };
        ids.chain(named).filter_map(renamed).collect()
    }
}
