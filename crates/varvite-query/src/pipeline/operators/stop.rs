//! [`Stop`]: why an operator can't go on.

use crate::pipeline::error::{PipelineError, StepAt};
use varvite_graph::{GraphError, OverBudget};
use varvite_store::Cancelled;

/// The reason why an operator can't go on.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    Cancelled,
    OverBudget {
        needed: usize,
    },
    Endless {
        depth: u32,
    },
    Overflow,
    Graph(Box<GraphError>),
    /// In a step inside a step, which the error names.
    Inside(Box<PipelineError>),
}

impl Stop {
    /// The same, at its step. `limit` is that of the budget.
    pub(crate) fn inside(self, at: &StepAt, limit: usize) -> Self {
        Self::Inside(Box::new(self.at(at, limit)))
    }

    /// The error that names the step; of a step inside, that one.
    pub(crate) fn at(self, at: &StepAt, limit: usize) -> PipelineError {
        let at = at.clone();
        match self {
            Self::Cancelled => PipelineError::Cancelled { at },
            Self::OverBudget { needed } => PipelineError::OverBudget { at, limit, needed },
            Self::Endless { depth } => PipelineError::Endless { at, depth },
            Self::Overflow => PipelineError::Overflow { at },
            Self::Graph(error) => PipelineError::Graph { at, error: *error },
            Self::Inside(error) => *error,
        }
    }
}

impl From<Cancelled> for Stop {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<OverBudget> for Stop {
    fn from(OverBudget { needed, .. }: OverBudget) -> Self {
        Self::OverBudget { needed }
    }
}
