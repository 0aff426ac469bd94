//! Errors of graphs that are read.

use std::path::PathBuf;

use thiserror::Error;
use varvite_format::{ErrorCode, FormatError};
use varvite_store::{Cancelled, StoreError};

use crate::budget::OverBudget;
use crate::name_kind::NameKind;
use crate::nearest::Nearest;

/// Result of everything that touches a graph: writers name their [`ChangeError`](crate::change::ChangeError).
pub type Result<T, E = GraphError> = std::result::Result<T, E>;

/// The reason why a graph could not be opened or read.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The file or its bytes.
    #[error(transparent)]
    Store(StoreError),
    /// The caller cancelled the work ([`Cancel`](crate::Cancel)).
    #[error("cancelled")]
    Cancelled,
    /// The file was verified on opening, and is damaged or contradicts itself.
    #[error("{}: {}", path.display(), Problems(.problems))]
    Unsound {
        /// The file.
        path: PathBuf,
        /// All of its faults, up to
        /// [`VerifyReport::PROBLEMS_MAX`](varvite_store::VerifyReport::PROBLEMS_MAX).
        problems: Vec<String>,
    },
    /// The graph has nothing of this name.
    #[error("there is no {kind} {name:?} in this graph{}", Nearest(.nearest))]
    Unknown {
        /// The kind of the missing name.
        kind: NameKind,
        /// The wanted name.
        name: String,
        /// The name in the graph that is most like it.
        nearest: Option<String>,
    },
    /// There is no node of this id.
    #[error("there is no node {node}: {}", ids_of(*nodes))]
    NoSuchNode {
        /// The id.
        node: u64,
        /// The number of nodes.
        nodes: u32,
    },
    /// A property was read as another type than it has.
    #[error("property {name} holds {found}, not {expected}")]
    WrongType {
        /// Name of the property.
        name: String,
        /// The type of the read.
        expected: &'static str,
        /// Type in the schema.
        found: &'static str,
    },
    /// An operation on the whole graph would hold more memory than it may.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
}

/// A part of the schema that a graph may lack: none if there is nothing of the name. One that is damaged is
/// not lacking.
///
/// # Errors
/// All others.
pub fn optional<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(part) => Ok(Some(part)),
        Err(GraphError::Unknown { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The existing nodes.
pub fn ids_of(nodes: u32) -> String {
    nodes.checked_sub(1).map_or_else(|| "there are none".to_owned(), |last| format!("ids are 0 to {last}"))
}

impl GraphError {
    /// The number of this kind of error in every language.
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

    /// The number that the operating system gave (`errno`), if this is one of its errors.
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

/// Shows the first problem, and how many there are.
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

    /// Each open column and each step of a pipeline returns such a result.
    #[test]
    fn an_error_of_readers_is_smaller_than_one_of_writers() {
        assert!(size_of::<GraphError>() <= 64, "{}", size_of::<GraphError>());
        assert!(size_of::<GraphError>() < size_of::<ChangeError>());
    }
}
