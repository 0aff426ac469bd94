//! `PROPERTY=VALUE` and its like: conditions in the words of the command line, as predicates of a pipeline.
//!
//! Here words get their meaning by the type of the property, and no more: how nodes are found, and what can't be
//! compared, is for the engine.

use varvite::pipeline::{Literal, Pipeline, Predicate};
use varvite::{Graph, PropertyInfo, ValueType};

use crate::failure::Failure;

/// How a value of the graph is compared with one of the command line.
type Comparison = fn(Literal) -> Predicate;

/// The signs between a property and a value; of two that begin alike, the longer one first.
const SIGNS: [(&str, Comparison); 6] = [
    ("!=", Predicate::Ne),
    (">=", Predicate::Gte),
    ("<=", Predicate::Lte),
    ("=", Predicate::Eq),
    (">", Predicate::Gt),
    ("<", Predicate::Lt),
];
/// The sign before a regular expression.
const MATCHES: char = '~';
/// What a sign may begin with.
const FIRST: [char; 5] = ['=', '!', MATCHES, '<', '>'];

/// A property, and what one of its values must be like.
#[derive(Debug)]
pub(crate) struct Condition {
    property: String,
    is: Predicate,
}

impl Condition {
    /// Reads `PROPERTY=VALUE`, with any of the signs.
    pub(crate) fn parse(graph: &Graph, words: &str) -> Result<Self, Failure> {
        let no_condition = || {
            let forms = "PROPERTY=VALUE, or != ~ < <= > >= in place of =";
            Failure::Usage(format!("{words:?} is no condition: write {forms}"))
        };
        let (property, rest) = words.split_at(words.find(FIRST).ok_or_else(no_condition)?);
        let info = &graph.properties()[graph.property_id(property)?.index()];
        if let Some(value) = rest.strip_prefix("==") {
            let hint = format!("write {property}={value}; for a value that begins with =, {property}~=.*");
            return Err(Failure::Usage(format!("{words:?} is no condition: {hint}")));
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

    /// The pipeline with this condition at its end.
    pub(crate) fn asked_of(self, pipeline: Pipeline) -> Pipeline {
        pipeline.has(&self.property, self.is)
    }
}

/// What `value` means by the type of a property.
fn literal(info: &PropertyInfo, value: &str) -> Result<Literal, Failure> {
    let read = match info.value_type {
        ValueType::Bool => value.parse().ok().map(Literal::Bool),
        ValueType::F32 | ValueType::F64 => value.parse().ok().map(Literal::Float),
        ValueType::String | ValueType::Bytes => Some(value.into()),
        ValueType::Ref => value.trim_start_matches('#').parse::<u32>().ok().map(Literal::from),
        _ => whole(value),
    };
    read.ok_or_else(|| {
        let holds = info.value_type.name();
        Failure::Usage(format!("property {} holds {holds}, and {value:?} is none", info.name))
    })
}

fn whole(value: &str) -> Option<Literal> {
    let signed = value.parse().ok().map(Literal::Int);
    signed.or_else(|| value.parse().ok().map(Literal::Uint))
}
