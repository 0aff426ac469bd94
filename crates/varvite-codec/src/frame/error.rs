//! A fault in framed data, with its offset.

use std::io;

use thiserror::Error;

use super::Expanded;
use crate::CodecError;

/// A fault in framed data, with its offset. The reader has returned all data before the fault.
#[derive(Debug, Error)]
#[error("{format} data, byte {offset}: {problem}")]
pub struct FrameError {
    /// The name of the format.
    pub format: &'static str,
    /// The offset of the fault in the framed data: the start of the faulty chunk, block, member or frame, or
    /// the offset that a library reached.
    pub offset: u64,
    /// The fault.
    pub problem: FrameProblem,
}

/// A fault in framed data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FrameProblem {
    /// The data ends inside an item. All data before that item is whole.
    #[error("the data ends inside a {what}, at least {missing} bytes early")]
    Truncated {
        /// The item in which the data ends.
        what: &'static str,
        /// The least number of missing bytes.
        missing: u64,
    },
    /// The data does not begin with the first bytes of the format.
    #[error("expected {expected}, found {found:02x?}")]
    NotThisFormat {
        /// The first bytes of the format.
        expected: &'static str,
        /// The first bytes of the data.
        found: [u8; 4],
    },
    /// A chunk has an unknown type that readers must not skip.
    #[error("chunk type {kind:#04x} is unknown{hint}")]
    UnknownChunk {
        /// The type of the chunk.
        kind: u8,
        /// Advice for the user.
        hint: &'static str,
    },
    /// A checksum does not match.
    #[error("the checksum of {what} is {found:#010x} where {expected:#010x} is stored")]
    Checksum {
        /// The part of the data that the checksum covers.
        what: &'static str,
        /// The stored checksum.
        expected: u32,
        /// The checksum of the bytes.
        found: u32,
    },
    /// A part of the data is longer than the format or the caller's limits permit.
    #[error("{what}: {found} bytes exceed the limit of {max}")]
    TooLong {
        /// The part that is too long.
        what: &'static str,
        /// The length or claimed length in bytes.
        found: u64,
        /// The largest permitted length in bytes.
        max: u64,
    },
    /// The number of plain bytes is far larger than that of compressed bytes.
    #[error(transparent)]
    Expanded(#[from] Expanded),
    /// Parts of the data contradict each other, or bytes are invalid.
    #[error("{detail}")]
    Damaged {
        /// A description of the fault.
        detail: &'static str,
    },
    /// The data is well formed, but uses a feature that is not supported.
    #[error("{what} is not supported")]
    Unsupported {
        /// A description of the feature.
        what: &'static str,
    },
    /// A block could not be decoded or compressed.
    #[error(transparent)]
    Codec(#[from] CodecError),
    /// The caller's reader or writer failed.
    #[error(transparent)]
    Io(io::Error),
}

impl From<FrameError> for io::Error {
    fn from(error: FrameError) -> Self {
        match error.problem {
            FrameProblem::Io(error) => error,
            FrameProblem::Truncated { .. } => Self::new(io::ErrorKind::UnexpectedEof, error),
            _ => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}

impl FrameError {
    /// The [`FrameProblem`] inside an error that [`io::Read`] or [`io::Write`] returned; `None` if there is
    /// none.
    pub fn inside(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}
