//! [`Key`]: the value of a row by which rows are sorted, grouped, deduplicated or kept, or which a column
//! shows.
//!
//! `function` has the functions of other keys, `json` the form of keys in plans, and `nested` visits the keys
//! and pipelines inside a key without recursion.

mod function;
mod json;
mod nested;

use super::{Literal, Pipeline, Steps};

#[cfg(test)]
pub(super) use function::PLAIN;
pub use function::{Function, Match, Operands, Split};
pub(super) use nested::{Inside, Part};

/// The value of a row by which rows are sorted, grouped, deduplicated or kept, or which a column shows.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Key {
    /// The row itself: a node's id, an edge, a value.
    #[default]
    Itself,
    /// The labels of a node, or the label of an edge.
    Label,
    /// The length of the path inside the last `repeat`.
    Depth,
    /// The first value of a property.
    Property(String),
    /// A column of a table, by its name. The key is the column's value or, for a list, its length.
    Column(String),
    /// The first result of an inner pipeline, which begins with the row.
    First(Steps),
    /// All results of an inner pipeline, as a list. Only a column can show a list.
    List(Steps),
    /// Whether an inner pipeline gives any result.
    Exists(Steps),
    /// The same value for every row.
    Constant(Literal),
    /// A function of other keys.
    Function(Function, Operands),
    /// A key whose column has this name.
    Named(String, Box<Key>),
}

impl Key {
    /// The column of this name, for rows with several columns.
    pub fn column(name: &str) -> Self {
        Self::Column(name.to_owned())
    }

    /// The first result of `pipeline`, which begins with the row: nothing if it gives none.
    pub fn first(pipeline: Pipeline) -> Self {
        Self::First(pipeline.into())
    }

    /// All results of `pipeline`, which begins with the row, as a list. Only for columns.
    pub fn list(pipeline: Pipeline) -> Self {
        Self::List(pipeline.into())
    }

    /// Whether `pipeline`, which begins with the row, gives any result.
    pub fn exists(pipeline: Pipeline) -> Self {
        Self::Exists(pipeline.into())
    }

    /// The same value for every row.
    pub fn constant(value: impl Into<Literal>) -> Self {
        Self::Constant(value.into())
    }

    /// The same key, whose column has this name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self::Named(name.to_owned(), Box::new(self.into_unnamed()))
    }

    /// The key without the name of its column.
    pub(crate) fn unnamed(&self) -> &Self {
        match self {
            Self::Named(_, key) => key.unnamed(),
            key => key,
        }
    }

    fn into_unnamed(self) -> Self {
        match self {
            Self::Named(_, key) => key.into_unnamed(),
            key => key,
        }
    }

    /// The name of the key's column, if the key has one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name, _) => Some(name),
            _ => None,
        }
    }

    /// Whether the operator `compute` computes the key, by an inner pipeline or a function.
    pub(crate) fn is_computed(&self) -> bool {
        matches!(
            self.unnamed(),
            Self::First(_) | Self::List(_) | Self::Exists(_) | Self::Constant(_) | Self::Function(..)
        )
    }
}

impl From<&str> for Key {
    /// The property of this name.
    fn from(name: &str) -> Self {
        Self::Property(name.to_owned())
    }
}
