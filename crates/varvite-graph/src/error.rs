//! Errors of graphs.

use std::path::PathBuf;

use thiserror::Error;
use varvite_format::{ErrorCode, FormatError, InputError, Quantity};
use varvite_store::{Cancelled, StoreError};

use crate::budget::OverBudget;
use crate::change_fault::ChangeError;
use crate::layer_use::LayerUse;
use crate::name_kind::NameKind;
use crate::nearest::Nearest;

/// Result of everything that touches a graph.
pub type Result<T> = std::result::Result<T, GraphError>;

/// The reason why a graph could not be opened, read or written.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// The file or its bytes.
    #[error(transparent)]
    Store(StoreError),
    /// The caller cancelled the work ([`Cancel`](crate::Cancel)).
    #[error("cancelled")]
    Cancelled,
    /// The file was verified on opening, and is damaged or contradicts itself.
    #[error("{}: {}", path.display(), Problems(.problems))]
    Unsound {
        /// The file.
        path: PathBuf,
        /// All of its faults, up to
        /// [`VerifyReport::PROBLEMS_MAX`](varvite_store::VerifyReport::PROBLEMS_MAX).
        problems: Vec<String>,
    },
    /// The graph has nothing of this name.
    #[error("there is no {kind} {name:?} in this graph{}", Nearest(.nearest))]
    Unknown {
        /// The kind of the missing name.
        kind: NameKind,
        /// The wanted name.
        name: String,
        /// The name in the graph that is most like it.
        nearest: Option<String>,
    },
    /// A new graph would have two things of one kind with this name.
    #[error("{kind} {name:?} is in this graph already: give the second one another name")]
    Duplicate {
        /// The kind of the named element.
        kind: NameKind,
        /// The name.
        name: String,
    },
    /// There is no node of this id.
    #[error("there is no node {node}: {}", ids_of(*nodes))]
    NoSuchNode {
        /// The id.
        node: u64,
        /// The number of nodes.
        nodes: u32,
    },
    /// A layer is to be replaced or dropped, and is part of the graph.
    #[error("layer {name} belongs to the graph itself and cannot be dropped or replaced")]
    LayerOfMore {
        /// Name of the layer.
        name: String,
    },
    /// A layer can't be replaced or dropped: elements outside the layer refer to its nodes.
    #[error("layer {name} cannot be dropped or replaced: {used_by}")]
    LayerInUse {
        /// Name of the layer.
        name: String,
        /// The element that refers to it.
        used_by: LayerUse,
    },
    /// A property was read as another type than it has.
    #[error("property {name} holds {found}, not {expected}")]
    WrongType {
        /// Name of the property.
        name: String,
        /// The type of the read.
        expected: &'static str,
        /// Type in the schema.
        found: &'static str,
    },
    /// A property is to get an index and has one.
    #[error("property {name} has an index already")]
    HasIndex {
        /// Name of the property.
        name: String,
    },
    /// A property is to lose its index and has none.
    #[error("property {name} has no index; {}", Indexed(.indexed))]
    NoIndex {
        /// Name of the property.
        name: String,
        /// Names of the properties that have one.
        indexed: Vec<String>,
    },
    /// The caller's data can't be written: the call has to be mended, and no file was made.
    #[error(transparent)]
    Input(Box<InputError>),
    /// An operation of a diff is invalid.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// An operation on the whole graph would hold more memory than it may.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// A limit of the format: the graph is too large for one file.
    #[error("{what}: {found} exceeds the limit of one file ({limit})")]
    TooLarge {
        /// The things that are too many.
        what: Quantity,
        /// Their number.
        found: u64,
        /// The limit.
        limit: u64,
    },
}

/// A part of the schema that a graph may lack: none if there is nothing of the name. One that is damaged is
/// not lacking.
///
/// # Errors
/// All others.
pub fn optional<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Ok(part) => Ok(Some(part)),
        Err(GraphError::Unknown { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The existing nodes.
pub fn ids_of(nodes: u32) -> String {
    nodes.checked_sub(1).map_or_else(|| "there are none".to_owned(), |last| format!("ids are 0 to {last}"))
}

impl GraphError {
    /// The number of this kind of error in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Store(error) => error.code(),
            Self::Cancelled => ErrorCode::Cancelled,
            Self::Unsound { .. } => ErrorCode::Damaged,
            Self::Unknown { .. } => ErrorCode::Unknown,
            Self::NoSuchNode { .. } => ErrorCode::NoSuchNode,
            Self::WrongType { .. } => ErrorCode::WrongType,
            Self::HasIndex { .. } | Self::NoIndex { .. } => ErrorCode::Index,
            Self::Duplicate { .. } | Self::LayerOfMore { .. } | Self::LayerInUse { .. } | Self::Input(_) => {
                ErrorCode::Argument
            }
            Self::Change(error) => error.fault.code(),
            Self::OverBudget(_) => ErrorCode::OverBudget,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
        }
    }

    /// The number that the operating system gave (`errno`), if this is one of its errors.
    pub fn os_number(&self) -> Option<i32> {
        match self {
            Self::Store(error) => error.os_number(),
            _ => None,
        }
    }
}

impl From<StoreError> for GraphError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Cancelled => Self::Cancelled,
            StoreError::Format { path, source } => match &*source {
                FormatError::Input(error) => error.clone().into(),
                _ => Self::Store(StoreError::Format { path, source }),
            },
            error => Self::Store(error),
        }
    }
}

impl From<InputError> for GraphError {
    fn from(error: InputError) -> Self {
        Self::Input(Box::new(error))
    }
}

impl From<Cancelled> for GraphError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<FormatError> for GraphError {
    /// A limit is checked before there is a file.
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::TooLarge { what, found, limit } => Self::TooLarge { what, found, limit },
            FormatError::Input(error) => error.into(),
            error => Self::Store(error.into()),
        }
    }
}

/// Shows which properties have an index.
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

/// Shows the first problem, and how many there are.
struct Problems<'a>(&'a [String]);

impl std::fmt::Display for Problems<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            [] => formatter.write_str("damaged"),
            [problem] => formatter.write_str(problem),
            [first, ..] => write!(formatter, "{first} (the first of {} problems)", self.0.len()),
        }
    }
}
