//! [`LayerUse`]: an element outside a layer that refers to the layer's nodes.

use std::fmt;

/// An element outside a layer that refers to one of the layer's nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerUse {
    /// An edge that is not part of the layer and has one of the layer's nodes at an end.
    Edges {
        /// Label of the edge.
        edge_label: String,
        /// The node of the layer that the element refers to.
        node: u32,
    },
    /// A property value that refers to one of the layer's nodes.
    Value {
        /// Name of the property.
        property: String,
        /// Label of the edges that have the property; `None` if nodes have it.
        edge_label: Option<String>,
        /// The node or edge that has the value.
        owner: u32,
        /// The node of the layer that the element refers to.
        node: u32,
    },
}

impl LayerUse {
    /// The node of the layer that the element refers to.
    pub fn node(&self) -> u32 {
        match self {
            Self::Edges { node, .. } | Self::Value { node, .. } => *node,
        }
    }
}

impl fmt::Display for LayerUse {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edges { edge_label, node } => {
                write!(formatter, "its node {node} has an edge {edge_label} that is not part of the layer")
            }
            Self::Value { property, edge_label: None, owner, node } => {
                write!(formatter, "its node {node} is the value of {property} of node {owner}")
            }
            Self::Value { property, edge_label: Some(edge_label), owner, node } => write!(
                formatter,
                "its node {node} is the value of {property} of edge {edge_label} with rank {owner}"
            ),
        }
    }
}
