//! [`TraceLayerError`]: the reasons why no layer could be made from a trace.

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
    /// More memory than the limit is needed to count cache lines and instructions.
    #[error(
        "counting cache lines and instructions needs more than the budget of {limit} bytes: raise the budget"
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
