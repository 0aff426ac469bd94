//! What can go wrong here: in a pipeline, or in the graph that a closure reads.

use thiserror::Error;
use varvite::GraphError;
use varvite::pipeline::PipelineError;

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
