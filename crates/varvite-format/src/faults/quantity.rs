//! [`Quantity`]: the quantities in a file that have a limit.

use std::fmt;

use crate::{Claim, Encoding};

/// A quantity that has a limit in the format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// Nodes of the graph.
    Nodes,
    /// Edges of one label.
    Edges,
    /// Values of one property.
    Values,
    /// Bytes of a column of integers in this encoding.
    Column(Encoding),
    /// Bytes of the texts of one property.
    Texts,
    /// Bytes of the texts of the property with this name.
    TextsOf(String),
    /// Bytes of the name of a label, a property or a layer.
    Name,
    /// Bytes of the directory.
    Directory,
    /// Commits of one file.
    Commits,
    /// Bytes of a diff.
    Diff,
    /// A claim whose limit depends on the length of the file, and that length in bytes.
    Claim(Claim, u64),
}

impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes => formatter.write_str("nodes"),
            Self::Edges => formatter.write_str("edges"),
            Self::Values => formatter.write_str("values"),
            Self::Column(encoding) => write!(formatter, "bytes of a {} column", encoding.name()),
            Self::Texts => formatter.write_str("bytes of texts of one property"),
            Self::TextsOf(property) => write!(formatter, "bytes of texts of {property}"),
            Self::Name => formatter.write_str("bytes of a name"),
            Self::Directory => formatter.write_str("bytes of the directory"),
            Self::Commits => formatter.write_str("commits of one file"),
            Self::Diff => formatter.write_str("bytes of a diff"),
            Self::Claim(claim, file_len) => write!(formatter, "{claim} in a file of {file_len} bytes"),
        }
    }
}
