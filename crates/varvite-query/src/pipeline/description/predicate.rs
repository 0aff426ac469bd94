//! [`Predicate`]: a test of one value, the leaf of every condition, in its public form.
//!
//! A predicate does not depend on a graph. The compiler of pipelines checks that the predicate fits the
//! property's type, and translates it to a test.

use serde::Serialize;
use serde_json::Value as Json;

use super::fields::{Field, Fields, only_field};
use crate::pipeline::error::Result;
use crate::pipeline::fault::Operand;

/// Every word that names a predicate in a plan.
pub const PREDICATES: [&str; 15] = [
    "eq", "ne", "one_of", "none_of", "lt", "lte", "gt", "gte", "between", "inside", "outside", "prefix",
    "suffix", "contains", "regex",
];

/// A condition on one value.
///
/// In a plan, a predicate is an object with one field: `{"eq": "memcpy"}`, `{"between": [1, 10]}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Predicate {
    /// Equal to the value.
    Eq(Literal),
    /// Not equal to the value.
    Ne(Literal),
    /// Equal to one of the values.
    OneOf(Vec<Literal>),
    /// Equal to none of the values.
    NoneOf(Vec<Literal>),
    /// Less than the value. This variant and those up to `Outside` are only for numbers.
    Lt(Literal),
    /// Less than or equal to the value.
    Lte(Literal),
    /// Greater than the value.
    Gt(Literal),
    /// Greater than or equal to the value.
    Gte(Literal),
    /// At least the first value and less than the second.
    Between([Literal; 2]),
    /// Greater than the first value and less than the second.
    Inside([Literal; 2]),
    /// Less than the first value or greater than the second.
    Outside([Literal; 2]),
    /// Begins with a text. This variant and those up to `Regex` are only for texts.
    Prefix(String),
    /// Ends with a text.
    Suffix(String),
    /// Contains a text.
    Contains(String),
    /// The whole text matches a regular expression. A dot matches line breaks too.
    Regex(String),
}

impl Predicate {
    /// The word that plans use for the predicate.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Eq(_) => "eq",
            Self::Ne(_) => "ne",
            Self::OneOf(_) => "one_of",
            Self::NoneOf(_) => "none_of",
            Self::Lt(_) => "lt",
            Self::Lte(_) => "lte",
            Self::Gt(_) => "gt",
            Self::Gte(_) => "gte",
            Self::Between(_) => "between",
            Self::Inside(_) => "inside",
            Self::Outside(_) => "outside",
            Self::Prefix(_) => "prefix",
            Self::Suffix(_) => "suffix",
            Self::Contains(_) => "contains",
            Self::Regex(_) => "regex",
        }
    }
}

impl Field for Predicate {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let expected = "a predicate, an object with one field such as {\"eq\": 1}";
        let json = f.need(field, expected)?;
        let (name, value) = only_field(&json).ok_or_else(|| f.wrong(field, expected, &json))?;
        let text = || match value {
            Json::String(text) => Ok(text.clone()),
            other => Err(f.wrong(name, "a text", other)),
        };
        Ok(match name {
            "eq" => Self::Eq(literal(f, name, value)?),
            "ne" => Self::Ne(literal(f, name, value)?),
            "one_of" => Self::OneOf(literals(f, name, value)?),
            "none_of" => Self::NoneOf(literals(f, name, value)?),
            "lt" => Self::Lt(literal(f, name, value)?),
            "lte" => Self::Lte(literal(f, name, value)?),
            "gt" => Self::Gt(literal(f, name, value)?),
            "gte" => Self::Gte(literal(f, name, value)?),
            "between" => Self::Between(pair_of(f, name, value)?),
            "inside" => Self::Inside(pair_of(f, name, value)?),
            "outside" => Self::Outside(pair_of(f, name, value)?),
            "prefix" => Self::Prefix(text()?),
            "suffix" => Self::Suffix(text()?),
            "contains" => Self::Contains(text()?),
            "regex" => Self::Regex(text()?),
            other => {
                let known = PREDICATES.join(", ");
                return Err(f.says(format!("unknown predicate {other:?}: predicates are {known}")));
            }
        })
    }
}

pub(super) fn literal(f: &Fields, name: &str, json: &Json) -> Result<Literal> {
    let number = || json.as_i64().map(Literal::Int).or_else(|| json.as_u64().map(Literal::Uint));
    let literal = match json {
        Json::Bool(value) => Some(Literal::Bool(*value)),
        Json::String(text) => Some(Literal::Text(text.clone())),
        Json::Number(_) => number().or_else(|| json.as_f64().map(Literal::Float)),
        _ => None,
    };
    literal.ok_or_else(|| f.wrong(name, "a text, a number, true or false", json))
}

fn literals(f: &Fields, name: &str, json: &Json) -> Result<Vec<Literal>> {
    match json.as_array() {
        Some(list) if list.is_empty() => Err(f.says(format!("the field {name:?} is an empty list"))),
        Some(list) => list.iter().map(|json| literal(f, name, json)).collect(),
        None => Err(f.wrong(name, "a list of values", json)),
    }
}

fn pair_of(f: &Fields, name: &str, json: &Json) -> Result<[Literal; 2]> {
    match json.as_array().map(Vec::as_slice) {
        Some([low, high]) => Ok([literal(f, name, low)?, literal(f, name, high)?]),
        _ => Err(f.wrong(name, "a list of two numbers", json)),
    }
}

/// A constant in a plan, with which values are compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Literal {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number that is too large for `i64`.
    Uint(u64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(String),
}

/// The form of a literal in a plan.
pub(super) fn literal_json(literal: &Literal) -> Json {
    match literal {
        Literal::Bool(value) => Json::from(*value),
        Literal::Int(number) => Json::from(*number),
        Literal::Uint(number) => Json::from(*number),
        Literal::Float(number) => Json::from(*number),
        Literal::Text(text) => Json::from(text.as_str()),
    }
}

impl Literal {
    /// The kind of the literal, as errors name it.
    pub fn kind(&self) -> Operand {
        match self {
            Self::Bool(_) => Operand::Truth,
            Self::Int(_) | Self::Uint(_) => Operand::Whole,
            Self::Float(_) => Operand::Fraction,
            Self::Text(_) => Operand::Text,
        }
    }
}

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i32> for Literal {
    fn from(value: i32) -> Self {
        Self::Int(value.into())
    }
}

impl From<u32> for Literal {
    fn from(value: u32) -> Self {
        Self::Int(value.into())
    }
}

impl From<i64> for Literal {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u64> for Literal {
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or(Self::Uint(value), Self::Int)
    }
}

impl From<f64> for Literal {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&str> for Literal {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Literal {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

/// Accepts values equal to `value`.
pub fn eq(value: impl Into<Literal>) -> Predicate {
    Predicate::Eq(value.into())
}

/// Accepts values not equal to `value`.
pub fn ne(value: impl Into<Literal>) -> Predicate {
    Predicate::Ne(value.into())
}

/// Accepts values equal to one of `values`.
pub fn one_of<T: Into<Literal>>(values: impl IntoIterator<Item = T>) -> Predicate {
    Predicate::OneOf(values.into_iter().map(Into::into).collect())
}

/// Accepts values equal to none of `values`.
pub fn none_of<T: Into<Literal>>(values: impl IntoIterator<Item = T>) -> Predicate {
    Predicate::NoneOf(values.into_iter().map(Into::into).collect())
}

/// Accepts numbers less than `value`.
pub fn lt(value: impl Into<Literal>) -> Predicate {
    Predicate::Lt(value.into())
}

/// Accepts numbers that are at most `value`.
pub fn lte(value: impl Into<Literal>) -> Predicate {
    Predicate::Lte(value.into())
}

/// Accepts numbers greater than `value`.
pub fn gt(value: impl Into<Literal>) -> Predicate {
    Predicate::Gt(value.into())
}

/// Accepts numbers that are at least `value`.
pub fn gte(value: impl Into<Literal>) -> Predicate {
    Predicate::Gte(value.into())
}

/// Accepts numbers that are at least `low` and less than `high`.
pub fn between(low: impl Into<Literal>, high: impl Into<Literal>) -> Predicate {
    Predicate::Between([low.into(), high.into()])
}

/// Accepts numbers greater than `low` and less than `high`.
pub fn inside(low: impl Into<Literal>, high: impl Into<Literal>) -> Predicate {
    Predicate::Inside([low.into(), high.into()])
}

/// Accepts numbers less than `low` or greater than `high`.
pub fn outside(low: impl Into<Literal>, high: impl Into<Literal>) -> Predicate {
    Predicate::Outside([low.into(), high.into()])
}

/// Accepts texts that begin with `text`.
pub fn prefix(text: impl Into<String>) -> Predicate {
    Predicate::Prefix(text.into())
}

/// Accepts texts that end with `text`.
pub fn suffix(text: impl Into<String>) -> Predicate {
    Predicate::Suffix(text.into())
}

/// Accepts texts that contain `text`.
pub fn contains(text: impl Into<String>) -> Predicate {
    Predicate::Contains(text.into())
}

/// Accepts texts that match a regular expression as a whole. A dot matches line breaks too.
pub fn regex(pattern: impl Into<String>) -> Predicate {
    Predicate::Regex(pattern.into())
}
