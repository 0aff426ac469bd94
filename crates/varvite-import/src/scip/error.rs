//! [`ScipError`]: the reasons why an import of an index failed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use varvite::ErrorCode;
use varvite::change::ChangeError;
use varvite::error::Cancelled;
use varvite_codec::frame::Expanded;
use varvite_graph::internal::DraftFault;

use super::fault::ScipFault;
use crate::text::expanded;

/// The reason why an import of a SCIP index failed. The target has no new file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScipError {
    /// The index, or the folder of its sources, could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the file or folder.
        path: PathBuf,
        /// The error of the operating system or of decompression.
        r#source: io::Error,
    },
    /// A compressed index decompresses to more bytes than its compressed length allows.
    #[error("{}: {expanded}", path.display())]
    Expanded {
        /// The path of the index.
        path: PathBuf,
        /// The decompressed length, and its limit.
        expanded: Expanded,
    },
    /// The content of the index is invalid.
    #[error("{}: byte {at}: {fault}", path.display())]
    Source {
        /// The path of the index.
        path: PathBuf,
        /// The offset of the fault in the decompressed index.
        at: u64,
        /// The fault.
        fault: Box<ScipFault>,
    },
    /// The index changed during the import, which reads it twice.
    #[error("{}: the index changed during the import; import it again", path.display())]
    Changed {
        /// The path of the index.
        path: PathBuf,
    },
    /// The graph could not be made or written.
    #[error(transparent)]
    Graph(ChangeError),
}

impl ScipError {
    /// Makes the error for a fault at an offset of the index.
    pub(super) fn at(path: &Path, at: u64, fault: ScipFault) -> Self {
        match fault {
            ScipFault::Draft(DraftFault::Change(error)) => Self::Graph(error),
            fault => Self::Source { path: path.to_owned(), at, fault: Box::new(fault) },
        }
    }

    /// Makes the error for a file or folder that could not be read.
    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match expanded(&source) {
            Some(expanded) => Self::Expanded { path, expanded },
            None => Self::Io { path, source },
        }
    }

    /// The number of this error, the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Io { .. } => ErrorCode::Io,
            Self::Source { .. } | Self::Expanded { .. } | Self::Changed { .. } => ErrorCode::Foreign,
            Self::Graph(error) => error.code(),
        }
    }
}

impl From<ChangeError> for ScipError {
    fn from(error: ChangeError) -> Self {
        Self::Graph(error)
    }
}

impl From<Cancelled> for ScipError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Graph(cancelled.into())
    }
}
