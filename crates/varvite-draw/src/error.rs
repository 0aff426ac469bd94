//! [`DrawError`]: the error if a part can't be drawn.

use std::io;

use thiserror::Error;
use varvite::{ErrorCode, GraphError};
use varvite_cpg::CpgError;
use varvite_show::ShowError;

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, DrawError>;

/// The reason why a part can't be drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The graph can't be read, or has no node of the given name, or the writer refused the drawing.
    #[error(transparent)]
    Show(#[from] ShowError),
    /// The edges are too many, or pass too many layers, to be placed in reasonable time.
    #[error("{nodes} nodes with {edges} edges are too dense to place: draw fewer nodes, or write DOT")]
    TooDense {
        /// The number of nodes.
        nodes: usize,
        /// The number of edges.
        edges: usize,
    },
    /// The words describe several files.
    #[error("{words} is one of {}; give more of the path", files.join(", "))]
    SeveralFiles {
        /// The given words.
        words: String,
        /// The paths of the files.
        files: Vec<String>,
    },
}

impl DrawError {
    /// The error's number, which is the same in every language binding.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Show(error) => error.code(),
            Self::TooDense { .. } | Self::SeveralFiles { .. } => ErrorCode::Argument,
        }
    }
}

impl From<GraphError> for DrawError {
    fn from(error: GraphError) -> Self {
        Self::Show(error.into())
    }
}

impl From<CpgError> for DrawError {
    fn from(error: CpgError) -> Self {
        Self::Show(error.into())
    }
}

impl From<io::Error> for DrawError {
    fn from(error: io::Error) -> Self {
        Self::Show(error.into())
    }
}
