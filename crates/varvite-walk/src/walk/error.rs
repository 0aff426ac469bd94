//! [`WalkError`]: the reason why a walk could not start, or ended early.

use std::time::Duration;

use thiserror::Error;
use varvite_format::ErrorCode;

use varvite_graph::{GraphError, OverBudget};

/// The reason why a walk could not start, or ended early.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum WalkError {
    /// The graph does not have one of the given names or nodes, or its file cannot be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The text does not describe a walk.
    #[error("not a walk: {reason}")]
    NotAWalk {
        /// The fault, and its position in the text.
        reason: String,
    },
    /// Evaluators contradict each other: together they allow no depth.
    #[error("no branch can be a result: evaluators require at least {least} edges and at most {most}")]
    Contradiction {
        /// The least depth that one evaluator requires.
        least: u32,
        /// The greatest depth that another evaluator allows.
        most: u32,
    },
    /// The walk follows no edge.
    #[error("the walk follows no edge: add a hop, or let a function expand it")]
    NoHop,
    /// The walk follows more combinations of an edge label and a direction than it can number.
    #[error("the walk follows more than {limit} kinds of edges: name fewer edge labels")]
    TooManyWays {
        /// The maximum number of combinations.
        limit: usize,
    },
    /// The cost of an edge is negative or NaN.
    #[error("an edge from node {node} costs {cost}: costs must be numbers of 0 or more")]
    NegativeCost {
        /// The node from which the edge was followed.
        node: u32,
        /// The cost of the edge.
        cost: f64,
    },
    /// An edge has no value for the property that holds the costs of edges.
    #[error("an edge from node {node} has no {property}: give a cost for edges without one")]
    NoCost {
        /// The node from which the edge was followed.
        node: u32,
        /// The name of the property.
        property: String,
    },
    /// The walk would need more memory than its limit.
    #[error(
        "the walk needs {needed} bytes, the budget is {limit}: go depth-first, limit the depth, or raise \
         the budget"
    )]
    OverBudget {
        /// The budget in bytes.
        limit: usize,
        /// The least number of bytes that would suffice.
        needed: usize,
    },
    /// The walk took longer than its time limit.
    #[error("the walk reached its time limit of {limit:?}: limit the depth, or raise the time limit")]
    TimedOut {
        /// The time limit.
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

/// The result type in a walk's loops. The error is boxed, because errors are rare and a pointer fits in a
/// register.
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
    /// The code of this kind of error, which is the same in every language.
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
