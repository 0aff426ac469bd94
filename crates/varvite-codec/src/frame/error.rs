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
    /// Where in the framed data: the start of the chunk, block, member or frame that is wrong, or the place
    /// that a library got to.
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
        /// Inside what.
        what: &'static str,
        /// Bytes that are certainly missing.
        missing: u64,
    },
    /// The data does not start as the format does.
    #[error("expected {expected}, found {found:02x?}")]
    NotThisFormat {
        /// What the format starts with.
        expected: &'static str,
        /// The value in the file.
        found: [u8; 4],
    },
    /// A chunk of a kind that must be understood and is not.
    #[error("chunk type {kind:#04x} is unknown{hint}")]
    UnknownChunk {
        /// Its type.
        kind: u8,
        /// What may help.
        hint: &'static str,
    },
    /// A checksum does not match.
    #[error("the checksum of {what} is {found:#010x} where {expected:#010x} is stored")]
    Checksum {
        /// Of what.
        what: &'static str,
        /// The one that is stored.
        expected: u32,
        /// The one of the bytes that are there.
        found: u32,
    },
    /// Something is longer than the format or the caller's limits allow.
    #[error("{what}: {found} bytes exceed the limit of {max}")]
    TooLong {
        /// What.
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
        /// Which.
        detail: &'static str,
    },
    /// The data is well formed and uses something that is not supported.
    #[error("{what} is not supported")]
    Unsupported {
        /// What.
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
