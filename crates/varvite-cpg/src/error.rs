//! Errors of a pipeline, of the graph that a closure reads, or of the arguments of a step.

use thiserror::Error;
use varvite::pipeline::PipelineError;
use varvite::{ErrorCode, GraphError};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, CpgError>;

/// The reason why a question was not answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CpgError {
    /// A pipeline could not be compiled or run; the error names the step.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The graph lacks a name, or can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A step that was found by its name got other arguments than it has.
    #[error("the step `{step}` takes {expected}, and got {found}")]
    Arguments {
        /// The step.
        step: &'static str,
        /// The type that it takes, in words.
        expected: String,
        /// The argument that it got, in words.
        found: String,
    },
}

impl CpgError {
    /// Its number, the same in every language: that of the error within, if there is one.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Pipeline(error) => error.code(),
            Self::Graph(error) => error.code(),
            Self::Arguments { .. } => ErrorCode::Argument,
        }
    }
}
