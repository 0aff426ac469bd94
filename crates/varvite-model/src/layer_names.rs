//! [`LayerNames`]: the names that a layer declares for its nodes, edges and values.

use std::collections::BTreeSet;

/// The names that a layer declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LayerNames {
    /// The labels of the layer's nodes.
    pub labels: BTreeSet<String>,
    /// The labels of the layer's edges.
    pub edge_labels: BTreeSet<String>,
    /// The node properties that the layer adds.
    pub properties: BTreeSet<String>,
}
