//! Import and export of GraphML.

mod reading;
mod refusals;
mod roundtrip;

use std::path::PathBuf;

use tempfile::TempDir;
use varvite::{Graph, IfExists};
use varvite_import::TextError;
use varvite_import::graphml::{GraphmlImport, GraphmlReport};

use crate::neo4j_csv::open_checked;

/// A folder with a document, and the graph made from it.
pub(crate) struct Documents(TempDir);

impl Documents {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn import(&self, text: impl AsRef<[u8]>) -> Result<(GraphmlReport, Graph), TextError> {
        self.import_with(text, |import| import)
    }

    pub(crate) fn import_with(
        &self,
        text: impl AsRef<[u8]>,
        options: impl FnOnce(GraphmlImport<'static>) -> GraphmlImport<'static>,
    ) -> Result<(GraphmlReport, Graph), TextError> {
        let (source, target) = (self.path("g.graphml"), self.path("g.varvite"));
        std::fs::write(&source, text).unwrap();
        let report = options(GraphmlImport::new(source).if_exists(IfExists::Replace)).write_to(&target)?;
        Ok((report, open_checked(&target)))
    }
}

/// A document written by NetworkX (`data/make.py`).
pub(crate) fn networkx(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/graphml/data");
    std::fs::read_to_string(format!("{folder}/{name}.graphml")).unwrap()
}

/// The values of a property of edges, in the order of out-lists.
pub(crate) fn edge_values(graph: &Graph, label: &str, property: &str) -> Vec<String> {
    let property = graph.edge_property(label, Some(property)).unwrap();
    let edges = graph.edge_labels().iter().find(|known| known.name == label).unwrap().edges as u32;
    let of_rank = |rank| property.get(rank).map_or(String::new(), |value| value.to_string());
    (0..edges).map(of_rank).collect()
}
