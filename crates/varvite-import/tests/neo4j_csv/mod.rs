//! Tables in the form of Neo4j's admin import.

mod content;
mod files;
mod refusals;

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use varvite::{Graph, Task};
use varvite_import::TextError;
use varvite_import::neo4j_csv::{CsvGroup, CsvImport, CsvReport};

/// A folder with tables, and the graph made from them.
pub(crate) struct Tables(TempDir);

impl Tables {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a table.
    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// Imports one table of nodes and one of relationships.
    pub(crate) fn import(&self, nodes: &str, relationships: &str) -> Result<(CsvReport, Graph), TextError> {
        self.import_with(nodes, relationships, |import| import)
    }

    /// Imports one table of nodes and one of relationships, with options.
    pub(crate) fn import_with(
        &self,
        nodes: &str,
        relationships: &str,
        options: impl FnOnce(CsvImport<'static>) -> CsvImport<'static>,
    ) -> Result<(CsvReport, Graph), TextError> {
        let import = CsvImport::new().nodes(CsvGroup::of([self.write("nodes.csv", nodes)]));
        let import = match relationships {
            "" => import,
            text => import.relationships(CsvGroup::of([self.write("relationships.csv", text)])),
        };
        let target = self.path("graph.varvite");
        let import = options(import).if_exists(varvite::IfExists::Replace);
        let report = import.write_to(&target)?;
        Ok((report, open_checked(&target)))
    }
}

/// Opens a graph, and checks that its columns are consistent.
pub(crate) fn open_checked(path: &Path) -> Graph {
    let graph = Graph::open(path).unwrap();
    assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    graph
}

/// The values of a property as one text for each node: lists are joined, and missing values are empty.
pub(crate) fn values(graph: &Graph, property: &str) -> Vec<String> {
    let property = graph.property(property).unwrap();
    let of_node = |node| property.all(node).map(|value| value.to_string()).collect::<Vec<_>>().join("|");
    (0..graph.node_count()).map(of_node).collect()
}

/// The edges of a label, as source and target.
pub(crate) fn edges(graph: &Graph, label: &str) -> Vec<(u32, u32)> {
    let mut edges = Vec::new();
    graph.out(label).unwrap().for_each_edge(|source, target| edges.push((source, target)));
    edges
}

/// The labels of each node.
pub(crate) fn labels(graph: &Graph) -> Vec<Vec<&str>> {
    let sets = graph.label_sets().unwrap();
    let name = |label: varvite::LabelId| &*graph.labels()[label.index()].name;
    (0..graph.node_count()).map(|node| sets.of(node).map(name).collect()).collect()
}
