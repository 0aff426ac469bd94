//! [`Column`]: what is known of a column before its first row.

use varvite::Graph;

/// A column of rows: its title, and how tables align it.
#[derive(Clone, Debug)]
pub struct Column {
    pub(super) name: String,
    pub(super) is_number: bool,
    /// In characters: what is known of the widest cell before the first one comes.
    pub(super) width_min: usize,
}

impl Column {
    /// A column of texts.
    pub fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: false, width_min: 0 }
    }

    /// A column of numbers: tables align it to the right.
    pub fn number(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: true, width_min: 0 }
    }

    /// The column of node ids.
    pub fn node(graph: &Graph, name: impl Into<String>) -> Self {
        let id_max = graph.node_count().saturating_sub(1);
        Self { width_min: id_max.to_string().len(), ..Self::number(name) }
    }

    /// Its title.
    pub fn name(&self) -> &str {
        &self.name
    }
}
