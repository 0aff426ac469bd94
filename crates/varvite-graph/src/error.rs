//! [`GraphError`]: why a graph could not be opened or read.

use std::path::PathBuf;

use thiserror::Error;
use varvite_format::{ErrorCode, FormatError};
use varvite_store::{Cancelled, StoreError};

use crate::budget::OverBudget;
use crate::name_kind::NameKind;
use crate::nearest::Nearest;

/// Result of functions that open or read a graph. Functions that write set the second type parameter to
/// [`ChangeError`](crate::change::ChangeError).
pub type Result<T, E = GraphError> = std::result::Result<T, E>;

/// The reason why a graph could not be opened or read.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// A file-system error, or damage in the file.
    #[error(transparent)]
    Store(StoreError),
    /// The caller cancelled the work ([`Cancel`](crate::Cancel)).
    #[error("cancelled")]
    Cancelled,
    /// The file was verified when it was opened, and verification found damage or contradictions.
    #[error("{}: {}", path.display(), Problems(.problems))]
    Unsound {
        /// Path of the file.
        path: PathBuf,
        /// The faults of the file, at most
        /// [`VerifyReport::PROBLEMS_MAX`](varvite_store::VerifyReport::PROBLEMS_MAX).
        problems: Vec<String>,
    },
    /// The graph has no element of this name.
    #[error("there is no {kind} {name:?} in this graph{}", Nearest(.nearest))]
    Unknown {
        /// The kind of the missing name.
        kind: NameKind,
        /// The wanted name.
        name: String,
        /// The most similar name in the graph.
        nearest: Option<String>,
    },
    /// The graph has no node with this id.
    #[error("there is no node {node}: {}", ids_of(*nodes))]
    NoSuchNode {
        /// The id that was given.
        node: u64,
        /// The number of nodes of the graph.
        nodes: u32,
    },
    /// A caller asked for a property with a type that the property does not have.
    #[error("property {name} holds {found}, not {expected}")]
    WrongType {
        /// Name of the property.
        name: String,
        /// The type that the caller asked for.
        expected: &'static str,
        /// Type of the property in the schema.
        found: &'static str,
    },
    /// An operation on the whole graph would hold more memory than its [`Budget`](crate::Budget) allows.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
}

/// Turns the error "unknown name" into `None`, for a label, property or other named element that a graph may
/// lack. For a damaged element, the result remains an error.
///
/// # Errors
/// Every error other than [`GraphError::Unknown`].
pub fn optional<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(part) => Ok(Some(part)),
        Err(GraphError::Unknown { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The range of existing node ids, as text for error messages.
pub fn ids_of(nodes: u32) -> String {
    nodes.checked_sub(1).map_or_else(|| "there are none".to_owned(), |last| format!("ids are 0 to {last}"))
}

impl GraphError {
    /// The error code, which is the same in all languages.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Store(error) => error.code(),
            Self::Cancelled => ErrorCode::Cancelled,
            Self::Unsound { .. } => ErrorCode::Damaged,
            Self::Unknown { .. } => ErrorCode::Unknown,
            Self::NoSuchNode { .. } => ErrorCode::NoSuchNode,
            Self::WrongType { .. } => ErrorCode::WrongType,
            Self::OverBudget(_) => ErrorCode::OverBudget,
        }
    }

    /// The error number of the operating system (`errno`); `None` if the error did not come from the
    /// operating system.
    pub fn os_number(&self) -> Option<i32> {
        match self {
            Self::Store(error) => error.os_number(),
            _ => None,
        }
    }
}

impl From<StoreError> for GraphError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Cancelled => Self::Cancelled,
            error => Self::Store(error),
        }
    }
}

impl From<Cancelled> for GraphError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<FormatError> for GraphError {
    fn from(error: FormatError) -> Self {
        Self::Store(error.into())
    }
}

/// Shows the first problem, and the number of problems.
struct Problems<'a>(&'a [String]);

impl std::fmt::Display for Problems<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [] => formatter.write_str("damaged"),
            [problem] => formatter.write_str(problem),
            [first, ..] => write!(formatter, "{first} (the first of {} problems)", self.0.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::ChangeError;

    /// A `GraphError` is part of the result of each opened column and of each step of a pipeline, so its size
    /// matters.
    #[test]
    fn an_error_of_readers_is_smaller_than_one_of_writers() {
        assert!(size_of::<GraphError>() <= 64, "{}", size_of::<GraphError>());
        assert!(size_of::<GraphError>() < size_of::<ChangeError>());
    }
}
