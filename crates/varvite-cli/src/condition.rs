//! `PROPERTY=VALUE`: what the value means by the type of the property, and the nodes for which it holds.

use std::ops::ControlFlow;

use varvite::{Graph, LabelNodes, Property, Value, ValueType};

use crate::failure::Failure;

/// How many values a column is searched in the time that one node takes to be looked at alone.
const VALUES_FOR_A_NODE: usize = 128;

/// A property, and the value that it must have; one among its values, if it has a list.
#[derive(Debug)]
pub(crate) struct Condition {
    property: Property,
    wanted: Wanted,
}

#[derive(Debug)]
enum Wanted {
    /// A number as columns hold it: of an integer, a truth value, a text's code, a node.
    Number(i64),
    Float(f64),
    /// In hexadecimal, which is how bytes are shown.
    Bytes(String),
    /// A text that the graph does not have.
    Nothing,
}

impl Condition {
    /// Reads `PROPERTY=VALUE`.
    pub(crate) fn parse(graph: &Graph, words: &str) -> Result<Self, Failure> {
        let Some((name, value)) = words.split_once('=') else {
            return Err(Failure::Usage(format!("{words:?} is no condition: write PROPERTY=VALUE")));
        };
        let property = graph.property(name)?;
        let expected = property.value_type().name();
        let wanted = Wanted::parse(&property, value).ok_or_else(|| {
            Failure::Usage(format!("property {name} holds {expected}, and {value:?} is none"))
        })?;
        Ok(Self { property, wanted })
    }

    /// The condition that a property of texts is `text`.
    pub(crate) fn text(property: Property, text: &str) -> Self {
        let wanted = Wanted::text(&property, text);
        Self { property, wanted }
    }

    /// Whether it holds for a node.
    fn holds(&self, node: u32) -> bool {
        match &self.wanted {
            Wanted::Number(number) => self.property.numbers(node).any(|found| found == *number),
            Wanted::Float(number) => self.property.all(node).any(|found| float_of(found) == Some(*number)),
            Wanted::Bytes(bytes) => self.property.all(node).any(|found| found.to_string() == *bytes),
            Wanted::Nothing => false,
        }
    }
}

impl Wanted {
    /// What `value` means for a property; none if it can't be a value of it.
    fn parse(property: &Property, value: &str) -> Option<Self> {
        Some(match property.value_type() {
            ValueType::Bool => Self::Number(i64::from(value.parse::<bool>().ok()?)),
            ValueType::I8 | ValueType::I16 | ValueType::I32 | ValueType::I64 => {
                Self::Number(value.parse().ok()?)
            }
            ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64 => {
                // Columns hold unsigned numbers of 64 bits in the bits of signed ones.
                Self::Number(value.parse::<u64>().ok()? as i64)
            }
            ValueType::F32 => Self::Float(f64::from(value.parse::<f32>().ok()?)),
            ValueType::F64 => Self::Float(value.parse().ok()?),
            ValueType::String => Self::text(property, value),
            ValueType::Bytes => Self::Bytes(value.to_lowercase()),
            ValueType::Ref => Self::Number(i64::from(value.trim_start_matches('#').parse::<u32>().ok()?)),
        })
    }

    /// The code of a text: looked up once, so that nodes are compared by number.
    fn text(property: &Property, text: &str) -> Self {
        let code = property.strings().and_then(|strings| strings.find(text));
        code.map_or(Self::Nothing, |code| Self::Number(i64::from(code)))
    }
}

/// The first `limit` nodes for which all conditions hold, rising.
///
/// The rarest of the columns to be searched gives the candidates, unless the nodes are so few that looking at each
/// is faster.
pub(crate) fn matching<'a>(
    nodes: &'a LabelNodes,
    conditions: &'a [Condition],
    limit: usize,
) -> Box<dyn Iterator<Item = u32> + 'a> {
    let all_hold = move |node: &u32| conditions.iter().all(|condition| condition.holds(*node));
    match cheapest_search(nodes, conditions) {
        None => Box::new(nodes.iter().filter(all_hold).take(limit)),
        Some((property, number)) => {
            let mut found = Vec::new();
            property.find_number(number, |node| {
                // A list may hold the number more than once; its owner is one node.
                if found.last() != Some(&node) && nodes.contains(node) && all_hold(&node) {
                    found.push(node);
                }
                if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            Box::new(found.into_iter().take(limit))
        }
    }
}

/// The column to search, and for which number; none if looking at each node is cheaper.
fn cheapest_search<'a>(nodes: &LabelNodes, conditions: &'a [Condition]) -> Option<(&'a Property, i64)> {
    let searches = conditions.iter().filter_map(|condition| match condition.wanted {
        Wanted::Number(number) => Some((&condition.property, number)),
        _ => None,
    });
    let (property, number) = searches.min_by_key(|(property, _)| property.value_count())?;
    let is_cheaper = property.value_count() / VALUES_FOR_A_NODE <= nodes.len() as usize;
    is_cheaper.then_some((property, number))
}

fn float_of(value: Value<'_>) -> Option<f64> {
    match value {
        Value::F32(value) => Some(f64::from(value)),
        Value::F64(value) => Some(value),
        _ => None,
    }
}
