//! The names of node labels and edge labels.

use varvite::cursor::Labels;
use varvite::{EdgeLabelId, Graph};

use crate::error::Result;

/// Reads the label names of nodes.
#[derive(Debug)]
pub struct LabelNames {
    labels: Labels,
    /// For each code of a label set, the names of its labels, joined by `&`.
    names: Vec<String>,
}

impl LabelNames {
    /// Makes a reader of a graph's node labels, and opens their column.
    ///
    /// # Errors
    /// Fails if the column can't be read.
    pub fn of(graph: &Graph) -> Result<Self> {
        let labels = graph.label_sets()?;
        let name_of = |code| {
            let known = labels.of_code(code).filter_map(|label| graph.labels().get(label.index()));
            known.map(|label| label.name.as_str()).collect::<Vec<_>>().join("&")
        };
        let names = (0..labels.code_count()).map(name_of).collect();
        Ok(Self { labels, names })
    }

    /// The labels of a node, joined by `&`.
    pub fn of_node(&self, node: u32) -> &str {
        self.of_code(self.code(node))
    }

    /// The code (a number) of a node's label set.
    pub(crate) fn code(&self, node: u32) -> u32 {
        self.labels.code(node)
    }

    /// The labels of the label set with this code, joined by `&`.
    pub(crate) fn of_code(&self, code: u32) -> &str {
        self.names.get(code as usize).map_or("", String::as_str)
    }
}

/// The names of edge labels.
#[derive(Clone, Debug)]
pub struct EdgeLabels(Vec<String>);

impl EdgeLabels {
    /// Reads the names of a graph's edge labels.
    pub fn of(graph: &Graph) -> Self {
        Self(graph.edge_labels().iter().map(|label| label.name.clone()).collect())
    }

    /// The name of an edge label.
    pub fn name(&self, label: EdgeLabelId) -> &str {
        self.0.get(label.index()).map_or("", String::as_str)
    }

    /// The index of the edge label named `name`.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|label| label == name)
    }

    /// The number of edge labels.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
