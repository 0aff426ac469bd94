//! [`AlgorithmError`]: the reason why an algorithm gave no answer.

use thiserror::Error;
use varvite_format::ErrorCode;
use varvite_store::Cancelled;

use crate::walk::WalkError;
use varvite_graph::{GraphError, OverBudget};

/// The reason why an algorithm gave no answer.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum AlgorithmError {
    /// The graph does not have one of the given names or nodes, or its file cannot be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A node from which the algorithm is to start is not selected.
    #[error("node {node} is not selected: name its label, or start elsewhere")]
    NotSelected {
        /// The node that is not selected.
        node: u32,
    },
    /// The selection follows more edge labels and directions than an algorithm can distinguish.
    #[error("the selection follows more than {limit} kinds of edges: name fewer edge labels")]
    TooManyWays {
        /// The maximum number of combinations of an edge label and a direction.
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
    /// The edges do not form a tree: a node has two parents, or is its own ancestor.
    #[error("the edges do not form a tree: node {node} has two parents, or is its own ancestor")]
    NoTree {
        /// The node that has two parents or is its own ancestor.
        node: u32,
    },
    /// A parameter of the algorithm is out of range.
    #[error("{name} is {value}: it must be {expected}")]
    Parameter {
        /// The name of the parameter.
        name: &'static str,
        /// The given value.
        value: f64,
        /// The valid range.
        expected: &'static str,
    },
    /// The algorithm would need more memory than its limit.
    #[error(
        "the algorithm needs {needed} bytes, the budget is {limit}: select fewer nodes or edges, or raise \
         the budget"
    )]
    OverBudget {
        /// The budget in bytes, either for decoded lists or for all other memory.
        limit: usize,
        /// The least number of bytes that would suffice.
        needed: usize,
    },
    /// The caller cancelled the algorithm.
    #[error("the algorithm was cancelled")]
    Cancelled,
}

impl From<OverBudget> for AlgorithmError {
    fn from(OverBudget { limit, needed }: OverBudget) -> Self {
        Self::OverBudget { limit, needed }
    }
}

impl From<Cancelled> for AlgorithmError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<WalkError> for AlgorithmError {
    fn from(error: WalkError) -> Self {
        match error {
            WalkError::Graph(error) => Self::Graph(error),
            WalkError::TooManyWays { limit } => Self::TooManyWays { limit },
            WalkError::NegativeCost { node, cost } => Self::NegativeCost { node, cost },
            WalkError::NoCost { node, property } => Self::NoCost { node, property },
            WalkError::OverBudget { limit, needed } => Self::OverBudget { limit, needed },
            // None of these errors except cancellation can occur, because edges are read without evaluators
            // and without a time limit.
            WalkError::Cancelled
            | WalkError::TimedOut { .. }
            | WalkError::Contradiction { .. }
            | WalkError::NotAWalk { .. }
            | WalkError::NoHop => Self::Cancelled,
        }
    }
}

impl From<Box<WalkError>> for AlgorithmError {
    #[cold]
    fn from(error: Box<WalkError>) -> Self {
        (*error).into()
    }
}

impl AlgorithmError {
    /// The code of this kind of error, which is the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::NotSelected { .. }
            | Self::TooManyWays { .. }
            | Self::NegativeCost { .. }
            | Self::NoCost { .. }
            | Self::NoTree { .. }
            | Self::Parameter { .. } => ErrorCode::Argument,
            Self::OverBudget { .. } => ErrorCode::OverBudget,
            Self::Cancelled => ErrorCode::Cancelled,
        }
    }
}
