//! [`NameKind`]: the kind of element that a name belongs to.

use std::fmt;

/// The kind of element that a name belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameKind {
    /// A label of nodes.
    Label,
    /// A label of edges.
    EdgeLabel,
    /// A property of nodes.
    Property,
    /// A property of edges.
    EdgeProperty,
    /// A layer.
    Layer,
    /// An index, named by its property, or `subtree`.
    Index,
    /// A column of a digest.
    Column,
}

impl fmt::Display for NameKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Label => "label",
            Self::EdgeLabel => "edge label",
            Self::Property => "property",
            Self::EdgeProperty => "edge property",
            Self::Layer => "layer",
            Self::Index => "index",
            Self::Column => "column",
        })
    }
}
