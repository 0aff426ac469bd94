//! [`Schema`]: the schema of a graph in the form that generators need, as plain data.
//!
//! Labels are named by their index. Everything is in the order of the graph's own schema, and holds no name
//! twice.

use std::collections::BTreeSet;

use varvite::{Cardinality, ValueType};

/// The names in a graph, and the properties and edges of each label.
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
    /// Its name.
    pub name: String,
    /// Type of its values.
    pub value_type: ValueType,
    /// The number of values of an owner.
    pub cardinality: Cardinality,
    /// The value that stands for an absent one, as text.
    pub default: Option<String>,
    /// Labels of nodes that have it; none for a property of edges.
    pub owners: BTreeSet<usize>,
    /// Labels of nodes that its values refer to; none for other types.
    pub targets: BTreeSet<usize>,
}

/// An edge label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeLabel {
    /// Its name.
    pub name: String,
    /// Whether a node is the target of at most one such edge, whatever the graph: true for the label of the
    /// forest.
    pub is_forest: bool,
    /// Labels of source and target, for each pair that some edge joins.
    pub pairs: BTreeSet<(usize, usize)>,
    /// Properties of its edges.
    pub properties: Vec<Property>,
}

impl EdgeLabel {
    /// The same edges, seen from their targets.
    pub(crate) fn reversed(&self) -> BTreeSet<(usize, usize)> {
        self.pairs.iter().map(|(source, target)| (*target, *source)).collect()
    }
}
