//! [`Value`]: what an expression stands for while a query is translated.
//!
//! A query is a nest of rows: a lambda names the row of the pipeline to which it is applied, its *scope*. A
//! value belongs to one scope: it is computed from the row of this scope. Nothing is computed here: a `map`
//! does not change the pipeline but the item that each of its rows stands for, so that a later `filter` or
//! `sortBy` computes from the row what it needs.

use varvite::pipeline::{Function as KeyFunction, Key, Literal, Pipeline, Repeat, it};

use crate::error::{Reason, Result, TextError};
use crate::names::Kinds;
use crate::syntax::{Expression, Pattern, Span};

/// The scope of a value: the row of a pipeline, as the lambda over it sees the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Scope(pub(super) usize);

impl Scope {
    /// The scope of the nodes of a group. No lambda gets it, because a list in a column has no pipeline.
    pub(super) const OF_GROUP: Self = Self(usize::MAX);
}

/// What an expression stands for.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// `cpg`.
    Graph,
    /// The object `Operators`, whose fields are names of operators.
    Operators,
    Node(Node),
    Scalar(Scalar),
    Rows(Rows),
    /// A tuple, or a record such as a location.
    Parts(Vec<Part>),
    /// Values that the query lists: `Set("a", "b")`.
    List(Vec<Value>),
    /// A single result of a pipeline that begins with the graph: `cpg.call.size`.
    Total(Total),
    /// The settings of `repeat`.
    Walk(Box<Repeat>),
    /// A lambda with a name: `def` with parameters.
    Function(Box<Function>),
}

/// A part of a tuple or record.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// `_1`, `_2` .. or the name of a record's field.
    pub(super) name: String,
    pub(super) value: Value,
}

/// A node: the first to which `steps` lead from the row of `scope`.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) scope: Scope,
    pub(super) steps: Pipeline,
    pub(super) kinds: Kinds,
    /// Whether the type is `Option`.
    pub(super) is_optional: bool,
}

/// A text, number or truth value.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    /// The scope of the key. `None` for a constant.
    pub(super) scope: Option<Scope>,
    pub(super) key: Key,
    pub(super) holds: Type,
    /// Whether the type is `Option`.
    pub(super) is_optional: bool,
}

/// The type of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Integer,
    Float,
    Boolean,
}

/// Rows: for each row of a pipeline an item.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// The scope with whose row the pipeline begins. `None` if it begins with the graph.
    pub(super) from: Option<Scope>,
    /// The pipeline. Its rows are nodes, values, or the groups of `groupCount`.
    pub(super) base: Pipeline,
    /// The scope of the pipeline's own rows.
    pub(super) scope: Scope,
    /// What each row stands for.
    pub(super) item: Box<Value>,
    /// Whether nothing but a start was applied: `cpg.call`.
    pub(super) is_start: bool,
    /// Whether the rows are kept in a list, which can be used again.
    pub(super) is_list: bool,
}

/// A single result of pipelines that begin with the graph.
#[derive(Clone, Debug)]
pub(super) enum Total {
    /// The first row of a pipeline, and what to say if there is none.
    First { rows: Rows, is_optional: bool },
    /// A number, text or truth value, which the pipeline gives as its only value.
    Value { plan: Pipeline },
    /// Whether a pipeline gives any row.
    Exists { plan: Pipeline },
    /// The text of all rows, one after another, with texts around and between them.
    Text { rows: Rows, begin: String, between: String, end: String },
    /// An operator on constants and totals.
    Operator(Box<Operation>),
}

/// An operator between totals and constants.
#[derive(Clone, Debug)]
pub(super) struct Operation {
    pub(super) function: KeyFunction,
    pub(super) operands: Vec<Value>,
    pub(super) holds: Type,
}

/// A lambda with a name.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) parameters: Vec<Pattern>,
    pub(super) body: Expression,
    /// The number of variables that the body sees.
    pub(super) variables: usize,
}

impl Node {
    /// The row of a scope itself.
    pub(super) fn row(scope: Scope, kinds: Kinds) -> Self {
        Self { scope, steps: it(), kinds, is_optional: false }
    }

    /// Whether the node is the row of its scope.
    pub(super) fn is_row(&self) -> bool {
        self.steps.steps().is_empty()
    }
}

impl Scalar {
    pub(super) fn of(scope: Scope, key: Key, holds: Type) -> Self {
        Self { scope: Some(scope), key, holds, is_optional: false }
    }

    pub(super) fn constant(value: impl Into<Literal>, holds: Type) -> Self {
        Self { scope: None, key: Key::constant(value), holds, is_optional: false }
    }

    pub(super) fn optional(self) -> Self {
        Self { is_optional: true, ..self }
    }

    /// The key of the scalar as a text.
    pub(super) fn as_text(&self) -> Key {
        match self.holds {
            Type::Text => self.key.clone(),
            _ => Key::concat([self.key.clone(), Key::constant("")]),
        }
    }

    /// The constant, if the scalar is one.
    pub(super) fn literal(&self) -> Option<&Literal> {
        match &self.key {
            Key::Constant(literal) => Some(literal),
            _ => None,
        }
    }
}

/// The sort of rows that a pipeline gives.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sort {
    Nodes(Kinds),
    Values(Type),
}

impl Sort {
    pub(super) fn of(rows: &Rows, span: Span) -> Result<Self> {
        match &*rows.item {
            Value::Node(node) => Ok(Self::Nodes(node.kinds)),
            Value::Scalar(scalar) => Ok(Self::Values(scalar.holds)),
            other => {
                let message =
                    format!("rows inside rows are nodes, texts or numbers here, not {}", other.words());
                Err(TextError::new(span, Reason::NotInPlans, message))
            }
        }
    }

    pub(super) fn item(self, scope: Scope) -> Value {
        match self {
            Self::Nodes(kinds) => Value::Node(Node::row(scope, kinds)),
            Self::Values(holds) => Value::Scalar(Scalar::of(scope, Key::Itself, holds)),
        }
    }

    /// The sort of the rows of two branches.
    pub(super) fn wider(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nodes(a), Self::Nodes(b)) => Self::Nodes(a.or(b)),
            (_, other) => other,
        }
    }
}

impl Rows {
    /// The rows that more steps give, with the same items.
    pub(super) fn then(self, steps: impl FnOnce(Pipeline) -> Pipeline) -> Self {
        Self { base: steps(self.base), is_start: false, ..self }
    }

    /// Whether the rows are the nodes of a group, which the column `nodes` of a table has.
    pub(super) fn are_of_group(&self) -> bool {
        self.scope == Scope::OF_GROUP
    }

    /// The kinds of the rows' nodes. `None` if items are no nodes.
    pub(super) fn kinds(&self) -> Option<Kinds> {
        match &*self.item {
            Value::Node(node) => Some(node.kinds),
            _ => None,
        }
    }
}

impl Type {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Text => "a text",
            Self::Integer => "a whole number",
            Self::Float => "a number",
            Self::Boolean => "true or false",
        }
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Float)
    }
}

impl Value {
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self::Scalar(Scalar::constant(text.into(), Type::Text))
    }

    /// The texts of an argument, which is a text or a list of texts, each with the place of the argument.
    pub(super) fn into_texts(self, span: Span) -> Result<Vec<(String, Span)>> {
        let items = match self {
            Self::List(items) => items,
            value => vec![value],
        };
        let text = |item| match item {
            Self::Scalar(Scalar { key: Key::Constant(Literal::Text(text)), .. }) => Ok((text, span)),
            other => {
                let message = format!("this argument is a text, not {}", other.words());
                Err(TextError::new(span, Reason::Type, message))
            }
        };
        items.into_iter().map(text).collect()
    }

    /// The value in words, for errors.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Graph => "the graph".to_owned(),
            Self::Operators => "the object Operators".to_owned(),
            Self::Node(node) if node.is_optional => format!("an Option of {}", node.kinds.words()),
            Self::Node(node) => format!("one of the {}", node.kinds.words()),
            Self::Scalar(scalar) if scalar.is_optional => format!("an Option of {}", scalar.holds.words()),
            Self::Scalar(scalar) => scalar.holds.words().to_owned(),
            Self::Rows(rows) => match &*rows.item {
                Self::Node(node) => node.kinds.words(),
                item => format!("rows, each {}", item.words()),
            },
            Self::Parts(_) => "a tuple".to_owned(),
            Self::List(_) => "a list".to_owned(),
            Self::Total(_) => "a result".to_owned(),
            Self::Walk(_) => "the settings of repeat".to_owned(),
            Self::Function(_) => "a function".to_owned(),
        }
    }

    pub(super) fn is_optional(&self) -> bool {
        match self {
            Self::Node(node) => node.is_optional,
            Self::Scalar(scalar) => scalar.is_optional,
            _ => false,
        }
    }
}
