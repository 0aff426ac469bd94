//! [`WalkError`]: why a walk could not begin, or ended early.

use std::time::Duration;

use thiserror::Error;
use varvite_format::ErrorCode;

use varvite_graph::{GraphError, OverBudget};

/// The reason why a walk could not begin, or ended early.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum WalkError {
    /// A name or node that the graph does not have, or a file that can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A text that describes no walk.
    #[error("not a walk: {reason}")]
    NotAWalk {
        /// The fault, and its place.
        reason: String,
    },
    /// Evaluators contradict each other: none of them alone, but together they leave no depth.
    #[error("no branch can be a result: evaluators require at least {least} edges and at most {most}")]
    Contradiction {
        /// The least depth that one of them requires.
        least: u32,
        /// The greatest that another allows.
        most: u32,
    },
    /// A walk that follows no edge.
    #[error("the walk follows no edge: add a hop, or let a function expand it")]
    NoHop,
    /// The walk follows more edge labels and directions than it can number.
    #[error("the walk follows more than {limit} kinds of edges: name fewer edge labels")]
    TooManyWays {
        /// Most of them.
        limit: usize,
    },
    /// The cost of an edge is below zero or no number.
    #[error("an edge from node {node} costs {cost}: costs must be numbers of 0 or more")]
    NegativeCost {
        /// The node that the edge was followed from.
        node: u32,
        /// The cost.
        cost: f64,
    },
    /// An edge has no value in the property that costs come from.
    #[error("an edge from node {node} has no {property}: give a cost for edges without one")]
    NoCost {
        /// The node that the edge was followed from.
        node: u32,
        /// Name of the property.
        property: String,
    },
    /// The walk would need more memory than it may.
    #[error(
        "the walk needs {needed} bytes, the budget is {limit}: go depth-first, limit the depth, or raise \
         the budget"
    )]
    OverBudget {
        /// The budget in bytes.
        limit: usize,
        /// The least number of bytes needed.
        needed: usize,
    },
    /// The walk took longer than it may.
    #[error("the walk reached its time limit of {limit:?}: limit the depth, or raise the time limit")]
    TimedOut {
        /// The limit of time.
        limit: Duration,
    },
    /// The caller cancelled the walk.
    #[error("the walk was cancelled")]
    Cancelled,
}

impl From<OverBudget> for WalkError {
    fn from(OverBudget { limit, needed }: OverBudget) -> Self {
        Self::OverBudget { limit, needed }
    }
}

/// The result type of a walk's loops: errors are rare, and a pointer fits a register.
pub(crate) type WalkResult<T> = Result<T, Box<WalkError>>;

impl From<OverBudget> for Box<WalkError> {
    #[cold]
    fn from(error: OverBudget) -> Self {
        Self::new(error.into())
    }
}

impl From<GraphError> for Box<WalkError> {
    #[cold]
    fn from(error: GraphError) -> Self {
        Self::new(error.into())
    }
}

impl WalkError {
    /// The number of this kind of error in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::NotAWalk { .. } => ErrorCode::Plan,
            Self::Contradiction { .. }
            | Self::NoHop
            | Self::TooManyWays { .. }
            | Self::NegativeCost { .. }
            | Self::NoCost { .. } => ErrorCode::Argument,
            Self::OverBudget { .. } => ErrorCode::OverBudget,
            Self::TimedOut { .. } | Self::Cancelled => ErrorCode::Cancelled,
        }
    }
}
