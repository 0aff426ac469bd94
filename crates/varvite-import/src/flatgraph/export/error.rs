//! [`ExportError`]: the reasons why an export failed.

use thiserror::Error;
use varvite::error::{Cancelled, StoreError};
use varvite::{GraphError, PropertyInfo};

use crate::flatgraph::{ElementType, FlatgraphError};

/// The reason why an export failed. The target has no new file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The graph could not be read, or the target could not be written.
    #[error(transparent)]
    Graph(GraphError),
    /// The caller cancelled the export ([`Cancel`](varvite::Cancel)).
    #[error("cancelled")]
    Cancelled,
    /// A column or the string pool is larger than flatgraph allows.
    #[error("the graph does not fit a flatgraph file: {0}")]
    Column(FlatgraphError),
    /// The graph has more labels, or more nodes of a label, than flatgraph can number.
    #[error("the graph has {found} {what}, a flatgraph file holds at most {limit}")]
    TooLarge {
        /// The name of the elements whose number exceeds the limit.
        what: String,
        /// The number of elements in the graph.
        found: u64,
        /// The largest number that flatgraph allows.
        limit: u64,
    },
    /// A node has several labels, or no label.
    #[error("node {node} has {}; a node of a flatgraph file has exactly one", Listed(.labels))]
    Labels {
        /// The id of the node.
        node: u32,
        /// The labels of the node.
        labels: Vec<String>,
    },
    /// Flatgraph has no type for the values of a property.
    #[error("{property} holds {found}, for which flatgraph has no type; leave it out of the export")]
    Type {
        /// The name of the property, and its edge label if it is an edge property.
        property: String,
        /// The type of the property's values.
        found: &'static str,
    },
    /// A value exceeds the range of the type that flatgraph has for a property.
    #[error("{property} has the value {found}, beyond the range of the type {expected} of flatgraph")]
    ValueRange {
        /// The name of the property.
        property: String,
        /// The flatgraph type of the property.
        expected: ElementType,
        /// The value.
        found: i128,
    },
    /// An edge label has several properties.
    #[error("the edges {edge_label} have the properties {first} and {second}; flatgraph allows one")]
    EdgeProperties {
        /// The name of the edge label.
        edge_label: String,
        /// The name of one property.
        first: String,
        /// The name of another property.
        second: String,
    },
    /// An edge has several values of its property.
    #[error("{property} has {values} values on {owners} edges; flatgraph allows one on each")]
    EdgeList {
        /// The name of the property.
        property: String,
        /// The number of values.
        values: u64,
        /// The number of edges with a value.
        owners: u64,
    },
    /// Some edges of a label have a value and others have none, and the property has neither a default nor a
    /// null that could stand for a missing value.
    #[error(
        "{property} is missing on an edge, but flatgraph wants a value on every edge of a label or on none; give it a default"
    )]
    EdgeWithoutValue {
        /// The name of the property.
        property: String,
    },
}

impl From<GraphError> for ExportError {
    fn from(error: GraphError) -> Self {
        match error {
            GraphError::Cancelled => Self::Cancelled,
            error => Self::Graph(error),
        }
    }
}

impl From<Cancelled> for ExportError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<StoreError> for ExportError {
    fn from(error: StoreError) -> Self {
        GraphError::from(error).into()
    }
}

impl From<FlatgraphError> for ExportError {
    fn from(error: FlatgraphError) -> Self {
        let FlatgraphError::Io { part, offset, source } = error else { return Self::Column(error) };
        match source.downcast::<StoreError>() {
            Ok(error) => error.into(),
            Err(source) => Self::Column(FlatgraphError::Io { part, offset, source }),
        }
    }
}

/// The name of a property in errors.
pub(super) fn property_name(info: &PropertyInfo) -> String {
    match &info.edge_label {
        None => format!("property {}", info.name),
        Some(edge_label) => format!("property {} of edges {edge_label}", info.name),
    }
}

/// Shows the labels of a node.
struct Listed<'a>(&'a [String]);

impl std::fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [] => formatter.write_str("no label"),
            labels => write!(formatter, "the labels {}", labels.join(" and ")),
        }
    }
}
