//! The reasons why no layer could be made from a trace, and the reasons why a binary could not be used.

use std::io;
use std::sync::Arc;

use thiserror::Error;
use varvite::GraphError;
use varvite::change::ChangeError;
use varvite_trace::TraceError;

/// The reason why no layer could be made from a trace.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceLayerError {
    /// The graph has an error, or the file could not be written.
    #[error(transparent)]
    Graph(#[from] ChangeError),
    /// The trace has an error.
    #[error("the trace: {0}")]
    Trace(TraceError),
    /// The trace does not contain memory references.
    #[error("the trace holds {found:?}, but only {expected:?} can be placed in a graph")]
    Content {
        /// The name of the content that is supported.
        expected: &'static str,
        /// The name of the trace's content.
        found: String,
    },
    /// The trace has no load addresses of binaries.
    #[error(
        "the trace has no load addresses of binaries; give them with `--binary PATH@BASE`, or record \
         again with `varvite trace record`"
    )]
    NoModules,
    /// The graph has no METHODs.
    #[error("the graph has no METHOD to count for; a trace needs a graph of code")]
    NoMethods,
    /// No record belongs to a METHOD.
    #[error(
        "none of the {records} records of the trace belongs to a METHOD of this graph: {why}; the graph \
         was not changed"
    )]
    NothingPlaced {
        /// The number of records.
        records: u64,
        /// The reasons, each with its number of records.
        why: String,
    },
    /// More memory than the limit is needed to count the cache lines that METHODs touched.
    #[error(
        "counting the cache lines of METHODs needs more than the budget of {limit} bytes: raise the budget"
    )]
    OverBudget {
        /// The limit in bytes.
        limit: usize,
    },
    /// The name can't be part of property names.
    #[error("{name:?} is not a name for the layer of a trace: use letters, digits and _, at most 32")]
    Name {
        /// The invalid name.
        name: String,
    },
}

impl From<GraphError> for TraceLayerError {
    fn from(error: GraphError) -> Self {
        Self::Graph(error.into())
    }
}

impl From<TraceError> for TraceLayerError {
    fn from(error: TraceError) -> Self {
        Self::Trace(error)
    }
}

/// The reason why a binary could not be used.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum BinaryError {
    /// The file could not be read.
    #[error("cannot be read: {0}")]
    Io(Arc<io::Error>),
    /// The file is not ELF.
    #[error("not an ELF file")]
    NotElf,
    /// The content of the file is invalid.
    #[error("is damaged: {what}")]
    Damaged {
        /// A description of the invalid part.
        what: String,
    },
    /// The file is another build of the program than the one that ran.
    #[error("is a different build than the traced one: its build id is {found}, not {expected}")]
    OtherBuild {
        /// The build id in the trace.
        expected: String,
        /// The build id of the file.
        found: String,
    },
    /// The limit on the total length of all binaries is exceeded.
    #[error("was not read: earlier binaries used the limit of {limit} bytes of memory")]
    TooMuch {
        /// The limit on all binaries together, in bytes.
        limit: u64,
    },
    /// The binary has no symbols, and its debug information is not installed.
    #[error("is stripped: it has no symbols, and its debug information is not installed")]
    Stripped,
}

impl From<io::Error> for BinaryError {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}
