//! [`LayerNames`]: the names that a layer declares for its nodes, edges and values.

use std::collections::BTreeSet;

/// The names that a layer brings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerNames {
    /// Labels of its nodes.
    pub labels: BTreeSet<String>,
    /// Labels of its edges.
    pub edge_labels: BTreeSet<String>,
    /// Properties of nodes.
    pub properties: BTreeSet<String>,
}
