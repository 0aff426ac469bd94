//! The reasons why a trace could not become a layer, and why a binary could not be used.

use std::io;
use std::sync::Arc;

use thiserror::Error;
use varvite::GraphError;
use varvite::change::ChangeError;
use varvite_trace::TraceError;

/// The reason why a trace could not become a layer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceLayerError {
    /// The graph is at fault, or the file could not be written.
    #[error(transparent)]
    Graph(#[from] ChangeError),
    /// The trace is at fault.
    #[error("the trace: {0}")]
    Trace(TraceError),
    /// The trace holds something else than memory references.
    #[error("the trace holds {found:?}, but only {expected:?} can be placed in a graph")]
    Content {
        /// The supported content.
        expected: &'static str,
        /// The found content.
        found: String,
    },
    /// The trace does not say where binaries were in memory.
    #[error(
        "the trace has no load addresses of binaries; give them with `--binary PATH@BASE`, or record \
         again with `varvite trace record`"
    )]
    NoModules,
    /// The graph has no METHODs.
    #[error("the graph has no METHOD to count for; a trace needs a graph of code")]
    NoMethods,
    /// Not a record belongs to a METHOD.
    #[error(
        "none of the {records} records of the trace belongs to a METHOD of this graph: {why}; the graph \
         was not changed"
    )]
    NothingPlaced {
        /// The number of records.
        records: u64,
        /// The reasons, with numbers.
        why: String,
    },
    /// The lines of memory that METHODs touched take more memory than the limit.
    #[error(
        "counting the cache lines of METHODs needs more than the budget of {limit} bytes: raise the budget"
    )]
    OverBudget {
        /// The limit in bytes.
        limit: usize,
    },
    /// A name that properties can't have.
    #[error("{name:?} is not a name for the layer of a trace: use letters, digits and _, at most 32")]
    Name {
        /// The name.
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
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Io(Arc<io::Error>),
    /// It is no ELF file.
    #[error("not an ELF file")]
    NotElf,
    /// Its bytes are invalid.
    #[error("is damaged: {what}")]
    Damaged {
        /// The part that does not fit.
        what: String,
    },
    /// It is another build than the one that ran.
    #[error("is a different build than the traced one: its build id is {found}, not {expected}")]
    OtherBuild {
        /// The build id in the trace.
        expected: String,
        /// The build id of the file.
        found: String,
    },
    /// The binaries before it took all memory of the limit.
    #[error("was not read: earlier binaries used the limit of {limit} bytes of memory")]
    TooMuch {
        /// The limit of all binaries together.
        limit: u64,
    },
    /// It has no symbols, and no debug information is at hand.
    #[error("is stripped: it has no symbols, and its debug information is not installed")]
    Stripped,
}

impl From<io::Error> for BinaryError {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}
