//! What can go wrong here: in a pipeline, or in the graph that a closure reads.

use thiserror::Error;
use varvite::pipeline::PipelineError;
use varvite::{ErrorCode, GraphError};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, CpgError>;

/// Why a question was not answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CpgError {
    /// A pipeline could not be compiled or run; the error names the step.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The graph lacks a name, or can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

impl CpgError {
    /// Its number, the same in every language: that of the error within.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Pipeline(error) => error.code(),
            Self::Graph(error) => error.code(),
        }
    }
}
