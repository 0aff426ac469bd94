//! [`ForeignError`]: the reasons why an import failed, for every importer that reads a source from front to
//! back into a draft.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use varvite::ErrorCode;
use varvite::change::ChangeError;
use varvite::error::Cancelled;
use varvite_codec::frame::{Expanded, FrameError, FrameProblem};

/// The reason why an import failed. The target has no new file. `P` is a position in a source, and `F` the
/// faults of the format.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ForeignError<P: fmt::Display, F: fmt::Display> {
    /// A source, or a folder of sources, could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the file or folder.
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
        /// The position in the source, as it is after decompression.
        place: P,
        /// The fault.
        fault: Box<F>,
    },
    /// The source changed during an import that reads it twice.
    #[error("{}: the file changed during the import; import it again", path.display())]
    Changed {
        /// The path of the source.
        path: PathBuf,
    },
    /// The graph could not be made or written.
    #[error(transparent)]
    Graph(ChangeError),
}

/// The faults of a format. Some of them are errors of the graph, and not of the source.
pub(crate) trait ForeignFault: fmt::Display + Sized {
    /// The error of the graph, or else the fault itself.
    fn into_graph_error(self) -> Result<ChangeError, Self>;
}

impl<P: fmt::Display, F: fmt::Display> ForeignError<P, F> {
    /// Makes the error for a fault at a position of a source.
    pub(crate) fn at(path: &Path, place: P, fault: impl Into<F>) -> Self
    where
        F: ForeignFault,
    {
        match fault.into().into_graph_error() {
            Ok(error) => Self::Graph(error),
            Err(fault) => Self::Source { path: path.to_owned(), place, fault: Box::new(fault) },
        }
    }

    /// Makes the error for a file or folder that could not be read.
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
            Self::Source { .. } | Self::Expanded { .. } | Self::Changed { .. } => ErrorCode::Foreign,
            Self::Graph(error) => error.code(),
        }
    }
}

impl<P: fmt::Display, F: fmt::Display> From<ChangeError> for ForeignError<P, F> {
    fn from(error: ChangeError) -> Self {
        Self::Graph(error)
    }
}

impl<P: fmt::Display, F: fmt::Display> From<Cancelled> for ForeignError<P, F> {
    fn from(cancelled: Cancelled) -> Self {
        Self::Graph(cancelled.into())
    }
}

/// The exceeded limit, if a stream failed because its data expands too far; `None` for other errors.
fn expanded(error: &io::Error) -> Option<Expanded> {
    match FrameError::inside(error)?.problem {
        FrameProblem::Expanded(expanded) => Some(expanded),
        _ => None,
    }
}
