//! [`Condition`]: parses conditions such as `PROPERTY=VALUE` into predicates of a pipeline.
//!
//! This module only parses a condition; the type of the property decides how the value is parsed. The engine
//! finds the nodes, and refuses values that can't be compared.

use varvite::pipeline::{Literal, Pipeline, Predicate};
use varvite::{Graph, PropertyInfo, ValueType};

use crate::error::{Result, ShowError};

/// A comparison of a property's value with a given value.
type Comparison = fn(Literal) -> Predicate;

/// The operators between a property and a value. If an operator is a prefix of another, the longer one comes
/// first.
const SIGNS: [(&str, Comparison); 6] = [
    ("!=", Predicate::Ne),
    (">=", Predicate::Gte),
    ("<=", Predicate::Lte),
    ("=", Predicate::Eq),
    (">", Predicate::Gt),
    ("<", Predicate::Lt),
];
/// The operator before a regular expression.
const MATCHES: char = '~';
/// The first characters of operators.
const FIRST: [char; 5] = ['=', '!', MATCHES, '<', '>'];

/// A property, and a condition on its value.
#[derive(Debug)]
pub struct Condition {
    property: String,
    is: Predicate,
}

impl Condition {
    /// Parses `PROPERTY=VALUE`, or a condition with one of `!=`, `~` (a regular expression), `<`, `<=`, `>`,
    /// `>=` in place of `=`. The type of the property decides how the value is parsed.
    ///
    /// # Errors
    /// [`ShowError::NoCondition`], [`ShowError::DoubleEquals`], [`ShowError::WrongValue`]; and, if the graph
    /// has no such property, [`GraphError::Unknown`](varvite::GraphError::Unknown).
    pub fn parse(graph: &Graph, words: &str) -> Result<Self> {
        let no_condition = || ShowError::NoCondition { words: words.to_owned() };
        let (property, rest) = words.split_at(words.find(FIRST).ok_or_else(no_condition)?);
        let info = &graph.properties()[graph.property_id(property)?.index()];
        if let Some(value) = rest.strip_prefix("==") {
            let [words, property, value] = [words, property, value].map(str::to_owned);
            return Err(ShowError::DoubleEquals { words, property, value });
        }
        let is = match rest.strip_prefix(MATCHES) {
            Some(pattern) => Predicate::Regex(pattern.to_owned()),
            None => {
                let sign = SIGNS.iter().find_map(|(sign, is)| Some((rest.strip_prefix(sign)?, is)));
                let (value, is) = sign.ok_or_else(no_condition)?;
                is(literal(info, value)?)
            }
        };
        Ok(Self { property: property.to_owned(), is })
    }

    /// Appends this condition to a pipeline.
    pub fn asked_of(self, pipeline: Pipeline) -> Pipeline {
        pipeline.has(&self.property, self.is)
    }
}

/// Parses `value` according to the type of a property.
fn literal(info: &PropertyInfo, value: &str) -> Result<Literal> {
    let read = match info.value_type {
        ValueType::Bool => value.parse().ok().map(Literal::Bool),
        ValueType::F32 | ValueType::F64 => value.parse().ok().map(Literal::Float),
        ValueType::String | ValueType::Bytes => Some(value.into()),
        ValueType::Ref => value.trim_start_matches('#').parse::<u32>().ok().map(Literal::from),
        _ => whole(value),
    };
    read.ok_or_else(|| ShowError::WrongValue {
        property: info.name.clone(),
        value_type: info.value_type,
        value: value.to_owned(),
    })
}

fn whole(value: &str) -> Option<Literal> {
    let signed = value.parse().ok().map(Literal::Int);
    signed.or_else(|| value.parse().ok().map(Literal::Uint))
}
