//! [`Refusal`]: the reason why a check refuses an operation.

use crate::change_error::ChangeError;
use crate::change_fault::ChangeFault;
use crate::error::GraphError;

/// The result of a check: a value, or the reason for refusing the operation.
pub(super) type ChangeResult<T> = std::result::Result<T, ChangeFault>;

/// The same as [`ChangeResult`], for checks that read columns.
pub(super) type Checked<T> = std::result::Result<T, Refusal>;

/// The reason for refusing an operation.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The operation is invalid.
    Fault(ChangeFault),
    /// The graph cannot be read.
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
    /// Converts the reason to the error of the operation with this number.
    pub(super) fn at(self, operation: u64) -> ChangeError {
        match self {
            Self::Fault(fault) => ChangeError::Operation { operation, fault },
            Self::Graph(error) => error.into(),
        }
    }
}
