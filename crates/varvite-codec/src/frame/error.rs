//! The fault of framed data, and its place.

use std::io;

use thiserror::Error;

use super::Expanded;
use crate::CodecError;

/// The fault of framed data, and its place. Everything before it was given to the reader.
#[derive(Debug, Error)]
#[error("{format} data, byte {offset}: {problem}")]
pub struct FrameError {
    /// Name of the format.
    pub format: &'static str,
    /// The place of the error in the framed data: the start of the bad chunk, block, member or frame, or the
    /// place that a library reached.
    pub offset: u64,
    /// The fault.
    pub problem: FrameProblem,
}

/// The fault of framed data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FrameProblem {
    /// The data ends inside an item. All data before it is whole.
    #[error("the data ends inside a {what}, at least {missing} bytes early")]
    Truncated {
        /// The item in which the data ends.
        what: &'static str,
        /// Bytes that are certainly missing.
        missing: u64,
    },
    /// The data does not start as the format does.
    #[error("expected {expected}, found {found:02x?}")]
    NotThisFormat {
        /// The first bytes of the format.
        expected: &'static str,
        /// The value in the file.
        found: [u8; 4],
    },
    /// A chunk of a kind that must be understood and is not.
    #[error("chunk type {kind:#04x} is unknown{hint}")]
    UnknownChunk {
        /// Its type.
        kind: u8,
        /// Advice.
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
    /// Something is longer than the format or the caller's limits allow.
    #[error("{what}: {found} bytes exceed the limit of {max}")]
    TooLong {
        /// The part that is too long.
        what: &'static str,
        /// Bytes that it is or claims to be.
        found: u64,
        /// Bytes that it may be.
        max: u64,
    },
    /// The data becomes far longer than it is.
    #[error(transparent)]
    Expanded(#[from] Expanded),
    /// Two statements of the data contradict each other, or bytes can't be.
    #[error("{detail}")]
    Damaged {
        /// The contradiction, in words.
        detail: &'static str,
    },
    /// The data is well formed and uses something that is not supported.
    #[error("{what} is not supported")]
    Unsupported {
        /// The unsupported feature, in words.
        what: &'static str,
    },
    /// A block does not decode, or could not be made.
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
    /// The error inside one that came through [`io::Read`] or [`io::Write`].
    pub fn inside(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}
