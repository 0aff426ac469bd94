//! Errors of pipelines. Every error of a step names the step.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;
use varvite_format::ErrorCode;

use super::fault::{ArithmeticFault, Needs, Operand, RowKind, StepFault, Subject};
use varvite_graph::internal::{Nearest, ids_of};
use varvite_graph::{GraphError, NameKind, OverBudget, ValueType};

/// The result of functions that compile or run a pipeline.
pub(crate) type Result<T> = std::result::Result<T, PipelineError>;

/// The reason why a pipeline could not be read, compiled or run.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// The text is not a valid plan.
    #[error("not a plan: {reason}")]
    NotAPlan {
        /// The position in the plan, and the expected value.
        reason: String,
    },
    /// The plan has a version that this library can't read.
    #[error(
        "the plan has version {found}, but this library reads version {known}: use a library for the \
             plan's version"
    )]
    Version {
        /// The plan's version.
        found: u64,
        /// The version that this library reads.
        known: u32,
    },
    /// The plan exceeds a fixed limit, which no budget raises.
    #[error("the plan {}", of.passed(*most))]
    TooLarge {
        /// The kind of the exceeded limit.
        of: PlanLimit,
        /// The limit.
        most: usize,
    },
    /// Reading the plan, or starting to run it, would need more memory than the budget allows.
    #[error("the plan itself needs {needed} bytes, the budget is {limit}: shorten it, or raise the budget")]
    PlanOverBudget {
        /// The budget in bytes.
        limit: usize,
        /// The least number of bytes needed.
        needed: usize,
    },
    /// A parameter of the plan was given no value.
    #[error("the parameter {name:?} has no value: give it one of type {holds}")]
    ParameterMissing {
        /// The parameter's name.
        name: String,
        /// The type that the parameter's value must have.
        holds: &'static str,
    },
    /// A value was given for a parameter that the plan does not declare.
    #[error("the plan has no parameter {name:?}{}", Nearest(.nearest))]
    ParameterUnknown {
        /// The unknown name.
        name: String,
        /// The declared parameter with the most similar name.
        nearest: Option<String>,
    },
    /// A parameter was given a value of the wrong type.
    #[error("the parameter {name:?} is declared as {holds}, found {found}")]
    ParameterType {
        /// The parameter's name.
        name: String,
        /// The type that the parameter's value must have.
        holds: &'static str,
        /// The given value.
        found: String,
    },
    /// The graph has no label, property or other part with this name.
    #[error("{at}: there is no {kind} {name:?} in this graph{}", Nearest(.nearest))]
    Unknown {
        /// The step.
        at: StepAt,
        /// The kind of the missing name.
        kind: NameKind,
        /// The name that the plan asks for.
        name: String,
        /// The most similar name in the graph.
        nearest: Option<String>,
    },
    /// The graph has the property, but none of the nodes that the condition tests has it, so no node could
    /// pass.
    #[error("{at}: no {} has the property {property}{}", Choice(.labels), Owners(.owners))]
    NotOfLabel {
        /// The step.
        at: StepAt,
        /// The property.
        property: String,
        /// The labels of the tested nodes; empty for all nodes.
        labels: Vec<String>,
        /// The labels of nodes that have the property.
        owners: Vec<String>,
    },
    /// A predicate compares values with an operand of the wrong type, or cannot test values of this type.
    #[error("{at}: {of} holds {}, but {}", holds.name(), mismatch(*holds, predicate, *with))]
    WrongType {
        /// The step.
        at: StepAt,
        /// The source of the values.
        of: Subject,
        /// The type of the values.
        holds: ValueType,
        /// The predicate's word in plans.
        predicate: &'static str,
        /// The kind of the operand.
        with: Operand,
    },
    /// A regular expression does not compile.
    #[error("{at}: the regular expression does not compile: {reason}")]
    BadRegex {
        /// The step.
        at: StepAt,
        /// The position in the pattern, and the reason.
        reason: String,
    },
    /// A regular expression would need too much memory.
    #[error(
        "{at}: the regular expression needs more than {limit} bytes compiled: repeat less, or use contains or prefix"
    )]
    RegexTooLarge {
        /// The step.
        at: StepAt,
        /// The limit.
        limit: usize,
    },
    /// A step would get rows of the wrong kind.
    #[error("{at}: needs {needs}, but the step before it gives {found}")]
    Misplaced {
        /// The step.
        at: StepAt,
        /// The rows that the step needs.
        needs: Needs,
        /// The rows that the step would get.
        found: RowKind,
    },
    /// The step is not valid at its position.
    #[error("{at}: {fault}")]
    BadStep {
        /// The step.
        at: StepAt,
        /// The fault, which names a remedy.
        fault: StepFault,
    },
    /// The graph has no node with this id.
    #[error("{at}: there is no node {node}: {}", why_there_is_none(*node, *nodes))]
    NoSuchNode {
        /// The step.
        at: StepAt,
        /// The node id.
        node: u32,
        /// The number of nodes in the graph.
        nodes: u32,
    },
    /// The step would need more memory than the budget allows.
    #[error(
        "{at}: needs {needed} bytes together with all steps, the budget is {limit}: reduce the result, or \
         raise the budget"
    )]
    OverBudget {
        /// The step.
        at: StepAt,
        /// The budget in bytes.
        limit: usize,
        /// The least number of bytes needed.
        needed: usize,
    },
    /// A `repeat` follows a cycle forever.
    #[error(
        "{at}: a path of {depth} nodes visits a node twice and would never end: add times, until or dedup"
    )]
    Endless {
        /// The step.
        at: StepAt,
        /// The length of the path.
        depth: u32,
    },
    /// A sum of whole numbers does not fit into 64 bits.
    #[error("{at}: the sum does not fit into 64 bits: sum fewer rows, or use mean")]
    Overflow {
        /// The step.
        at: StepAt,
    },
    /// A function of keys has no result for the numbers of a row.
    #[error("{at}: {fault}")]
    Arithmetic {
        /// The step.
        at: StepAt,
        /// The fault.
        fault: ArithmeticFault,
    },
    /// The caller cancelled the run.
    #[error("{at}: cancelled")]
    Cancelled {
        /// The step that was running.
        at: StepAt,
    },
    /// The graph could not be read.
    #[error("{at}: {error}")]
    Graph {
        /// The step.
        at: StepAt,
        /// The error of the graph.
        error: GraphError,
    },
}

impl From<OverBudget> for PipelineError {
    fn from(OverBudget { limit, needed }: OverBudget) -> Self {
        Self::PlanOverBudget { limit, needed }
    }
}

/// A fixed limit of plans, which no budget raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlanLimit {
    /// The bytes of the plan's text.
    TextBytes,
    /// The depth of nested pipelines.
    Depth,
    /// The number of steps, including nested ones.
    Steps,
}

impl PlanLimit {
    fn passed(self, most: usize) -> String {
        match self {
            Self::TextBytes => format!("is longer than {most} bytes"),
            Self::Depth => format!("is nested deeper than {most} pipelines"),
            Self::Steps => format!("has more than {most} steps"),
        }
    }
}

/// Says why a predicate does not fit the values. If no operand fits, the message names predicates that test
/// such values, with the signs that conditions such as `NAME=memcpy` have for them.
fn mismatch(holds: ValueType, predicate: &str, with: Operand) -> String {
    let is_of_numbers = ["lt", "lte", "gt", "gte", "between", "inside", "outside"].contains(&predicate);
    let is_of_texts = ["prefix", "suffix", "contains", "regex"].contains(&predicate);
    let instead = match holds {
        ValueType::Bytes => None,
        ValueType::Bool => (is_of_numbers || is_of_texts).then_some("eq (=) or ne (!=)"),
        ValueType::String => is_of_numbers.then_some("eq (=), ne (!=) or regex (~)"),
        _ => is_of_texts.then_some("eq (=), ne (!=), lt (<), lte (<=), gt (>) or gte (>=)"),
    };
    let tested = if is_of_texts { "tests texts" } else { "compares numbers" };
    match instead {
        Some(instead) => format!("{predicate}{} {tested}: use {instead}", sign(predicate)),
        None => format!("{predicate} compares with {with}"),
    }
}

/// The sign of a predicate in conditions, in parentheses; empty if it has none.
fn sign(predicate: &str) -> &'static str {
    match predicate {
        "lt" => " (<)",
        "lte" => " (<=)",
        "gt" => " (>)",
        "gte" => " (>=)",
        "regex" => " (~)",
        _ => "",
    }
}

/// Says whether the missing node was removed or never existed.
fn why_there_is_none(node: u32, nodes: u32) -> String {
    if node < nodes { "it was removed".to_owned() } else { ids_of(nodes) }
}

impl PipelineError {
    /// The step that caused the error. `None` if the error does not belong to a step.
    pub fn at(&self) -> Option<&StepAt> {
        match self {
            Self::NotAPlan { .. }
            | Self::Version { .. }
            | Self::TooLarge { .. }
            | Self::PlanOverBudget { .. }
            | Self::ParameterMissing { .. }
            | Self::ParameterUnknown { .. }
            | Self::ParameterType { .. } => None,
            Self::Unknown { at, .. }
            | Self::NotOfLabel { at, .. }
            | Self::Overflow { at }
            | Self::Arithmetic { at, .. }
            | Self::WrongType { at, .. }
            | Self::BadRegex { at, .. }
            | Self::RegexTooLarge { at, .. }
            | Self::Misplaced { at, .. }
            | Self::BadStep { at, .. }
            | Self::NoSuchNode { at, .. }
            | Self::OverBudget { at, .. }
            | Self::Endless { at, .. }
            | Self::Cancelled { at }
            | Self::Graph { at, .. } => Some(at),
        }
    }

    /// The code of this kind of error, which is the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Unknown { .. } | Self::NotOfLabel { .. } => ErrorCode::Unknown,
            Self::WrongType { .. } => ErrorCode::WrongType,
            Self::NoSuchNode { .. } => ErrorCode::NoSuchNode,
            Self::OverBudget { .. } | Self::PlanOverBudget { .. } => ErrorCode::OverBudget,
            Self::Cancelled { .. } => ErrorCode::Cancelled,
            Self::Graph { error, .. } => error.code(),
            Self::NotAPlan { .. }
            | Self::Version { .. }
            | Self::TooLarge { .. }
            | Self::ParameterMissing { .. }
            | Self::ParameterUnknown { .. }
            | Self::ParameterType { .. }
            | Self::BadRegex { .. }
            | Self::RegexTooLarge { .. }
            | Self::Misplaced { .. }
            | Self::BadStep { .. }
            | Self::Overflow { .. }
            | Self::Arithmetic { .. }
            | Self::Endless { .. } => ErrorCode::Plan,
        }
    }
}

/// Shows labels joined by `or`. An empty list is shown as `node`.
struct Choice<'a>(&'a [String]);

impl fmt::Display for Choice<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => formatter.write_str("node"),
            labels => formatter.write_str(&labels.join(" or ")),
        }
    }
}

/// Shows the labels of a property's owners, of which a message names only the first few.
struct Owners<'a>(&'a [String]);

impl Owners<'_> {
    /// The maximum number of labels that a message names.
    const SHOWN: usize = 8;
}

impl fmt::Display for Owners<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shown, more) = self.0.split_at(self.0.len().min(Self::SHOWN));
        match (shown, more.len()) {
            ([], _) => Ok(()),
            ([label], 0) => write!(formatter, ": {label} has it"),
            (shown, 0) => write!(formatter, ": {} have it", shown.join(", ")),
            (shown, more) => write!(formatter, ": {} and {more} more labels have it", shown.join(", ")),
        }
    }
}

/// The location of a step in a plan: its name, and the path of numbers that leads to it. Numbers begin at 1:
/// `2.1` is the first step nested in the second step. If a step has several branches, the number of the
/// branch comes between the two numbers.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct StepAt {
    path: Arc<str>,
    name: &'static str,
}

impl StepAt {
    pub(crate) fn new(path: &str, name: &'static str) -> Self {
        Self { path: path.into(), name }
    }

    /// The path of numbers, such as `2.1`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The word that plans use for the step.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Display for StepAt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "step {} ({})", self.path, self.name)
    }
}

impl fmt::Debug for StepAt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
