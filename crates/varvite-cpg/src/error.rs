//! The errors of this crate: those of a pipeline, of the graph that a closure reads, or of the arguments of a
//! step.

use thiserror::Error;
use varvite::pipeline::PipelineError;
use varvite::{ErrorCode, GraphError};

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, CpgError>;

/// The reason why a question was not answered.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CpgError {
    /// A pipeline could not be compiled or run. The error names the step.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    /// The graph lacks a name, or can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A step that is called by its name got arguments that do not match its parameters.
    #[error("the step `{step}` takes {expected}, and got {found}")]
    Arguments {
        /// The name of the step.
        step: &'static str,
        /// The expected types, in words.
        expected: String,
        /// The given arguments, in words.
        found: String,
    },
}

impl CpgError {
    /// The code of this kind of error, which is the same in every language. A wrapped error keeps its code.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Pipeline(error) => error.code(),
            Self::Graph(error) => error.code(),
            Self::Arguments { .. } => ErrorCode::Argument,
        }
    }
}
