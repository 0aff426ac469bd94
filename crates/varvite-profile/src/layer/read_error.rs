//! [`LayerReadError`]: the reasons why a profile of a graph can't be read, or not at a moment.

use thiserror::Error;
use varvite::GraphError;
use varvite::memory::OverBudget;

/// The reason why a profile of a graph, or the state of the heap at a moment of it, can't be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LayerReadError {
    /// The graph is at fault.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The layer has sums alone.
    #[error(
        "layer {layer} has only sums, no events; import a heaptrack profile with its events: `varvite \
         import --into GRAPH PROFILE --events`"
    )]
    NoEvents {
        /// The layer.
        layer: String,
    },
    /// A moment behind the end of the run.
    #[error("the run of layer {layer} has no millisecond {asked}: its last is {last}")]
    Late {
        /// The layer.
        layer: String,
        /// The requested moment.
        asked: u64,
        /// The last millisecond.
        last: u64,
    },
    /// The first moment is behind the second.
    #[error("millisecond {from} is not before {to}: give the earlier moment first")]
    Backwards {
        /// The first.
        from: u64,
        /// The second.
        to: u64,
    },
    /// Numbers that contradict each other: damage, or a change by another program.
    #[error("the profile in layer {layer} is damaged: {what}; import it again")]
    Damaged {
        /// The layer.
        layer: String,
        /// The fault.
        what: &'static str,
    },
}

impl From<OverBudget> for LayerReadError {
    fn from(full: OverBudget) -> Self {
        Self::Graph(full.into())
    }
}
