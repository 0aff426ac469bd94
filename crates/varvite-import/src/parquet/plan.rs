//! [`TablePlan`]: one file of an export, and its rows.

use varvite::{EdgeLabelId, Graph, LabelId, Task};

use super::error::{ParquetExportError, Result};
use super::file_name::FileNames;

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
    pub(super) fn ids(self) -> &'static [&'static str] {
        match self {
            Self::Nodes(_) => &["id"],
            Self::Edges(_) => &["source", "target"],
        }
    }
}

/// The files of a graph, nodes first. A label without nodes or edges has none.
pub(super) fn plans_of(graph: &Graph, task: &Task<'_>) -> Result<Vec<TablePlan>> {
    let mut rows = Vec::new();
    for (id, label) in graph.label_ids().zip(graph.labels()) {
        task.check()?;
        if !graph.nodes_of(id)?.is_empty() {
            rows.push((RowKind::Nodes(id), &label.name));
        }
    }
    let labels = graph.edge_label_ids().zip(graph.edge_labels());
    let used = labels.filter(|(_, label)| label.edges > 0);
    rows.extend(used.map(|(id, label)| (RowKind::Edges(id), &label.name)));
    if rows.len() > FILES_MAX {
        return Err(ParquetExportError::ManyFiles { found: rows.len(), limit: FILES_MAX });
    }
    let (mut nodes, mut edges) = (FileNames::new(), FileNames::new());
    let plans = rows.into_iter().map(|(rows, label)| {
        let names = if matches!(rows, RowKind::Nodes(_)) { &mut nodes } else { &mut edges };
        TablePlan { rows, label: label.clone(), file: format!("{}{ENDING}", names.of(label)) }
    });
    Ok(plans.collect())
}

#[cfg(test)]
mod tests {
    use varvite::{Cancel, GraphError, NewGraph};

    use super::*;

    #[test]
    fn planning_looks_at_the_flag() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new.varvite");
        let mut new = NewGraph::create(&path).unwrap();
        new.add_node(&["A"]).unwrap();
        new.finish().unwrap();
        let (graph, cancel) = (Graph::open(&path).unwrap(), Cancel::default());
        let task = Task::new().cancel(&cancel);
        assert_eq!(plans_of(&graph, &task).unwrap().len(), 1);
        cancel.cancel();
        let error = plans_of(&graph, &task).unwrap_err();
        assert!(matches!(error, ParquetExportError::Graph(GraphError::Cancelled)), "{error}");
    }
}
