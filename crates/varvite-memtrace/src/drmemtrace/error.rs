//! [`DrmemtraceError`]: the reasons why a drmemtrace file could not be read.

use std::io;

use thiserror::Error;
use varvite_codec::frame::{FrameError, FrameProblem};

use crate::reference::ReferenceError;

/// The reason why a drmemtrace file could not be read. The entries before the error are still in the trace.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrmemtraceError {
    /// The source could not be read.
    #[error("cannot read the trace: {0}")]
    Io(io::Error),
    /// The framing of the compressed file is damaged.
    #[error(transparent)]
    Frame(FrameError),
    /// The first entry is not a header.
    #[error("not a drmemtrace file: its first bytes are {found:02x?}")]
    NotDrmemtrace {
        /// The first decompressed bytes.
        found: Vec<u8>,
    },
    /// The trace has an unknown version.
    #[error("the trace has version {found}, but this program reads {first} to {last}")]
    Version {
        /// Version of the trace.
        found: u64,
        /// Oldest known version.
        first: u64,
        /// Newest known version.
        last: u64,
    },
    /// A component of a zip is not the one that comes next in order.
    #[error(
        "the zip has component {found:?} in place of {expected:?}; put the components in order, or copy \
         the file again"
    )]
    Order {
        /// Name of the expected component.
        expected: String,
        /// Name of the component that was found.
        found: String,
    },
    /// An entry is invalid.
    #[error("entry {entry} is damaged: {what}: expected {expected}, found {found}")]
    Entry {
        /// Number of the entry in the file, from 0.
        entry: u64,
        /// A description of the invalid number.
        what: &'static str,
        /// The expected value, or its limit.
        expected: u64,
        /// The number that was found.
        found: u64,
    },
    /// `modules.log` does not have DynamoRIO's format.
    #[error("modules.log, byte {offset}: expected {expected}")]
    Modules {
        /// The offset of the error.
        offset: usize,
        /// The expected content.
        expected: &'static str,
    },
    /// The trace could not be written, or its times go backwards.
    #[error(transparent)]
    Recording(#[from] ReferenceError),
}

impl From<FrameError> for DrmemtraceError {
    fn from(error: FrameError) -> Self {
        match error.problem {
            FrameProblem::Io(error) => Self::Io(error),
            _ => Self::Frame(error),
        }
    }
}

impl From<io::Error> for DrmemtraceError {
    fn from(error: io::Error) -> Self {
        match error.downcast::<FrameError>() {
            Ok(error) => error.into(),
            Err(error) => Self::Io(error),
        }
    }
}
