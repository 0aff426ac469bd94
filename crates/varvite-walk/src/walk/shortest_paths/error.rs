//! [`PathError`]: the reason why a search for paths stopped.

use thiserror::Error;
use varvite_format::ErrorCode;

use crate::walk::error::WalkError;
use varvite_graph::{GraphError, OverBudget};

/// The reason why a search for paths stopped.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum PathError {
    /// A node does not exist, or the file cannot be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The search would need more memory than its limit.
    #[error(
        "the search for a path needs {needed} bytes, the budget is {limit}: follow fewer edge labels, or \
         raise the budget"
    )]
    OverBudget {
        /// The budget in bytes.
        limit: usize,
        /// The least number of bytes that would suffice.
        needed: usize,
    },
    /// The caller cancelled the search.
    #[error("the search for a path was cancelled")]
    Cancelled,
}

impl From<OverBudget> for PathError {
    fn from(OverBudget { limit, needed }: OverBudget) -> Self {
        Self::OverBudget { limit, needed }
    }
}

impl From<Box<WalkError>> for PathError {
    fn from(error: Box<WalkError>) -> Self {
        match *error {
            WalkError::Graph(error) => Self::Graph(error),
            WalkError::OverBudget { limit, needed } => Self::OverBudget { limit, needed },
            // A search has no other limit, so the flag cancelled it.
            _ => Self::Cancelled,
        }
    }
}

impl PathError {
    /// The number of this kind of error in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::OverBudget { .. } => ErrorCode::OverBudget,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }
}
