//! [`StepFault`]: the reason why a step is refused, with a remedy. This module also defines the kinds of rows
//! and operands that error messages name.

use std::fmt;

use thiserror::Error;

use varvite_graph::ValueType;
use varvite_graph::internal::Nearest;

/// The reason why a step is not valid at its position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepFault {
    /// The pipeline has no steps.
    #[error("the pipeline is empty: begin with nodes, ids or edges")]
    EmptyPipeline,
    /// The first step needs rows from an earlier step.
    #[error("cannot begin a pipeline: begin with nodes, ids or edges")]
    NoStart,
    /// A step that begins a pipeline is not the first.
    #[error("begins a pipeline, and cannot come later or inside a step")]
    LateStart,
    /// The plan has too many steps.
    #[error("a plan has at most {most} steps")]
    TooManySteps {
        /// The limit.
        most: usize,
    },
    /// Pipelines are nested too deeply.
    #[error("is nested deeper than {most} pipelines")]
    TooDeep {
        /// The limit.
        most: usize,
    },
    /// A list is empty.
    #[error("has an empty list of {of}")]
    EmptyList {
        /// The name of the list's items, as plans use it.
        of: &'static str,
    },
    /// The body of a `repeat` has no steps.
    #[error("has an empty body, which would never end")]
    EmptyBody,
    /// The step has no branches.
    #[error("has no branches")]
    NoBranches,
    /// Branches give rows of different kinds, which can't be in one column.
    #[error("one branch gives {one}, another gives different {other}")]
    BranchesDiffer {
        /// The kind of the first branch's rows.
        one: RowKind,
        /// The kind of rows that another branch gives instead.
        other: RowKind,
    },
    /// A condition uses `path` or `depth`, which rows inside a condition do not have.
    #[error("{word} is not available inside a condition")]
    InCondition {
        /// The step's word in plans, `path` or `depth`.
        word: &'static str,
    },
    /// A `side` step is nested in another step.
    #[error("is inside another step, but only outermost steps can give rows aside")]
    InnerSide,
    /// Two `side` steps have the same name.
    #[error("repeats the name of an earlier step, \"{name}\"")]
    SideTwice {
        /// The repeated name.
        name: String,
    },
    /// Rows have several columns, and the key does not name one of them.
    #[error("needs the name of a column: {}", columns.join(", "))]
    ColumnMissing {
        /// The names of the columns.
        columns: Vec<String>,
    },
    /// Rows have no column of this name.
    #[error("there is no column {name:?}: the rows of the step before have {}", columns.join(", "))]
    ColumnUnknown {
        /// The name that the key gives.
        name: String,
        /// The names of the existing columns.
        columns: Vec<String>,
    },
    /// A step that computes columns names no column.
    #[error("names no column")]
    NoColumns,
    /// Edges of several labels have a property with this name, so the name alone is ambiguous.
    #[error("property {name} belongs to edges of several labels")]
    SeveralProperties {
        /// The name of the property.
        name: String,
    },
    /// Rows can't be grouped by edges.
    #[error("cannot group by the edges themselves: group by their label or a property")]
    EdgeGroups,
    /// A list is used as a key by which rows are sorted, grouped or compared.
    #[error("cannot sort, group or compare by a list: use first or exists; only columns can show a list")]
    ListKey,
    /// The values are not numbers.
    #[error("needs numbers, but the values are {}", found.map_or("labels", ValueType::name))]
    NotNumbers {
        /// The type of the values. `None` if they are labels.
        found: Option<ValueType>,
    },
    /// The operands of a function have kinds that the function does not take.
    #[error("{function} needs {needs}, but its operands are {}", joined(found))]
    Operands {
        /// The function's word in plans.
        function: &'static str,
        /// The operands that the function needs.
        needs: OperandsNeeded,
        /// The kinds of the operands.
        found: Vec<Operand>,
    },
    /// A function has an operand of a kind with which no function computes.
    #[error("cannot compute with {found}")]
    NotAValue {
        /// The kind of the operand.
        found: Operand,
    },
    /// A function has too few or too many operands.
    #[error("{function} cannot have {found} operands")]
    OperandCount {
        /// The function's word in plans.
        function: &'static str,
        /// The number of operands.
        found: usize,
    },
    /// A key by which rows are kept is not a truth value.
    #[error("needs a key that is true or false, but the key is {found}")]
    NotTruth {
        /// The kind of the key.
        found: Operand,
    },
    /// A regular expression has no group of this number.
    #[error("the regular expression has no group {group}: its last group is {last}")]
    NoGroup {
        /// The number that the key gives.
        group: u32,
        /// The number of the last group.
        last: usize,
    },
    /// A step `as` is not the first step of an inner pipeline.
    #[error("names the row with which an inner pipeline begins, so it must be the first step of one")]
    LateName,
    /// No enclosing pipeline gives its row this name.
    #[error("no pipeline around the step begins with as {name:?}{}", Nearest(nearest))]
    NoSuchName {
        /// The name that the step gives.
        name: String,
        /// The most similar name of an enclosing pipeline.
        nearest: Option<String>,
    },
    /// The graph has no tree label.
    #[error("follows the tree, but this graph has no tree label")]
    NoTree,
    /// The compiler reached code that is meant for other steps. This is a bug in this library.
    #[error("cannot be compiled here")]
    Unforeseen,
}

/// The kind of rows that a step works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Takes {
    /// No rows: the step begins a pipeline.
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
    /// Rows of any kind, including rows with several columns.
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

/// The rows that a step needs from the step before, or from its nested pipelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum Needs {
    /// Rows of this kind.
    #[error("{0}")]
    Rows(Takes),
    /// Rows with several columns.
    #[error("rows of columns")]
    Columns,
    /// A `repeat` body that gives nodes.
    #[error("a body that gives nodes")]
    BodyOfNodes,
    /// A key whose pipeline gives nodes or values.
    #[error("a key whose pipeline gives nodes or values")]
    KeyOfSingles,
    /// Branches that give rows with one column.
    #[error("branches that give nodes, edges or values")]
    SingleBranches,
}

impl From<Takes> for Needs {
    fn from(takes: Takes) -> Self {
        Self::Rows(takes)
    }
}

/// The kind of rows that a step gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RowKind {
    /// Nodes.
    Nodes,
    /// Edges.
    Edges,
    /// Single values.
    Values,
    /// Rows with several columns.
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
    /// The row itself.
    #[error("the value")]
    Row,
    /// A key.
    #[error("the key")]
    Key,
    /// The pipeline `on` of a `choose`.
    #[error("the value of on")]
    On,
}

/// The reason why a function of whole numbers has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ArithmeticFault {
    /// The result does not fit into 64 bits with a sign.
    #[error("the result of {function} does not fit into 64 bits: use numbers with a fraction")]
    Overflow {
        /// The function's word in plans.
        function: &'static str,
    },
    /// The divisor is 0.
    #[error("{function} divides by 0: filter such rows, or use numbers with a fraction")]
    DivisionByZero {
        /// The function's word in plans.
        function: &'static str,
    },
}

/// The operands that a function needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum OperandsNeeded {
    /// Numbers.
    #[error("numbers")]
    Numbers,
    /// Truth values.
    #[error("truth values")]
    Truths,
    /// A text.
    #[error("a text")]
    Text,
    /// Values of one kind.
    #[error("numbers, or texts, or truth values, or nodes")]
    SameKind,
    /// Values of one kind that has an order.
    #[error("numbers, or texts")]
    Ordered,
    /// Values that can be written as text.
    #[error("texts, numbers or truth values")]
    Written,
}

/// Joins the kinds of operands by `and`.
fn joined(operands: &[Operand]) -> String {
    operands.iter().map(Operand::to_string).collect::<Vec<_>>().join(" and ")
}

/// The kind of an operand of a predicate or a function.
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
    /// A node.
    #[error("a node")]
    Node,
    /// An edge.
    #[error("an edge")]
    Edge,
    /// A byte string.
    #[error("a byte string")]
    Bytes,
    /// The operand of an order comparison, such as `lt`. Labels have no order.
    #[error("an order, which labels do not have")]
    Order,
}
