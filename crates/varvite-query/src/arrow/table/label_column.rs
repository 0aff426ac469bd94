//! [`LabelColumn`]: the labels of nodes, as codes into a dictionary of the graph's label sets.

use std::sync::Arc;

use varvite_graph::{Graph, Labels, Result};

use super::super::array::Array;
use super::super::field::{DataType, Field};

/// The labels of nodes. Several labels of a node are one text, joined by `&`.
#[derive(Clone, Debug)]
pub(super) struct LabelColumn {
    labels: Labels,
    names: Arc<Array>,
}

impl LabelColumn {
    pub(super) fn of(graph: &Graph) -> Result<Self> {
        let labels = graph.label_sets()?;
        let name_of = |code| {
            let names = labels.of_code(code).filter_map(|label| graph.labels().get(label.index()));
            names.map(|label| label.name.as_str()).collect::<Vec<_>>().join("&")
        };
        // A code that cannot be read becomes the first one, which therefore has to exist.
        let names: Vec<String> = (0..labels.code_count().max(1)).map(name_of).collect();
        let names = Arc::new(Array::names(names.iter().map(String::as_str)));
        Ok(Self { labels, names })
    }

    pub(super) fn field() -> Field {
        Field::new("label", DataType::dictionary_of_texts())
    }

    /// The bytes of each row of a batch.
    pub(super) fn row_bytes() -> usize {
        size_of::<u32>()
    }

    /// The labels of some nodes. The cursor notes a label that cannot be read.
    pub(super) fn array(&self, nodes: &[u32]) -> Array {
        let codes = nodes.iter().map(|node| self.labels.known_code(*node).unwrap_or(0));
        Array::numbers(codes.collect::<Vec<u32>>()).with_dictionary(Arc::clone(&self.names))
    }
}
