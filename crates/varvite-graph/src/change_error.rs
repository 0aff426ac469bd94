//! [`ChangeError`]: the reason why a graph could not be changed or written.

use thiserror::Error;
use varvite_format::{ErrorCode, FormatError, InputError, Quantity};
use varvite_store::{Cancelled, StoreError};

use crate::budget::OverBudget;
use crate::change_fault::ChangeFault;
use crate::error::GraphError;
use crate::layer_use::LayerUse;
use crate::name_kind::NameKind;

/// The reason why a graph could not be changed or written. The graph is unchanged, and a new file does not
/// exist, unless [`StoreError::NotDurable`] says that it does.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ChangeError {
    /// An error that readers can get too: an error of the file system, damage, cancellation, a budget, a name
    /// or a node that the graph does not have, a value of another type than its property.
    #[error(transparent)]
    Graph(GraphError),
    /// An operation of the diff is invalid.
    #[error("operation {operation}: {fault}")]
    Operation {
        /// The number of the operation, from 0.
        operation: u64,
        /// The reason why the operation is invalid.
        fault: ChangeFault,
    },
    /// The caller's data cannot be written: the call must be corrected, and no file was created.
    #[error(transparent)]
    Input(Box<InputError>),
    /// A graph would have two elements of one kind with this name.
    #[error("{kind} {name:?} is in this graph already: give the second one another name")]
    Duplicate {
        /// The kind of the named element.
        kind: NameKind,
        /// The name that two elements would have.
        name: String,
    },
    /// A layer cannot be replaced or dropped, because it is part of the graph itself.
    #[error("layer {name} belongs to the graph itself and cannot be dropped or replaced")]
    LayerOfMore {
        /// The name of the layer.
        name: String,
    },
    /// A layer can't be replaced or dropped: elements outside the layer refer to its nodes.
    #[error("layer {name} cannot be dropped or replaced: {used_by}")]
    LayerInUse {
        /// The name of the layer.
        name: String,
        /// The element that refers to the layer's nodes.
        used_by: LayerUse,
    },
    /// The property already has an index.
    #[error("property {name} has an index already")]
    HasIndex {
        /// The name of the property.
        name: String,
    },
    /// The property has no index to remove.
    #[error("property {name} has no index; {}", Indexed(.indexed))]
    NoIndex {
        /// The name of the property.
        name: String,
        /// The names of the properties that have an index.
        indexed: Vec<String>,
    },
    /// A limit of the format: the graph is too large for one file.
    #[error("{what}: {found} exceeds the limit of one file ({limit})")]
    TooLarge {
        /// The quantity that exceeds the limit.
        what: Quantity,
        /// The amount that was found.
        found: u64,
        /// The limit of the format.
        limit: u64,
    },
}

impl ChangeError {
    /// The number of this kind of error in every language.
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

    /// The error number of the operating system (`errno`), if this is one of its errors.
    pub fn os_number(&self) -> Option<i32> {
        match self {
            Self::Graph(error) => error.os_number(),
            _ => None,
        }
    }
}

impl From<GraphError> for ChangeError {
    /// Input that the store refuses also comes from the caller.
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
    /// A limit is checked before the file is created.
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
