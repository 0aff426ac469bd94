//! [`Excess`]: more than a file of some length may claim.

use std::fmt;

/// Things that a file may claim only in proportion to its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// Values, nodes and edges.
    Values,
    /// Bytes that segments decode to.
    PlainBytes,
    /// Bytes of names, each as often as rows name it.
    NameBytes,
    /// Bytes of the names of the labels of label sets.
    LabelSetBytes,
    /// A column and all columns below it.
    ColumnParts,
    /// Bytes of texts that share bytes with others.
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
    /// The claimed thing.
    pub claim: Claim,
    /// The claimed amount.
    pub found: u64,
    /// The limit.
    pub limit: u64,
    /// The length of the file.
    pub file_len: u64,
}
