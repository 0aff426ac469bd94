//! [`DrmemtraceError`]: the reasons why a drmemtrace file could not be read.

use std::io;

use thiserror::Error;
use varvite_codec::frame::{FrameError, FrameProblem};

use crate::reference::ReferenceError;

/// The reason why a drmemtrace file could not be read. Entries before the error stay recorded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrmemtraceError {
    /// The source failed.
    #[error("cannot read the trace: {0}")]
    Io(io::Error),
    /// The file's framing is damaged.
    #[error(transparent)]
    Frame(FrameError),
    /// The first entry is no header.
    #[error("not a drmemtrace file: its first bytes are {found:02x?}")]
    NotDrmemtrace {
        /// The first plain bytes.
        found: Vec<u8>,
    },
    /// A version that is not known.
    #[error("the trace has version {found}, but this program reads {first} to {last}")]
    Version {
        /// Version of the trace.
        found: u64,
        /// Oldest version that is known.
        first: u64,
        /// Newest version that is known.
        last: u64,
    },
    /// A zip component is not the one that comes next.
    #[error(
        "the zip has component {found:?} in place of {expected:?}; put the components in order, or copy \
         the file again"
    )]
    Order {
        /// Name of the component that should be there.
        expected: String,
        /// Name of the one that is.
        found: String,
    },
    /// An entry that can't be.
    #[error("entry {entry} is damaged: {what}: expected {expected}, found {found}")]
    Entry {
        /// Number of the entry in the file, from 0.
        entry: u64,
        /// The number at fault, in words.
        what: &'static str,
        /// The expected value, or its limit.
        expected: u64,
        /// The value that was found.
        found: u64,
    },
    /// `modules.log` has another form than DynamoRIO's.
    #[error("modules.log, byte {offset}: expected {expected}")]
    Modules {
        /// The offset of the fault.
        offset: usize,
        /// The expected content.
        expected: &'static str,
    },
    /// The trace could not be written, or time goes backwards.
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
