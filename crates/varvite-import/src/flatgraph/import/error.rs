//! [`ImportError`]: the reasons why an import failed.

use std::path::{Path, PathBuf};

use thiserror::Error;
use varvite::change::ChangeError;
use varvite::error::Cancelled;
use varvite::{ErrorCode, GraphError};
use varvite_format::Quantity;

use crate::flatgraph::FlatgraphError;

/// The reason why an import failed. The target has no new file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The source is not a flatgraph file, or is damaged.
    #[error("{}: {error}", path.display())]
    Source {
        /// The path of the source.
        path: PathBuf,
        /// The error of the source.
        error: FlatgraphError,
    },
    /// The source could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the source.
        path: PathBuf,
        /// The error of the operating system.
        r#source: std::io::Error,
    },
    /// The columns of the source contradict each other.
    #[error("{}: {what}; the file is damaged, or its writer does not follow flatgraph's format", path.display())]
    Contradiction {
        /// The path of the source.
        path: PathBuf,
        /// A description of the contradiction.
        what: String,
    },
    /// The source has more items of a kind than a graph file can store.
    #[error("{}: {part}: {what}: {found} exceeds the limit of one file ({limit})", path.display())]
    TooLarge {
        /// The path of the source.
        path: PathBuf,
        /// The part of the source, such as `property CODE`.
        part: String,
        /// The name of the items whose number exceeds the limit.
        what: Quantity,
        /// The number of items.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// The target could not be written.
    #[error(transparent)]
    Graph(ChangeError),
    /// The caller cancelled the import ([`Cancel`](varvite::Cancel)).
    #[error("cancelled")]
    Cancelled,
}

impl ImportError {
    /// Makes the error of a source, or [`Self::Cancelled`].
    pub(super) fn in_source(path: &Path, error: FlatgraphError) -> Self {
        match error {
            FlatgraphError::Cancelled => Self::Cancelled,
            error => Self::Source { path: path.to_owned(), error },
        }
    }

    /// The number of this error, the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Source { error: FlatgraphError::Io { .. }, .. } | Self::Io { .. } => ErrorCode::Io,
            Self::Source { error: FlatgraphError::NotAFile, .. } => ErrorCode::NotAFile,
            Self::Source { error: FlatgraphError::OutOfMemory { .. }, .. } => ErrorCode::OutOfMemory,
            Self::Source { error: FlatgraphError::OverBudget { .. }, .. } => ErrorCode::OverBudget,
            Self::Source { .. } | Self::Contradiction { .. } => ErrorCode::Foreign,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
            Self::Graph(error) => error.code(),
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }

    /// The operating system's error number (`errno`); `None` if the error did not come from the operating
    /// system.
    pub fn os_number(&self) -> Option<i32> {
        match self {
            Self::Source { error: FlatgraphError::Io { source, .. }, .. } | Self::Io { source, .. } => {
                source.raw_os_error()
            }
            Self::Graph(error) => error.os_number(),
            _ => None,
        }
    }
}

/// The reason why a column could not be imported, without the path of the source.
#[derive(Debug)]
pub(super) enum ColumnError {
    Source(FlatgraphError),
    Contradiction(String),
    Graph(ChangeError),
}

impl ColumnError {
    /// The error with the path of the source and the name of the part, such as `property CODE`.
    pub(super) fn in_file(self, path: &Path, part: &str) -> ImportError {
        let path = path.to_owned();
        match self {
            Self::Source(error) => ImportError::in_source(&path, error),
            Self::Contradiction(what) => ImportError::Contradiction { path, what },
            Self::Graph(ChangeError::TooLarge { what, found, limit }) => {
                ImportError::TooLarge { path, part: part.to_owned(), what, found, limit }
            }
            Self::Graph(error) => error.into(),
        }
    }
}

impl From<FlatgraphError> for ColumnError {
    fn from(error: FlatgraphError) -> Self {
        Self::Source(error)
    }
}

impl From<ChangeError> for ColumnError {
    fn from(error: ChangeError) -> Self {
        Self::Graph(error)
    }
}

impl From<ChangeError> for ImportError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::Graph(GraphError::Cancelled) => Self::Cancelled,
            error => Self::Graph(error),
        }
    }
}

impl From<Cancelled> for ImportError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<varvite_store::StoreError> for ImportError {
    fn from(error: varvite_store::StoreError) -> Self {
        ChangeError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use varvite_format::FormatError;

    /// If an encoder reports that something is too large, the error has the path of the source and the name
    /// of the part.
    #[test]
    fn what_is_too_large_is_named_with_its_file() {
        let (what, limit) = (Quantity::Texts, u64::from(u32::MAX));
        let error = FormatError::TooLarge { what, found: 5_000_000_000, limit };
        let error =
            ColumnError::from(ChangeError::from(error)).in_file(Path::new("big.cpg.bin"), "property CODE");
        assert_eq!(error.code(), ErrorCode::TooLarge);
        assert_eq!(
            error.to_string(),
            "big.cpg.bin: property CODE: bytes of texts of one property: 5000000000 exceeds the limit of one file (4294967295)"
        );
    }
}
