//! [`BinaryError`]: the reasons why a binary could not be used.

use std::io;
use std::sync::Arc;

use thiserror::Error;

/// The reason why a binary could not be used.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum BinaryError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(Arc<io::Error>),
    /// The file is not ELF.
    #[error("not an ELF file")]
    NotElf,
    /// The content of the file is invalid.
    #[error("is damaged: {what}")]
    Damaged {
        /// A description of the invalid part.
        what: String,
    },
    /// The file is another build of the program than the one that ran.
    #[error("is a different build than the traced one: its build id is {found}, not {expected}")]
    OtherBuild {
        /// The build id in the trace.
        expected: String,
        /// The build id of the file.
        found: String,
    },
    /// The limit on the total length of all binaries is exceeded.
    #[error("was not read: earlier binaries used the limit of {limit} bytes of memory")]
    TooMuch {
        /// The limit on all binaries together, in bytes.
        limit: u64,
    },
    /// The binary has no symbols, and its debug information is not installed.
    #[error("is stripped: it has no symbols, and its debug information is not installed")]
    Stripped,
}

impl From<io::Error> for BinaryError {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}
