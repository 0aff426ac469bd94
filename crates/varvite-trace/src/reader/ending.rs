//! The end of a trace, and the parts that a reader skipped.

use crate::index::End;

/// The kind of a trace's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The recorder finished the trace.
    Complete(End),
    /// The recorder was stopped, or the trace was truncated. At `offset`, there are `partial_bytes` bytes of
    /// an incomplete chunk. It is unknown how many records would have followed.
    Cut {
        /// The end of the last whole chunk.
        offset: u64,
        /// The number of bytes of the incomplete chunk at `offset`.
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
    /// The number of skipped ranges. A range has one or more blocks.
    pub places: u64,
    /// The number of records known to be lost.
    pub records: u64,
    /// The number of skipped bytes.
    pub bytes: u64,
}
