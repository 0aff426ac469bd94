//! [`ReportError`]: the reason why a report can't be written.

use std::io;

use thiserror::Error;
use varvite::error::Cancelled;
use varvite::memory::OverBudget;
use varvite::pipeline::{PipelineError, StepFault};
use varvite::{ErrorCode, GraphError};
use varvite_cpg::CpgError;
use varvite_profile::layer::LayerReadError;
use varvite_show::ShowError;
use varvite_text::AnswerError;

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, ReportError>;

/// The reason why a report can't be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The graph can't be read, or the report needs more memory than its task allows.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A question of the report failed.
    #[error(transparent)]
    Pipeline(Box<PipelineError>),
    /// The places of nodes can't be read.
    #[error(transparent)]
    Show(#[from] ShowError),
    /// A profile in a layer can't be read.
    #[error("{file}: {error}")]
    Layer {
        /// The name of the graph's file.
        file: String,
        /// The error.
        error: LayerReadError,
    },
    /// A question of the user failed.
    #[error("{question}: {error}")]
    Question {
        /// The title of the question.
        question: String,
        /// The error.
        error: Box<AnswerError>,
    },
    /// A drawing could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl ReportError {
    /// The error's number, which is the same in every language binding.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::Pipeline(error) => error.code(),
            Self::Show(error) => error.code(),
            Self::Layer { .. } => ErrorCode::Damaged,
            Self::Question { .. } => ErrorCode::Argument,
            Self::Write(_) => ErrorCode::Io,
        }
    }

    /// Whether a question follows the syntax tree, and the graph has none.
    pub(crate) fn lacks_tree(&self) -> bool {
        let Self::Pipeline(error) = self else { return false };
        matches!(**error, PipelineError::BadStep { fault: StepFault::NoTree, .. })
    }

    /// The error for a profile of the graph in a file.
    pub(crate) fn of_layer(file: &str, error: LayerReadError) -> Self {
        match error {
            LayerReadError::Graph(error) => Self::Graph(error),
            error => Self::Layer { file: file.to_owned(), error },
        }
    }
}

impl From<PipelineError> for ReportError {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Graph { error, .. } => Self::Graph(error),
            error => Self::Pipeline(Box::new(error)),
        }
    }
}

impl From<CpgError> for ReportError {
    fn from(error: CpgError) -> Self {
        match error {
            CpgError::Graph(error) => Self::Graph(error),
            CpgError::Pipeline(error) => error.into(),
            error => Self::Show(error.into()),
        }
    }
}

impl From<OverBudget> for ReportError {
    fn from(error: OverBudget) -> Self {
        Self::Graph(error.into())
    }
}

impl From<Cancelled> for ReportError {
    fn from(error: Cancelled) -> Self {
        Self::Graph(error.into())
    }
}
