//! [`ParquetExportError`]: why an export failed.

use std::io;
use std::path::Path;

use ::parquet::errors::ParquetError;
use thiserror::Error;
use varvite::error::{Cancelled, StoreError};
use varvite::pipeline::PipelineError;
use varvite::{ErrorCode, GraphError};

use crate::text_room::LongTexts;

/// The reason why an export failed. The target has no new folder.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParquetExportError {
    /// The graph could not be read, or the target could not be written.
    #[error(transparent)]
    Graph(GraphError),
    /// The texts of the files would be far longer than the graph: the texts of a hostile file share their
    /// bytes.
    #[error(
        "the texts of the files would have more than {limit} bytes, 1024 for each byte, node and edge of the \
         graph: its values share long texts"
    )]
    LongTexts {
        /// The largest number of bytes.
        limit: u64,
    },
    /// The graph has so many labels that their files would fill a folder of a file system.
    #[error("{found} labels would each be a file, and an export has at most {limit}")]
    ManyFiles {
        /// The number of labels with nodes or edges.
        found: usize,
        /// The largest number of files.
        limit: usize,
    },
    /// Parquet's writer refused a table.
    #[error("{file}: {fault}")]
    Writer {
        /// The file in the folder.
        file: String,
        /// The fault, in the words of the writer.
        fault: String,
    },
}

pub(super) type Result<T> = std::result::Result<T, ParquetExportError>;

impl ParquetExportError {
    /// The number of this error, the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            _ => ErrorCode::Foreign,
        }
    }

    /// The same error, with the name of the file in which it happened.
    pub(super) fn in_file(self, name: &str) -> Self {
        match self {
            Self::Writer { fault, .. } => Self::Writer { file: name.to_owned(), fault },
            error => error,
        }
    }
}

impl From<GraphError> for ParquetExportError {
    fn from(error: GraphError) -> Self {
        Self::Graph(error)
    }
}

impl From<StoreError> for ParquetExportError {
    fn from(error: StoreError) -> Self {
        Self::Graph(error.into())
    }
}

impl From<Cancelled> for ParquetExportError {
    fn from(_: Cancelled) -> Self {
        Self::Graph(GraphError::Cancelled)
    }
}

impl From<LongTexts> for ParquetExportError {
    fn from(LongTexts(limit): LongTexts) -> Self {
        Self::LongTexts { limit }
    }
}

impl From<PipelineError> for ParquetExportError {
    /// Only three errors can happen while a table is read.
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Graph { error, .. } => Self::Graph(error),
            PipelineError::Cancelled { .. } => Self::Graph(GraphError::Cancelled),
            PipelineError::OverBudget { limit, needed, .. } => {
                Self::Graph(GraphError::OverBudget(varvite::memory::OverBudget { limit, needed }))
            }
            error => Self::Writer { file: String::new(), fault: error.to_string() },
        }
    }
}

impl From<ParquetError> for ParquetExportError {
    /// An error of the store comes back inside an `io::Error` of the writer.
    fn from(error: ParquetError) -> Self {
        let fault = match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(error) => return of_io(*error),
                Err(inner) => inner.to_string(),
            },
            error => error.to_string(),
        };
        Self::Writer { file: String::new(), fault }
    }
}

fn of_io(error: io::Error) -> ParquetExportError {
    match error.downcast::<StoreError>() {
        Ok(error) => error.into(),
        Err(error) => StoreError::io(varvite_store::Operation::Write, Path::new(""), error).into(),
    }
}
