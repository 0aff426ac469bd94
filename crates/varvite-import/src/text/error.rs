//! [`TextError`]: the reasons why an import of text failed.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use varvite::ErrorCode;
use varvite::change::ChangeError;
use varvite::error::Cancelled;
use varvite_codec::frame::{Expanded, FrameError, FrameProblem};
use varvite_graph::internal::DraftFault;

use super::fault::TextFault;
use super::place::TextPosition;

/// The reason why an import of text failed. The target has no new file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextError {
    /// A source could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the source.
        path: PathBuf,
        /// The error of the operating system or of decompression.
        r#source: io::Error,
    },
    /// A compressed source decompresses to more bytes than its compressed length allows.
    #[error("{}: {expanded}", path.display())]
    Expanded {
        /// The path of the source.
        path: PathBuf,
        /// The decompressed length, and its limit.
        expanded: Expanded,
    },
    /// The content of a source is invalid.
    #[error("{}: {place}: {fault}", path.display())]
    Source {
        /// The path of the source.
        path: PathBuf,
        /// The position in the file.
        place: TextPosition,
        /// The fault.
        fault: Box<TextFault>,
    },
    /// The graph could not be made or written.
    #[error(transparent)]
    Graph(ChangeError),
}

impl TextError {
    /// Makes the error for a fault at a position of a source.
    pub(crate) fn at(path: &Path, place: TextPosition, fault: impl Into<TextFault>) -> Self {
        match fault.into() {
            TextFault::Draft(DraftFault::Change(error)) => Self::Graph(error),
            fault => Self::Source { path: path.to_owned(), place, fault: Box::new(fault) },
        }
    }

    /// Makes the error for a source that could not be read.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
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
            Self::Source { .. } | Self::Expanded { .. } => ErrorCode::Foreign,
            Self::Graph(error) => error.code(),
        }
    }
}

impl From<ChangeError> for TextError {
    fn from(error: ChangeError) -> Self {
        Self::Graph(error)
    }
}

impl From<Cancelled> for TextError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Graph(cancelled.into())
    }
}

/// The exceeded limit, if a stream failed because its data expands too far; `None` for other errors.
pub(crate) fn expanded(error: &io::Error) -> Option<Expanded> {
    match FrameError::inside(error)?.problem {
        FrameProblem::Expanded(expanded) => Some(expanded),
        _ => None,
    }
}
