//! [`LayerReadError`]: the reasons why a profile in a graph, or its state at a moment, can't be read.

use thiserror::Error;
use varvite::GraphError;
use varvite::memory::OverBudget;

/// The reason why a profile in a graph, or the state of the heap at a moment of its run, can't be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LayerReadError {
    /// The graph has an error.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The layer has only sums, and no events.
    #[error(
        "layer {layer} has only sums, no events; import a heaptrack profile with its events: `varvite \
         import --into GRAPH PROFILE --events`"
    )]
    NoEvents {
        /// The name of the layer.
        layer: String,
    },
    /// The requested moment is after the end of the run.
    #[error("the run of layer {layer} has no millisecond {asked}: its last is {last}")]
    Late {
        /// The name of the layer.
        layer: String,
        /// The requested moment, in milliseconds.
        asked: u64,
        /// The last millisecond of the run.
        last: u64,
    },
    /// The first of two moments is later than the second.
    #[error("millisecond {from} is not before {to}: give the earlier moment first")]
    Backwards {
        /// The millisecond of the first moment.
        from: u64,
        /// The millisecond of the second moment.
        to: u64,
    },
    /// Values in the layer contradict each other, because of damage or of a change by another program.
    #[error("the profile in layer {layer} is damaged: {what}; import it again")]
    Damaged {
        /// The name of the layer.
        layer: String,
        /// A description of the contradiction.
        what: &'static str,
    },
}

impl From<OverBudget> for LayerReadError {
    fn from(full: OverBudget) -> Self {
        Self::Graph(full.into())
    }
}
