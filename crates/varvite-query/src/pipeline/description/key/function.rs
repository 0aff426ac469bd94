//! [`Function`]: a function of keys, with the word that plans use for it and the number of its operands.

use std::ops::RangeInclusive;

use super::Key;
use crate::pipeline::description::Predicate;

/// A function of keys. It is computed for each row from the values that its operands have there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Function {
    /// The sum of two numbers. This variant and those up to `Remainder` are for numbers.
    Add,
    /// The first number less the second.
    Subtract,
    /// The product of two numbers.
    Multiply,
    /// The first number divided by the second, rounded towards zero if both are whole.
    Divide,
    /// The remainder of `Divide`, with the sign of the first number.
    Remainder,
    /// Whether two values are equal.
    Eq,
    /// Whether two values differ.
    Ne,
    /// Whether the first value is less than the second. Texts compare by their bytes.
    Lt,
    /// Whether the first value is at most the second.
    Lte,
    /// Whether the first value is greater than the second.
    Gt,
    /// Whether the first value is at least the second.
    Gte,
    /// Whether the first text contains the second. This variant and the next two compare by bytes.
    Contains,
    /// Whether the first text begins with the second.
    Prefix,
    /// Whether the first text ends with the second.
    Suffix,
    /// Whether all operands are true.
    And,
    /// Whether any operand is true.
    Or,
    /// Whether the operand is false.
    Not,
    /// The first operand that has a value.
    FirstOf,
    /// The number of characters of a text.
    Length,
    /// A text in lower case.
    Lower,
    /// A text in upper case.
    Upper,
    /// A text without white space at both ends.
    Trim,
    /// All operands, one after another, as one text. A number is written in decimal.
    Concat,
    /// Whether the operand passes a predicate.
    Test(Box<Predicate>),
    /// A part of a text that separators divide.
    Split(Box<Split>),
    /// A part of a text that a regular expression finds.
    Match(Box<Match>),
}

/// Which part of a divided text is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The text between two parts. An empty text divides nothing.
    pub on: String,
    /// The number of the part, from 0.
    pub part: u32,
}

/// Which part of a text a regular expression finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// The regular expression. It may match anywhere in the text. A dot matches line breaks too.
    pub regex: String,
    /// The number of the group whose text is meant. Group 0 is the whole match.
    pub group: u32,
}

/// The functions that have nothing but operands.
pub(in crate::pipeline::description) const PLAIN: [Function; 23] = [
    Function::Add,
    Function::Subtract,
    Function::Multiply,
    Function::Divide,
    Function::Remainder,
    Function::Eq,
    Function::Ne,
    Function::Lt,
    Function::Lte,
    Function::Gt,
    Function::Gte,
    Function::Contains,
    Function::Prefix,
    Function::Suffix,
    Function::And,
    Function::Or,
    Function::Not,
    Function::FirstOf,
    Function::Length,
    Function::Lower,
    Function::Upper,
    Function::Trim,
    Function::Concat,
];

impl Function {
    /// The word that plans use for the function.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "subtract",
            Self::Multiply => "multiply",
            Self::Divide => "divide",
            Self::Remainder => "remainder",
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Contains => "contains",
            Self::Prefix => "prefix",
            Self::Suffix => "suffix",
            Self::And => "and",
            Self::Or => "or",
            Self::Not => "not",
            Self::FirstOf => "first_of",
            Self::Length => "length",
            Self::Lower => "lower",
            Self::Upper => "upper",
            Self::Trim => "trim",
            Self::Concat => "concat",
            Self::Test(_) => "test",
            Self::Split(_) => "split",
            Self::Match(_) => "match",
        }
    }

    /// The possible numbers of operands.
    pub(crate) fn arity(&self) -> RangeInclusive<usize> {
        match self {
            Self::Not | Self::Length | Self::Lower | Self::Upper | Self::Trim => 1..=1,
            Self::Test(_) | Self::Split(_) | Self::Match(_) => 1..=1,
            Self::And | Self::Or => 1..=usize::MAX,
            Self::FirstOf | Self::Concat => 2..=usize::MAX,
            _ => 2..=2,
        }
    }
}

/// The operands of a function, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Operands(pub Vec<Key>);

impl Key {
    /// A function of keys. Names of columns among the operands are dropped.
    pub fn function(function: Function, operands: impl IntoIterator<Item = Self>) -> Self {
        Self::Function(function, Operands(operands.into_iter().map(Self::into_unnamed).collect()))
    }

    /// The sum of two numbers.
    pub fn add(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Add, [a.into(), b.into()])
    }

    /// The first number less the second.
    pub fn subtract(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Subtract, [a.into(), b.into()])
    }

    /// The product of two numbers.
    pub fn multiply(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Multiply, [a.into(), b.into()])
    }

    /// The first number divided by the second, rounded towards zero if both are whole.
    pub fn divide(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Divide, [a.into(), b.into()])
    }

    /// The remainder of the division, with the sign of the first number.
    pub fn remainder(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Remainder, [a.into(), b.into()])
    }

    /// Whether two values are equal.
    pub fn equal(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Eq, [a.into(), b.into()])
    }

    /// Whether two values differ.
    pub fn unequal(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Ne, [a.into(), b.into()])
    }

    /// Whether the first value is less than the second.
    pub fn less(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Lt, [a.into(), b.into()])
    }

    /// Whether the first value is at most the second.
    pub fn at_most(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Lte, [a.into(), b.into()])
    }

    /// Whether the first value is greater than the second.
    pub fn greater(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Gt, [a.into(), b.into()])
    }

    /// Whether the first value is at least the second.
    pub fn at_least(a: impl Into<Self>, b: impl Into<Self>) -> Self {
        Self::function(Function::Gte, [a.into(), b.into()])
    }

    /// Whether the first text contains the second.
    pub fn contains(text: impl Into<Self>, part: impl Into<Self>) -> Self {
        Self::function(Function::Contains, [text.into(), part.into()])
    }

    /// Whether the first text begins with the second.
    pub fn starts_with(text: impl Into<Self>, part: impl Into<Self>) -> Self {
        Self::function(Function::Prefix, [text.into(), part.into()])
    }

    /// Whether the first text ends with the second.
    pub fn ends_with(text: impl Into<Self>, part: impl Into<Self>) -> Self {
        Self::function(Function::Suffix, [text.into(), part.into()])
    }

    /// Whether all keys are true.
    pub fn and(keys: impl IntoIterator<Item = Self>) -> Self {
        Self::function(Function::And, keys)
    }

    /// Whether any key is true.
    pub fn or(keys: impl IntoIterator<Item = Self>) -> Self {
        Self::function(Function::Or, keys)
    }

    /// Whether a key is false.
    pub fn not(key: impl Into<Self>) -> Self {
        Self::function(Function::Not, [key.into()])
    }

    /// The first key that has a value.
    pub fn first_of(keys: impl IntoIterator<Item = Self>) -> Self {
        Self::function(Function::FirstOf, keys)
    }

    /// The number of characters of a text.
    pub fn length(key: impl Into<Self>) -> Self {
        Self::function(Function::Length, [key.into()])
    }

    /// A text in lower case.
    pub fn lower(key: impl Into<Self>) -> Self {
        Self::function(Function::Lower, [key.into()])
    }

    /// A text in upper case.
    pub fn upper(key: impl Into<Self>) -> Self {
        Self::function(Function::Upper, [key.into()])
    }

    /// A text without white space at both ends.
    pub fn trim(key: impl Into<Self>) -> Self {
        Self::function(Function::Trim, [key.into()])
    }

    /// All keys, one after another, as one text. A number is written in decimal.
    pub fn concat(keys: impl IntoIterator<Item = Self>) -> Self {
        Self::function(Function::Concat, keys)
    }

    /// Whether a key passes a predicate.
    pub fn test(key: impl Into<Self>, is: Predicate) -> Self {
        Self::function(Function::Test(Box::new(is)), [key.into()])
    }

    /// The part with this number, from 0, of a text that is divided at each `on`: nothing if there are fewer
    /// parts.
    pub fn split(key: impl Into<Self>, on: &str, part: u32) -> Self {
        Self::function(Function::Split(Box::new(Split { on: on.to_owned(), part })), [key.into()])
    }

    /// The text that a group of a regular expression matches at the expression's first match in a text:
    /// nothing if there is no match. Group 0 is the whole match.
    pub fn matched(key: impl Into<Self>, regex: &str, group: u32) -> Self {
        Self::function(Function::Match(Box::new(Match { regex: regex.to_owned(), group })), [key.into()])
    }
}
