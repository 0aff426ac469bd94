//! [`Schema`]: the schema of a graph in the form that generators need, as plain data.
//!
//! Labels are referred to by their index. Everything is in the order of the graph's own schema, without
//! duplicate names.

use std::collections::BTreeSet;

use varvite::{Cardinality, ValueType};

/// The labels of a graph, and the properties and edges of each label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// Names of the node labels.
    pub labels: Vec<String>,
    /// Properties of nodes.
    pub properties: Vec<Property>,
    /// Edge labels.
    pub edges: Vec<EdgeLabel>,
}

/// A property of nodes, or of the edges of one label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The name of the property.
    pub name: String,
    /// The type of the values.
    pub value_type: ValueType,
    /// The number of values that an owner may have.
    pub cardinality: Cardinality,
    /// The value that replaces a missing one, as text; `None` if there is no default.
    pub default: Option<String>,
    /// The labels of nodes with the property; empty for a property of edges.
    pub owners: BTreeSet<usize>,
    /// The labels of the nodes to which the values refer; empty if the values are not references.
    pub targets: BTreeSet<usize>,
}

/// An edge label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeLabel {
    /// The name of the edge label.
    pub name: String,
    /// Whether a node is the target of at most one such edge in every graph, which is true for the label of
    /// the forest.
    pub is_forest: bool,
    /// The pairs of a source label and a target label that some edge connects.
    pub pairs: BTreeSet<(usize, usize)>,
    /// The properties of the edges.
    pub properties: Vec<Property>,
}

impl EdgeLabel {
    /// The pairs in the other direction: target label and source label.
    pub(crate) fn reversed(&self) -> BTreeSet<(usize, usize)> {
        self.pairs.iter().map(|(source, target)| (*target, *source)).collect()
    }
}
