//! The end of a trace, and its missing parts.

use crate::index::End;

/// The end of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Its recorder finished it.
    Complete(End),
    /// Its recorder was stopped, or the trace was cut: `partial_bytes` of an unfinished block are at
    /// `offset`, and the records after it are unknown.
    Cut {
        /// The end of the last whole chunk.
        offset: u64,
        /// Bytes after it that make no whole chunk.
        partial_bytes: u64,
    },
}

impl Ending {
    pub(super) fn offset(&self) -> u64 {
        match self {
            Self::Complete(end) => end.offset,
            Self::Cut { offset, .. } => *offset,
        }
    }
}

/// Damage that a reader skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Damaged places, each a block or more.
    pub places: u64,
    /// Records known to be lost.
    pub records: u64,
    /// Bytes passed over.
    pub bytes: u64,
}
