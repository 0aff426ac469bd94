//! [`Stop`]: the reason why an operator can't continue.

use crate::pipeline::error::{PipelineError, StepAt};
use crate::pipeline::fault::ArithmeticFault;
use varvite_graph::{GraphError, OverBudget};
use varvite_store::Cancelled;

/// The reason why an operator can't continue.
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
    Arithmetic(ArithmeticFault),
    Graph(Box<GraphError>),
    /// An error of a nested step, whose name is in the error.
    Inside(Box<PipelineError>),
}

impl Stop {
    /// Adds the step in which the reason arose, unless a step was already added. `limit` is the budget's
    /// limit.
    pub(crate) fn inside(self, at: &StepAt, limit: usize) -> Self {
        Self::Inside(Box::new(self.at(at, limit)))
    }

    /// The error, which names the step `at`, or the nested step if the reason arose there.
    pub(crate) fn at(self, at: &StepAt, limit: usize) -> PipelineError {
        let at = at.clone();
        match self {
            Self::Cancelled => PipelineError::Cancelled { at },
            Self::OverBudget { needed } => PipelineError::OverBudget { at, limit, needed },
            Self::Endless { depth } => PipelineError::Endless { at, depth },
            Self::Overflow => PipelineError::Overflow { at },
            Self::Arithmetic(fault) => PipelineError::Arithmetic { at, fault },
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
