//! [`StepFault`]: why a step is refused, with the remedy; and the words that errors of steps share.

use std::fmt;

use thiserror::Error;

use varvite_graph::ValueType;

/// The reason why a step is not allowed at its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepFault {
    /// A pipeline without steps.
    #[error("the pipeline is empty: begin with nodes, ids or edges")]
    EmptyPipeline,
    /// The first step goes on from rows.
    #[error("cannot begin a pipeline: begin with nodes, ids or edges")]
    NoStart,
    /// A step that begins a pipeline comes later.
    #[error("begins a pipeline, and cannot come later or inside a step")]
    LateStart,
    /// The plan has too many steps.
    #[error("a plan has at most {most} steps")]
    TooManySteps {
        /// The limit.
        most: usize,
    },
    /// Pipelines lie inside of each other too deep.
    #[error("is nested deeper than {most} pipelines")]
    TooDeep {
        /// The limit.
        most: usize,
    },
    /// A list has nothing in it.
    #[error("has an empty list of {of}")]
    EmptyList {
        /// The items of the list, in the word of the plan.
        of: &'static str,
    },
    /// The body of a `repeat` has no steps.
    #[error("has an empty body, which would never end")]
    EmptyBody,
    /// There are no branches.
    #[error("has no branches")]
    NoBranches,
    /// Branches give rows that can't stand in one column.
    #[error("one branch gives {one}, another gives different {other}")]
    BranchesDiffer {
        /// The rows of the first branch.
        one: RowKind,
        /// The rows of the first branch that differs.
        other: RowKind,
    },
    /// A condition uses the `path` or the `depth`, which its rows do not have.
    #[error("{word} is not available inside a condition")]
    InCondition {
        /// The missing thing.
        word: &'static str,
    },
    /// A `side` inside of a step.
    #[error("is inside another step, but only outermost steps can give rows aside")]
    InnerSide,
    /// Two `side`s have one name.
    #[error("repeats the name of an earlier step, \"{name}\"")]
    SideTwice {
        /// The name.
        name: String,
    },
    /// Rows have several columns, and no name chooses one.
    #[error("needs the name of a column: {}", columns.join(", "))]
    ColumnMissing {
        /// The columns.
        columns: Vec<String>,
    },
    /// Rows have no column of this name.
    #[error("there is no column {name:?}: the rows of the step before have {}", columns.join(", "))]
    ColumnUnknown {
        /// The name.
        name: String,
        /// The columns.
        columns: Vec<String>,
    },
    /// No column is named.
    #[error("names no column")]
    NoColumns,
    /// Edges of several labels have a property of this name.
    #[error("property {name} belongs to edges of several labels")]
    SeveralProperties {
        /// The name.
        name: String,
    },
    /// Edges can't be a key of groups.
    #[error("cannot group by the edges themselves: group by their label or a property")]
    EdgeGroups,
    /// The values are no numbers.
    #[error("needs numbers, but the values are {}", found.map_or("labels", ValueType::name))]
    NotNumbers {
        /// Their type; none for labels.
        found: Option<ValueType>,
    },
    /// The graph has no tree label.
    #[error("follows the tree, but this graph has no tree label")]
    NoTree,
    /// It came to where other steps are compiled, which is a mistake of this library.
    #[error("cannot be compiled here")]
    Unforeseen,
}

/// The kind of rows that a step works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Takes {
    /// No rows: it begins a pipeline.
    Nothing,
    /// Nodes.
    Nodes,
    /// Edges.
    Edges,
    /// Nodes or edges.
    Elements,
    /// Single values.
    Values,
    /// Nodes, edges or values.
    Single,
    /// Rows of columns too.
    Any,
}

impl fmt::Display for Takes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Nothing => "no rows",
            Self::Nodes => "nodes",
            Self::Edges => "edges",
            Self::Elements => "nodes or edges",
            Self::Values => "values",
            Self::Single => "nodes, edges or values",
            Self::Any => "rows",
        })
    }
}

/// The rows that a step needs from the step before, or from the pipelines inside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Needs {
    /// Rows of a kind.
    #[error("{0}")]
    Rows(Takes),
    /// Rows of columns.
    #[error("rows of columns")]
    Columns,
    /// A body that goes from nodes to nodes.
    #[error("a body that gives nodes")]
    BodyOfNodes,
    /// Branches that give rows of one column.
    #[error("branches that give nodes, edges or values")]
    SingleBranches,
}

impl From<Takes> for Needs {
    fn from(takes: Takes) -> Self {
        Self::Rows(takes)
    }
}

/// The kind of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowKind {
    /// Nodes.
    Nodes,
    /// Edges.
    Edges,
    /// Single values.
    Values,
    /// Rows of columns.
    Columns,
}

impl fmt::Display for RowKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Nodes => "nodes",
            Self::Edges => "edges",
            Self::Values => "values",
            Self::Columns => "rows of columns",
        })
    }
}

/// The source of the values that a predicate tests.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Subject {
    /// A property, by its name.
    #[error("property {0}")]
    Property(String),
    /// The rows.
    #[error("the value")]
    Row,
    /// The pipeline `on` of a `choose`.
    #[error("the value of on")]
    On,
}

/// The operand that a predicate compares with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Operand {
    /// A truth value.
    #[error("a truth value")]
    Truth,
    /// A whole number.
    #[error("a whole number")]
    Whole,
    /// A number with a fraction.
    #[error("a number with a fraction")]
    Fraction,
    /// A text.
    #[error("a text")]
    Text,
    /// An empty list.
    #[error("nothing")]
    Nothing,
    /// The order of values, which labels do not have.
    #[error("an order, which labels do not have")]
    Order,
}
