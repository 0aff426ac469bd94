//! [`UsageError`]: the reasons why a trace could not be described.

use thiserror::Error;
use varvite::GraphError;
use varvite_trace::{Reader, Source, TraceError};

use crate::reference::{CONTENT, other_content};

/// The reason why a trace could not be described.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum UsageError {
    /// The trace has an error.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The caller cancelled the work.
    #[error(transparent)]
    Cancelled(#[from] GraphError),
    /// The trace does not contain memory references.
    #[error("the trace holds {found:?}; only traces of {expected:?} have code and accesses")]
    Content {
        /// The name of the content that is supported.
        expected: &'static str,
        /// The name of the trace's content.
        found: String,
    },
    /// The instructions of the trace need more memory than the limit.
    #[error(
        "counting {instructions} instructions of the program needs more than {limit} bytes: raise --memory"
    )]
    OverBudget {
        /// The number of different instructions so far.
        instructions: usize,
        /// The limit in bytes.
        limit: usize,
    },
}

/// Fails if a trace has no memory references.
pub(super) fn check_content<S: Source>(reader: &Reader<S>) -> Result<(), UsageError> {
    let found = other_content(reader.header());
    found.map_or(Ok(()), |found| Err(UsageError::Content { expected: CONTENT, found }))
}
