//! [`Excess`]: a claim that is too large for the length of its file.

use std::fmt;

/// The quantities that a file may claim only in proportion to its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// Values, nodes and edges.
    Values,
    /// Plain bytes of segments.
    PlainBytes,
    /// Bytes of names; a name counts once for every row that refers to it.
    NameBytes,
    /// Bytes of the label names in all label sets.
    LabelSetBytes,
    /// Columns in the tree of one column: the column itself and its descendants.
    ColumnParts,
    /// Bytes of texts that share bytes with other texts.
    OverlappingTexts,
}

impl fmt::Display for Claim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Values => "values",
            Self::PlainBytes => "plain bytes",
            Self::NameBytes => "bytes of names",
            Self::LabelSetBytes => "bytes of labels of label sets",
            Self::ColumnParts => "parts of a column",
            Self::OverlappingTexts => "bytes of texts that overlap",
        })
    }
}

/// A claim beyond the limit for the length of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// The claimed quantity.
    pub claim: Claim,
    /// The claimed amount.
    pub found: u64,
    /// The limit.
    pub limit: u64,
    /// The length of the file.
    pub file_len: u64,
}
