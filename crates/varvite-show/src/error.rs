//! [`ShowError`]: why nothing could be shown, or no node was meant.

use std::fmt;
use std::io;

use thiserror::Error;
use varvite::pipeline::PipelineError;
use varvite::{ErrorCode, GraphError, ValueType};
use varvite_cpg::CpgError;

/// Result of this crate.
pub type Result<T> = std::result::Result<T, ShowError>;

/// The reason why nothing could be shown, or no node was selected.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShowError {
    /// The graph has nothing of a name, or can't be read.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The run was stopped; the error names the step.
    #[error(transparent)]
    Pipeline(Box<PipelineError>),
    /// The places of nodes in the source can't be read, for a reason other than the graph.
    #[error(transparent)]
    Cpg(CpgError),
    /// The writer refused the text.
    #[error("rows could not be written: {0}")]
    Write(io::Error),
    /// There is no column of a name.
    #[error("there is no column {name:?} here: there are {}", known.join(", "))]
    NoColumn {
        /// The wanted name.
        name: String,
        /// The columns that there are, beside all properties of nodes.
        known: Vec<String>,
    },
    /// Paths come one by one, each as one row or as a row for each node, and are not sorted.
    #[error("paths cannot be sorted: sort before the step `path`, with the step `order`")]
    SortedPaths,
    /// Words are no condition.
    #[error("{words:?} is not a condition: write PROPERTY=VALUE, or != ~ < <= > >= in place of =")]
    NoCondition {
        /// The words.
        words: String,
    },
    /// Words are a condition with `==`, which could mean two things.
    #[error(
        "{words:?} is not a condition: write {property}={value}; for a value that begins with =, \
         {property}~=.*"
    )]
    DoubleEquals {
        /// The words.
        words: String,
        /// The text before the sign.
        property: String,
        /// The text behind it.
        value: String,
    },
    /// The value of a condition is none of the property's type.
    #[error("property {property} holds {}, {value:?} does not fit", value_type.name())]
    WrongValue {
        /// The property.
        property: String,
        /// The type of its values.
        value_type: ValueType,
        /// The given text.
        value: String,
    },
    /// No node of a label has a name.
    #[error("there is no {label} named {name:?} in this graph{}", suggestion(nearest.as_deref()))]
    NoName {
        /// The label.
        label: String,
        /// The wanted name.
        name: String,
        /// The name that is most like it.
        nearest: Option<String>,
    },
    /// Several nodes have a name that must be one node's.
    #[error("{count} {label} nodes have the name {name:?}: give the id of one of {}", listed(*count, candidates))]
    Several {
        /// The label.
        label: String,
        /// The wanted name.
        name: String,
        /// The number of nodes with it.
        count: usize,
        /// The first of them.
        candidates: Vec<Candidate>,
    },
    /// A node was removed from the graph.
    #[error("there is no node {node}: it was removed")]
    Removed {
        /// Its id, which is not used again.
        node: u32,
    },
    /// Words lead to a node that is no METHOD.
    #[error("{words} is node {node}, a {label} and not a METHOD")]
    NotAMethod {
        /// The words.
        words: String,
        /// The node.
        node: u32,
        /// Its labels, joined by `&`.
        label: String,
    },
}

impl From<PipelineError> for ShowError {
    fn from(error: PipelineError) -> Self {
        Self::Pipeline(Box::new(error))
    }
}

impl ShowError {
    /// Its number, the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Graph(error) => error.code(),
            Self::Pipeline(error) => error.code(),
            Self::Cpg(error) => error.code(),
            Self::Write(_) => ErrorCode::Io,
            Self::NoColumn { .. } | Self::NoName { .. } => ErrorCode::Unknown,
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

/// One of several nodes of a name, with its distinguishing values.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Candidate {
    /// The node.
    pub node: u32,
    /// Its FULL_NAME, where that is another than the name.
    pub full_name: Option<String>,
    /// The place: file and line, as far as they are known.
    pub place: String,
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

fn listed(count: usize, candidates: &[Candidate]) -> String {
    let shown = candidates.iter().map(Candidate::to_string).collect::<Vec<_>>().join(", ");
    let more = if count > candidates.len() { ", .." } else { "" };
    format!("{shown}{more}")
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; the nearest is {nearest:?}"))
}
