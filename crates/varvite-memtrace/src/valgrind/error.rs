//! [`MessageError`]: the reasons why the messages of the valgrind tool could not be read.

use thiserror::Error;

use crate::reference::ReferenceError;

/// The reason why the messages of the valgrind tool could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MessageError {
    /// The tool was built for another version of the format.
    #[error(
        "the recorder writes version {found} of its stream, and this command reads version {expected}: build \
         both from the same sources with `make recorder`"
    )]
    Version {
        /// The version that the tool writes.
        found: u32,
        /// The version that this library reads.
        expected: u32,
    },
    /// A message has an impossible content.
    #[error("message {message} of the recorder: expected {expected} at byte {offset}")]
    Malformed {
        /// The number of the message, from 0.
        message: u64,
        /// The offset in the message.
        offset: usize,
        /// The expected content.
        expected: &'static str,
    },
    /// The trace could not be written.
    #[error(transparent)]
    Recording(#[from] ReferenceError),
}
