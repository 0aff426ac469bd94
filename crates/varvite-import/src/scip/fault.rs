//! [`ScipFault`]: the faults of an index, and [`ScipError`], which tells their offset.

use std::fmt;

use thiserror::Error;
use varvite::change::ChangeError;
use varvite_codec::protobuf::Wrong;
use varvite_graph::OverBudget;
use varvite_graph::internal::DraftFault;

use crate::text::{ForeignError, ForeignFault};

/// The reason why an import of a SCIP index failed.
pub type ScipError = ForeignError<ByteOffset, ScipFault>;

/// An offset in an index, as it is after decompression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteOffset(pub u64);

impl fmt::Display for ByteOffset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "byte {}", self.0)
    }
}

/// The reason why an index is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScipFault {
    /// The bytes are not a message of protocol buffers, or a field has a wrong type.
    #[error("{what}; is this file a SCIP index?")]
    Message {
        /// The fault in words.
        what: &'static str,
    },
    /// The index ends within a field.
    #[error("the index ends {missing} bytes before the end of this field; make the index again")]
    CutOff {
        /// The number of bytes that are missing.
        missing: u64,
    },
    /// A range does not have three or four numbers, has a negative number, or ends before it starts.
    #[error(
        "a range of an occurrence must have 3 or 4 numbers below 2147483647, and may not end before it starts"
    )]
    Range,
    /// A document has no path, or a path that is too long.
    #[error("the relative_path of a document has {len} bytes: 1 to {limit} are allowed")]
    Path {
        /// The length of the path in bytes.
        len: usize,
        /// The largest length in bytes.
        limit: usize,
    },
    /// The graph can't represent the content.
    #[error(transparent)]
    Draft(DraftFault),
}

impl ForeignFault for ScipFault {
    fn into_graph_error(self) -> Result<ChangeError, Self> {
        match self {
            Self::Draft(DraftFault::Change(error)) => Ok(error),
            fault => Err(fault),
        }
    }
}

impl From<Wrong> for ScipFault {
    fn from(wrong: Wrong) -> Self {
        Self::Message { what: wrong.what }
    }
}

impl From<DraftFault> for ScipFault {
    fn from(fault: DraftFault) -> Self {
        Self::Draft(fault)
    }
}

impl From<OverBudget> for ScipFault {
    fn from(error: OverBudget) -> Self {
        Self::Draft(error.into())
    }
}
