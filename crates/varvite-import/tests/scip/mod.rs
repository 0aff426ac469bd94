//! Import of SCIP indexes.

mod fuzz;
mod indexers;
mod reading;
mod refusals;

use std::path::PathBuf;

use tempfile::TempDir;
use varvite::{Graph, IfExists};
use varvite_import::scip::{ScipError, ScipImport, ScipReport};
use varvite_testing::scip_index::{ScipDocument, ScipIndex};

use crate::neo4j_csv::{labels, open_checked};

/// A folder with an index, and the graph made from it.
pub(crate) struct Indexes(TempDir);

impl Indexes {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn import(&self, index: &[u8]) -> Result<(ScipReport, Graph), ScipError> {
        self.import_with(index, |import| import)
    }

    pub(crate) fn import_with(
        &self,
        index: &[u8],
        options: impl FnOnce(ScipImport<'static>) -> ScipImport<'static>,
    ) -> Result<(ScipReport, Graph), ScipError> {
        let (source, target) = (self.path("index.scip"), self.path("g.varvite"));
        std::fs::write(&source, index).unwrap();
        let report = options(ScipImport::new(source).if_exists(IfExists::Replace)).write_to(&target)?;
        Ok((report, open_checked(&target)))
    }
}

/// An index of one document.
pub(crate) fn index_of(document: ScipDocument) -> Vec<u8> {
    ScipIndex::new().document(document).bytes()
}

/// All edges of a label, as pairs of the names of their ends, in ascending order.
pub(crate) fn edges(graph: &Graph, label: &str) -> Vec<String> {
    let Ok(adjacency) = graph.out(label) else { return Vec::new() };
    let ends = (0..graph.node_count())
        .flat_map(|source| adjacency.neighbors(source).map(move |target| (source, target)));
    let mut edges: Vec<String> =
        ends.map(|(source, target)| format!("{} > {}", shown(graph, source), shown(graph, target))).collect();
    edges.sort();
    edges
}

/// The label of a node, its name, and its line.
pub(crate) fn shown(graph: &Graph, node: u32) -> String {
    let labels = labels(graph)[node as usize].join(":");
    let names = ["NAME", "METHOD_FULL_NAME", "TYPE_FULL_NAME", "CANONICAL_NAME", "IMPORTED_ENTITY"];
    let name = names.iter().find_map(|name| value(graph, node, name)).unwrap_or_default();
    let line = value(graph, node, "LINE_NUMBER").map_or(String::new(), |line| format!(" {line}"));
    format!("{labels} {name}{line}")
}

/// The value of a property of a node.
pub(crate) fn value(graph: &Graph, node: u32, property: &str) -> Option<String> {
    Some(graph.property(property).ok()?.get(node)?.to_string())
}
