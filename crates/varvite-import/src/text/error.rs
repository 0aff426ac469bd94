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

/// The reason why an import of text failed. Nothing was written under the target's name.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TextError {
    /// A source could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The source.
        path: PathBuf,
        /// The error of the operating system, or the fault of compressed data.
        r#source: io::Error,
    },
    /// A source is compressed and becomes far longer than it is.
    #[error("{}: {expanded}", path.display())]
    Expanded {
        /// The source.
        path: PathBuf,
        /// The excess, and the limit.
        expanded: Expanded,
    },
    /// A source has an invalid value.
    #[error("{}: {place}: {fault}", path.display())]
    Source {
        /// The source.
        path: PathBuf,
        /// The place in the file.
        place: TextPosition,
        /// The fault.
        fault: Box<TextFault>,
    },
    /// The graph could not be made or written.
    #[error(transparent)]
    Graph(ChangeError),
}

impl TextError {
    /// The error for a fault at a place of a source.
    pub(crate) fn at(path: &Path, place: TextPosition, fault: impl Into<TextFault>) -> Self {
        match fault.into() {
            TextFault::Draft(DraftFault::Change(error)) => Self::Graph(error),
            fault => Self::Source { path: path.to_owned(), place, fault: Box::new(fault) },
        }
    }

    /// A source could not be read.
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match expanded(&source) {
            Some(expanded) => Self::Expanded { path, expanded },
            None => Self::Io { path, source },
        }
    }

    /// The number of this kind of error in every language.
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

/// The excess in an error of a stream, if the stream becomes far longer than it is.
pub(crate) fn expanded(error: &io::Error) -> Option<Expanded> {
    match FrameError::inside(error)?.problem {
        FrameProblem::Expanded(expanded) => Some(expanded),
        _ => None,
    }
}
