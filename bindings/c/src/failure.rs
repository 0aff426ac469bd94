//! [`Failure`]: the reason why a call failed, before it is turned into an error number and a message for C.

use std::any::Any;

use thiserror::Error;
use varvite::change::{ChangeError, DiffBytesError};
use varvite::error::StoreError;
use varvite::pipeline::PipelineError;
use varvite::walk::WalkError;
use varvite::{ErrorCode, GraphError};
use varvite_codec::CodecError;
use varvite_cpg::CpgError;
use varvite_import::flatgraph::ImportError;
use varvite_trace::TraceError;

/// The reason why a call failed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    #[error("argument '{argument}' must not be null")]
    Null { argument: &'static str },
    #[error("argument '{argument}' is not UTF-8")]
    NotUtf8 { argument: &'static str },
    #[error("argument '{argument}' is not aligned to {alignment} bytes")]
    Unaligned { argument: &'static str, alignment: usize },
    #[error("argument '{argument}' cannot have {count} items: they would not fit the address space")]
    TooMany { argument: &'static str, count: u64 },
    #[error(
        "argument '{argument}' has size {found}, expected at most {expected}: set its first field to \
         sizeof, and use a header and a library of the same version"
    )]
    StructSize { argument: &'static str, expected: usize, found: usize },
    #[error("argument '{argument}' has size {size}: give sizeof of its struct")]
    StructRoom { argument: &'static str, size: u64 },
    #[error("argument '{argument}' is {found}, expected {expected}")]
    Value { argument: &'static str, expected: &'static str, found: u64 },
    #[error("argument '{argument}' is the same as '{same_as}': give two different ones")]
    Same { argument: &'static str, same_as: &'static str },
    #[error("argument '{argument}' is not a handle of a {expected}: {found}")]
    Handle { argument: &'static str, expected: &'static str, found: &'static str },
    #[error("argument '{argument}' has room for {capacity} items, {needed} are needed; a part may be copied")]
    TooSmall { argument: &'static str, capacity: u64, needed: u64 },
    #[error("there is no {kind} {index}: the graph has {count}")]
    Index { kind: &'static str, index: u64, count: usize },
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error(transparent)]
    Change(#[from] ChangeError),
    #[error(transparent)]
    Diff(#[from] DiffBytesError),
    #[error(transparent)]
    Cpg(#[from] CpgError),
    #[error(transparent)]
    Import(#[from] ImportError),
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error("rows are {found} and have no {expected}")]
    Rows { expected: &'static str, found: &'static str },
    #[error("the plan has no step `side` named {name:?}")]
    Side { name: String },
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error("the recorder has {streams} open streams; finish them first")]
    StreamsOpen { streams: usize },
    #[error(
        "{path} has changes that are not in its stored columns; read nodes, edges and values instead of \
         columns, or rewrite the file with `varvite compact`"
    )]
    Changed { path: String },
    /// The first problem that a check of the whole file found.
    #[error("{0}")]
    Problem(String),
    #[error("Varvite has a bug: {what}; please report it")]
    Panic { what: String },
}

impl Failure {
    /// The message of a panic.
    pub(crate) fn panicked(payload: &(dyn Any + Send)) -> Self {
        Self::Panic { what: varvite_arrow::panic_text(payload).to_owned() }
    }

    /// The error number that the caller gets.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Null { .. }
            | Self::NotUtf8 { .. }
            | Self::Unaligned { .. }
            | Self::TooMany { .. }
            | Self::StructSize { .. }
            | Self::StructRoom { .. }
            | Self::Value { .. }
            | Self::Same { .. } => ErrorCode::Argument,
            Self::Handle { .. } => ErrorCode::Handle,
            Self::TooSmall { .. } => ErrorCode::TooSmall,
            Self::Index { .. } | Self::Side { .. } => ErrorCode::Unknown,
            Self::Graph(error) => error.code(),
            Self::Change(error) => error.code(),
            Self::Diff(error) => error.code(),
            Self::Cpg(error) => error.code(),
            Self::Import(error) => error.code(),
            Self::Pipeline(error) => error.code(),
            Self::Walk(error) => error.code(),
            Self::Rows { .. } => ErrorCode::WrongType,
            Self::Changed { .. } => ErrorCode::UnknownFeature,
            Self::Trace(error) => code_of_trace(error),
            Self::StreamsOpen { .. } => ErrorCode::Busy,
            Self::Problem(_) => ErrorCode::Damaged,
            Self::Panic { .. } => ErrorCode::Internal,
        }
    }

    /// The index, from 0, of the invalid operation of a diff; `None` for any other failure.
    pub(crate) fn operation(&self) -> Option<u64> {
        match self {
            Self::Change(ChangeError::Operation { operation, .. }) => Some(*operation),
            Self::Diff(error) => error.operation,
            _ => None,
        }
    }

    /// The operating system's error number (`errno`); 0 if no system call failed.
    pub(crate) fn os_number(&self) -> i32 {
        let number = match self {
            Self::Graph(error) => error.os_number(),
            Self::Change(error) => error.os_number(),
            Self::Cpg(CpgError::Graph(error)) | Self::Walk(WalkError::Graph(error)) => error.os_number(),
            Self::Import(error) => error.os_number(),
            Self::Trace(TraceError::Io { source, .. }) => source.raw_os_error(),
            _ => None,
        };
        number.unwrap_or(0)
    }
}

/// The error number for a recorder's error: the crate of the recorder has no error numbers of its own.
fn code_of_trace(error: &TraceError) -> ErrorCode {
    match error {
        TraceError::Io { .. } => ErrorCode::Io,
        TraceError::Compress(CodecError::OutOfMemory { .. }) => ErrorCode::OutOfMemory,
        TraceError::RecordLen { .. } => ErrorCode::RecordLength,
        TraceError::TimeBackwards { .. } => ErrorCode::TimeBackwards,
        TraceError::ThreadTaken { .. } => ErrorCode::ThreadTaken,
        TraceError::Closed => ErrorCode::TraceClosed,
        TraceError::Options { .. } | TraceError::Compress(_) => ErrorCode::Argument,
        _ => ErrorCode::Internal,
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Graph(error.into())
    }
}
