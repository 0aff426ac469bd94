//! [`Refusal`]: why a check refuses an operation.

use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::error::GraphError;

/// A checked value, or the reason of its refusal.
pub(super) type ChangeResult<T> = std::result::Result<T, ChangeFault>;

/// The same where columns are read on the way.
pub(super) type Checked<T> = std::result::Result<T, Refusal>;

/// The reason why an operation is not taken up.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It is invalid.
    Fault(ChangeFault),
    /// The graph can't be read.
    Graph(GraphError),
}

impl From<ChangeFault> for Refusal {
    fn from(fault: ChangeFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<GraphError> for Refusal {
    fn from(error: GraphError) -> Self {
        Self::Graph(error)
    }
}

impl Refusal {
    /// The error of the operation with this number.
    pub(super) fn at(self, operation: u64) -> ChangeError {
        match self {
            Self::Fault(fault) => ChangeError::Operation { operation, fault },
            Self::Graph(error) => error.into(),
        }
    }
}
