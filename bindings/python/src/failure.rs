//! [`Failure`]: the reason why a call failed, and the Python exception that it becomes.
//!
//! The classes are in `varvite.errors`, a Python file that is generated from the table of error numbers.

use pyo3::exceptions::PyLookupError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use thiserror::Error;
use varvite::algorithms::AlgorithmError;
use varvite::arrow::Misfit;
use varvite::change::{ChangeError, DiffTextError};
use varvite::error::{Cancelled, StoreError};
use varvite::pipeline::PipelineError;
use varvite::walk::WalkError;
use varvite::{ErrorCode, GraphError};
use varvite_corpus::{CorpusError, FileError};
use varvite_cpg::CpgError;
use varvite_import::flatgraph::{ExportError, ImportError};
use varvite_text::AnswerError;

/// The reason why a call failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// `opener` is the function of the package that opens such a thing.
    #[error("{path} was closed: open it again with varvite.{opener}")]
    Closed { path: String, opener: &'static str },
    #[error(
        "{path} was opened by process {opened}, and this is its fork {here}: open it again with \
         varvite.{opener}"
    )]
    Forked { path: String, opened: u32, here: u32, opener: &'static str },
    #[error("{0}")]
    Argument(String),
    #[error("the call was cancelled")]
    Cancelled,
    #[error("this run is in use by another thread: give each thread a run of its own")]
    RunInUse,
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    DiffText(#[from] DiffTextError),
    #[error("line {line}: {fault}")]
    Operation { line: u64, code: ErrorCode, fault: String },
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Export(#[from] ExportError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Algorithm(#[from] AlgorithmError),
    #[error(transparent)]
    Cpg(#[from] CpgError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    File(FileError),
    /// A batch of a corpus that has other values than the batches before it.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// A failure in one of the files of a corpus.
    #[error("{path}: {failure}")]
    InFile { path: String, failure: Box<Failure> },
    /// The query takes the first row, and there is none.
    #[error("the query has no row, so it has no head: write headOption")]
    NoRow,
    /// A query in Joern's text that is not understood, with its place.
    #[error("{0}")]
    Text(String),
    #[error("the system gave no thread for this call: {0}")]
    Thread(std::io::Error),
    #[error("Varvite has a bug: {0}; please report it")]
    Panic(String),
    /// An exception of Python, such as `KeyboardInterrupt`.
    #[error(transparent)]
    Python(#[from] PyErr),
}

/// The result of a call.
pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Closed { .. } | Self::Forked { .. } => ErrorCode::Handle,
            Self::Argument(_) | Self::RunInUse => ErrorCode::Argument,
            Self::Cancelled => ErrorCode::Cancelled,
            Self::Graph(error) => error.code(),
            Self::Pipeline(error) => error.code(),
            Self::Change(error) => error.code(),
            Self::DiffText(_) => ErrorCode::Argument,
            Self::Operation { code, .. } => *code,
            Self::Import(error) => error.code(),
            Self::Export(error) => code_of_export(error),
            Self::Walk(error) => error.code(),
            Self::Algorithm(error) => error.code(),
            Self::Cpg(error) => error.code(),
            Self::Corpus(error) => error.code(),
            Self::File(error) => error.code(),
            Self::Misfit(_) => ErrorCode::WrongType,
            Self::InFile { failure, .. } => failure.code(),
            Self::NoRow => ErrorCode::Unknown,
            Self::Text(_) => ErrorCode::Plan,
            Self::Thread(_) => ErrorCode::OutOfMemory,
            Self::Panic(_) | Self::Python(_) => ErrorCode::Internal,
        }
    }

    /// The exception of the class that `varvite.errors` has for this failure.
    pub(crate) fn exception(&self, py: Python<'_>) -> PyResult<PyErr> {
        if matches!(self, Self::NoRow) {
            return Ok(PyLookupError::new_err(self.to_string()));
        }
        let errors = py.import("varvite.errors")?;
        let class = match self {
            Self::Closed { .. } | Self::Forked { .. } => errors.getattr("GraphClosedError")?,
            _ => errors.getattr("BY_CODE")?.cast_into::<PyDict>()?.as_any().get_item(self.code().number())?,
        };
        Ok(PyErr::from_value(class.call1((self.to_string(),))?))
    }
}

/// The number of an export's error. Apart from errors of the graph or the file, the graph is one that the
/// format cannot hold.
fn code_of_export(error: &ExportError) -> ErrorCode {
    match error {
        ExportError::Graph(error) => error.code(),
        ExportError::Cancelled => ErrorCode::Cancelled,
        ExportError::TooLarge { .. } => ErrorCode::TooLarge,
        _ => ErrorCode::Foreign,
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Graph(error) => Self::Graph(error),
            FileError::Code(error) => Self::Cpg(error),
            error => Self::File(error),
        }
    }
}

impl From<AnswerError> for Failure {
    fn from(error: AnswerError) -> Self {
        match error {
            AnswerError::Pipeline(error) => Self::Pipeline(error),
            AnswerError::NoRow => Self::NoRow,
            error => Self::Text(error.to_string()),
        }
    }
}

impl From<Cancelled> for Failure {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Graph(error.into())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Python(error) => error,
            failure => Python::attach(|py| failure.exception(py).unwrap_or_else(|error| error)),
        }
    }
}
