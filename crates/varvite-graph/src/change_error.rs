//! [`ChangeError`]: the reason why a graph could not be changed or written.

use thiserror::Error;
use varvite_format::{ErrorCode, FormatError, InputError, Quantity};
use varvite_store::{Cancelled, StoreError};

use crate::budget::OverBudget;
use crate::change_fault::ChangeFault;
use crate::error::GraphError;
use crate::layer_use::LayerUse;
use crate::name_kind::NameKind;

/// Why a graph could not be changed or written. After an error the graph is unchanged and no new file exists;
/// the exception is [`StoreError::NotDurable`], after which the change or the new file is complete and in
/// place.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// An error that readers can get too: a file-system error, damage, cancellation, an exceeded budget, an
    /// unknown name or node, or a value whose type is not that of its property.
    #[error(transparent)]
    Graph(GraphError),
    /// An operation of the diff is invalid.
    #[error("operation {operation}: {fault}")]
    Operation {
        /// Number of the operation in the diff, from 0.
        operation: u64,
        /// The reason why the operation is invalid.
        fault: ChangeFault,
    },
    /// The caller's data is invalid and must be corrected. No file was made.
    #[error(transparent)]
    Input(Box<InputError>),
    /// The graph would have two elements of one kind with the same name.
    #[error("{kind} {name:?} is in this graph already: give the second one another name")]
    Duplicate {
        /// The kind of the named element.
        kind: NameKind,
        /// The name that both elements would have.
        name: String,
    },
    /// A layer cannot be replaced or dropped, because it belongs to the graph itself.
    #[error("layer {name} belongs to the graph itself and cannot be dropped or replaced")]
    LayerOfMore {
        /// The name of the layer.
        name: String,
    },
    /// A layer cannot be replaced or dropped: elements outside the layer refer to its nodes.
    #[error("layer {name} cannot be dropped or replaced: {used_by}")]
    LayerInUse {
        /// The name of the layer.
        name: String,
        /// The element that refers to a node of the layer.
        used_by: LayerUse,
    },
    /// An index cannot be added, because the property has one already.
    #[error("property {name} has an index already")]
    HasIndex {
        /// The name of the property.
        name: String,
    },
    /// An index cannot be removed, because the property has none.
    #[error("property {name} has no index; {}", Indexed(.indexed))]
    NoIndex {
        /// The name of the property.
        name: String,
        /// Names of the properties that have an index.
        indexed: Vec<String>,
    },
    /// The graph exceeds a limit of the format: it is too large for one file.
    #[error("{what}: {found} exceeds the limit of one file ({limit})")]
    TooLarge {
        /// The kind of the counted elements.
        what: Quantity,
        /// The number of these elements.
        found: u64,
        /// The largest number of these elements that one file can have.
        limit: u64,
    },
}

impl ChangeError {
    /// The error code, which is the same in all languages.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::Operation { fault, .. } => fault.code(),
            Self::Input(_) | Self::Duplicate { .. } | Self::LayerOfMore { .. } | Self::LayerInUse { .. } => {
                ErrorCode::Argument
            }
            Self::HasIndex { .. } | Self::NoIndex { .. } => ErrorCode::Index,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
        }
    }

    /// The error number of the operating system (`errno`); `None` if the error did not come from the
    /// operating system.
    pub fn os_number(&self) -> Option<i32> {
        match self {
            Self::Graph(error) => error.os_number(),
            _ => None,
        }
    }
}

impl From<GraphError> for ChangeError {
    /// A store error about invalid input becomes [`ChangeError::Input`].
    fn from(error: GraphError) -> Self {
        match error {
            GraphError::Store(StoreError::Format { path, source }) => match &*source {
                FormatError::Input(error) => error.clone().into(),
                _ => Self::Graph(GraphError::Store(StoreError::Format { path, source })),
            },
            error => Self::Graph(error),
        }
    }
}

impl From<StoreError> for ChangeError {
    fn from(error: StoreError) -> Self {
        GraphError::from(error).into()
    }
}

impl From<InputError> for ChangeError {
    fn from(error: InputError) -> Self {
        Self::Input(Box::new(error))
    }
}

impl From<OverBudget> for ChangeError {
    fn from(error: OverBudget) -> Self {
        GraphError::from(error).into()
    }
}

impl From<Cancelled> for ChangeError {
    fn from(error: Cancelled) -> Self {
        GraphError::from(error).into()
    }
}

impl From<FormatError> for ChangeError {
    /// An exceeded limit becomes [`ChangeError::TooLarge`]. This error has no path, because limits are
    /// checked before a file exists.
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::TooLarge { what, found, limit } => Self::TooLarge { what, found, limit },
            FormatError::Input(error) => error.into(),
            error => GraphError::from(error).into(),
        }
    }
}

/// Displays the properties that have an index.
struct Indexed<'a>(&'a [String]);

impl std::fmt::Display for Indexed<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [] => write!(formatter, "no property of this graph has one"),
            [name] => write!(formatter, "only {name} has one"),
            names => write!(formatter, "only {} have one", names.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use varvite_format::Fault;

    use super::*;

    #[test]
    fn an_error_that_readers_meet_too_is_in_one_variant() {
        let cancelled: [ChangeError; 3] =
            [Cancelled.into(), StoreError::Cancelled.into(), GraphError::Cancelled.into()];
        for error in cancelled {
            assert!(matches!(error, ChangeError::Graph(GraphError::Cancelled)), "{error:?}");
        }
        let full = ChangeError::from(OverBudget { limit: 1, needed: 2 });
        assert_eq!(full.code(), ErrorCode::OverBudget);
        assert!(matches!(full, ChangeError::Graph(GraphError::OverBudget(_))), "{full:?}");
    }

    #[test]
    fn refused_input_is_the_callers_whichever_layer_refused_it() {
        let input = || InputError::new("column", Fault::Missing { what: "name", number: None });
        let of_store = || StoreError::from(FormatError::from(input()));
        let all: [ChangeError; 4] = [
            input().into(),
            FormatError::from(input()).into(),
            of_store().into(),
            GraphError::from(of_store()).into(),
        ];
        for error in all {
            assert!(matches!(error, ChangeError::Input(_)), "{error:?}");
            assert_eq!((error.code(), error.to_string()), (ErrorCode::Argument, input().to_string()));
        }
    }
}
