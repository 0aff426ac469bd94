//! [`ShowError`]: the error if rows can't be shown or nodes can't be found by name.

use std::fmt;
use std::io;

use thiserror::Error;
use varvite::pipeline::PipelineError;
use varvite::{ErrorCode, GraphError, ValueType};
use varvite_cpg::CpgError;

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, ShowError>;

/// The reason why rows can't be shown, or nodes can't be found.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShowError {
    /// The graph has no item of this name, or can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A pipeline failed. The error names the step.
    #[error(transparent)]
    Pipeline(Box<PipelineError>),
    /// The source locations of nodes can't be read, for a reason other than a graph error.
    #[error(transparent)]
    Cpg(CpgError),
    /// The writer refused the text.
    #[error("rows could not be written: {0}")]
    Write(io::Error),
    /// There is no column of this name.
    #[error("there is no column {name:?} here: there are {}", known.join(", "))]
    NoColumn {
        /// The requested name.
        name: String,
        /// The available columns, besides all properties of nodes.
        known: Vec<String>,
    },
    /// Sorting was requested for paths, which are written one by one and can't be sorted.
    #[error("paths cannot be sorted: sort before the step `path`, with the step `order`")]
    SortedPaths,
    /// The words are not a condition.
    #[error("{words:?} is not a condition: write PROPERTY=VALUE, or != ~ < <= > >= in place of =")]
    NoCondition {
        /// The given words.
        words: String,
    },
    /// The condition uses `==`, which is ambiguous.
    #[error(
        "{words:?} is not a condition: write {property}={value}; for a value that begins with =, \
         {property}~=.*"
    )]
    DoubleEquals {
        /// The given words.
        words: String,
        /// The text before the `=`.
        property: String,
        /// The text after the `==`.
        value: String,
    },
    /// The value of a condition does not have the property's type.
    #[error("property {property} holds {}, {value:?} does not fit", value_type.name())]
    WrongValue {
        /// The property.
        property: String,
        /// The type of the property's values.
        value_type: ValueType,
        /// The given text.
        value: String,
    },
    /// No node of a label has the given name.
    #[error("there is no {label} named {name:?} in this graph{}", suggestion(nearest.as_deref()))]
    NoName {
        /// The label.
        label: String,
        /// The requested name.
        name: String,
        /// The most similar name.
        nearest: Option<String>,
    },
    /// No node of a label is on the given line.
    #[error("there is no {label} at {place} in this graph")]
    NothingThere {
        /// The label.
        label: String,
        /// The file and line, as given.
        place: String,
    },
    /// The graph does not have the requested source code.
    #[error("{0}")]
    NoSource(String),
    /// Several nodes have a name that must identify a single node.
    #[error("{count} {label} nodes have the name {name:?}: give the id of one of {}", listed(*count, candidates))]
    Several {
        /// The label.
        label: String,
        /// The requested name.
        name: String,
        /// The number of nodes with this name.
        count: usize,
        /// The first of these nodes.
        candidates: Vec<Candidate>,
    },
    /// The node was removed from the graph.
    #[error("there is no node {node}: it was removed")]
    Removed {
        /// The node's id, which is not reused.
        node: u32,
    },
    /// The words identify a node that is not a METHOD.
    #[error("{words} is node {node}, a {label} and not a METHOD")]
    NotAMethod {
        /// The given words.
        words: String,
        /// The node.
        node: u32,
        /// The node's labels, joined by `&`.
        label: String,
    },
}

impl From<PipelineError> for ShowError {
    fn from(error: PipelineError) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

impl ShowError {
    /// The error's number, which is the same in every language binding.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::Pipeline(error) => error.code(),
            Self::Cpg(error) => error.code(),
            Self::Write(_) => ErrorCode::Io,
            Self::NoColumn { .. } | Self::NoName { .. } | Self::NothingThere { .. } | Self::NoSource(_) => {
                ErrorCode::Unknown
            }
            Self::Removed { .. } => ErrorCode::NoSuchNode,
            Self::WrongValue { .. } => ErrorCode::WrongType,
            Self::SortedPaths
            | Self::NoCondition { .. }
            | Self::DoubleEquals { .. }
            | Self::Several { .. }
            | Self::NotAMethod { .. } => ErrorCode::Argument,
        }
    }
}

impl From<CpgError> for ShowError {
    fn from(error: CpgError) -> Self {
        match error {
            CpgError::Graph(error) => Self::Graph(error),
            CpgError::Pipeline(error) => error.into(),
            other => Self::Cpg(other),
        }
    }
}

impl From<io::Error> for ShowError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// One of several nodes with the same name, with values that distinguish it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The node.
    pub node: u32,
    /// The node's FULL_NAME. `None` if it equals the name.
    pub full_name: Option<String>,
    /// The node's source location: its file and line, or only the known one of them.
    pub place: String,
}

impl Candidate {
    /// A node that is found by the name of its place.
    pub fn at(node: u32, place: String) -> Self {
        Self { node, full_name: None, place }
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{} (", self.node)?;
        if let Some(full_name) = &self.full_name {
            write!(formatter, "{full_name}, ")?;
        }
        write!(formatter, "{})", self.place)
    }
}

/// The candidates, with a mark if more nodes have the name.
pub(crate) fn listed(count: usize, candidates: &[Candidate]) -> String {
    let shown = candidates.iter().map(Candidate::to_string).collect::<Vec<_>>().join(", ");
    let more = if count > candidates.len() { ", .." } else { "" };
    format!("{shown}{more}")
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; the nearest is {nearest:?}"))
}
