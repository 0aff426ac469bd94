//! Filters: steps that keep nodes by a property, and the steps that keep rows by a key.

use varvite::pipeline::{
    Function, Key, Literal, Operands, Pipeline, Predicate, Step, eq, gt, gte, it, lt, lte, ne, one_of,
};

use super::Translator;
use super::links::Link;
use super::patterns::text_test;
use super::value::{Rows, Scalar, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::names::{Default, Presence, Property, ValueKind, find_property};
use crate::syntax::Span;

/// The end of a filter's name, which says how it compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Matches,
    Exactly,
    Not,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
}

/// The endings of filters' names. Longer ones precede those with which they end.
const ENDINGS: [(&str, Comparison); 6] = [
    ("Exact", Comparison::Exactly),
    ("Not", Comparison::Not),
    ("Gte", Comparison::GreaterOrEqual),
    ("Lte", Comparison::LessOrEqual),
    ("Gt", Comparison::Greater),
    ("Lt", Comparison::Less),
];

/// The property and comparison of a filter's name.
pub(super) fn find_filter(name: &str) -> Option<(&'static Property, Comparison)> {
    if let Some(property) = find_property(name) {
        return Some((property, Comparison::Matches));
    }
    ENDINGS.iter().find_map(|(ending, comparison)| {
        let property = find_property(name.strip_suffix(ending)?)?;
        Some((property, *comparison))
    })
}

/// Keeps the rows of nodes whose text matches one of the patterns.
pub(super) fn filtered(base: Pipeline, property: &str, patterns: &[(String, Span)]) -> Result<Pipeline> {
    let found = crate::names::PROPERTIES.iter().find(|known| known.name == property);
    match found {
        Some(_) if patterns.is_empty() => Ok(base.limit(0)),
        Some(property) => Ok(keep_matching(base, property, text_test(patterns)?)),
        None => Ok(base),
    }
}

impl Translator {
    /// Keeps the rows of a filter step, such as `name("a")` or `lineNumberGt(5)`.
    pub(super) fn property_filter(
        &mut self,
        rows: Rows,
        property: &'static Property,
        comparison: Comparison,
        link: &Link<'_>,
    ) -> Result<Value> {
        let (is_start, rows) = (rows.is_start, self.of_nodes(rows, link)?);
        let base = match property.kind {
            ValueKind::Text => self.text_filter(&rows, property, comparison, link, is_start)?,
            ValueKind::Integer | ValueKind::Boolean => {
                self.number_filter(&rows, property, comparison, link)?
            }
        };
        Ok(Value::Rows(Rows { base, is_start: false, ..rows }))
    }

    fn text_filter(
        &mut self,
        rows: &Rows,
        property: &Property,
        comparison: Comparison,
        link: &Link<'_>,
        is_start: bool,
    ) -> Result<Pipeline> {
        let base = rows.base.clone();
        if comparison == Comparison::Exactly {
            return self.exact_filter(rows, property, link, is_start);
        }
        let patterns = self.texts(link)?;
        match comparison {
            Comparison::Matches if patterns.is_empty() => Ok(base.limit(0)),
            Comparison::Matches => Ok(keep_matching(base, property, text_test(&patterns)?)),
            Comparison::Not if patterns.is_empty() => Ok(base),
            Comparison::Not => Ok(drop_matching(base, property, text_test(&patterns)?)),
            _ => Err(TextError::new(
                link.span(),
                Reason::Type,
                format!("{} is a text, not a number", property.name),
            )),
        }
    }

    /// Keeps nodes with exactly one of some texts. At the start of a query, Joern looks every text up for
    /// itself, so that nodes come text by text.
    fn exact_filter(
        &mut self,
        rows: &Rows,
        property: &Property,
        link: &Link<'_>,
        is_start: bool,
    ) -> Result<Pipeline> {
        let base = rows.base.clone();
        let mut texts = Vec::new();
        for argument in link.list() {
            match self.value(argument)? {
                Value::Scalar(scalar) if scalar.literal().is_none() && link.list().len() == 1 => {
                    return Ok(base.filter(self.equals_property(rows, property, &scalar)?));
                }
                value => texts.extend(value.into_texts(argument.span)?),
            }
        }
        let texts: Vec<String> = texts.into_iter().map(|(text, _)| text).collect();
        match texts.as_slice() {
            [] => Ok(base.limit(0)),
            [text] => Ok(keep_matching(base, property, eq(text.as_str()))),
            several if is_start => Ok(text_by_text(base, property, several)),
            several => Ok(keep_matching(base, property, one_of(several.to_vec()))),
        }
    }

    /// Whether a property of the rows' nodes equals a value that is computed for each row.
    fn equals_property(&mut self, rows: &Rows, property: &Property, scalar: &Scalar) -> Result<Key> {
        self.inside(rows, |translator| {
            let stored = scalar_of(rows.scope, property);
            Ok(Key::equal(translator.key_here(&stored), translator.key_here(scalar)))
        })
    }

    fn number_filter(
        &mut self,
        rows: &Rows,
        property: &Property,
        comparison: Comparison,
        link: &Link<'_>,
    ) -> Result<Pipeline> {
        let base = rows.base.clone();
        let mut literals = Vec::new();
        for argument in link.list() {
            match self.value(argument)? {
                Value::Scalar(scalar) if scalar.literal().is_some() => {
                    literals.extend(scalar.literal().cloned())
                }
                Value::Scalar(scalar) if comparison == Comparison::Matches => {
                    return Ok(base.filter(self.equals_property(rows, property, &scalar)?));
                }
                other => {
                    let message = format!("{} takes numbers, not {}", link.text(), other.words());
                    return Err(TextError::new(argument.span, Reason::Type, message));
                }
            }
        }
        let wrong = || {
            let message = format!("{} takes one number", link.text());
            TextError::new(link.span(), Reason::Type, message)
        };
        let one = || literals.first().filter(|_| literals.len() == 1).cloned().ok_or_else(wrong);
        Ok(match comparison {
            Comparison::Matches | Comparison::Exactly if literals.is_empty() => base.limit(0),
            Comparison::Matches | Comparison::Exactly => match literals.as_slice() {
                [literal] => keep_matching(base, property, Predicate::Eq(literal.clone())),
                literals => keep_matching(base, property, one_of(literals.to_vec())),
            },
            Comparison::Not => drop_matching(base, property, one_of(literals)),
            Comparison::Greater => keep_matching(base, property, Predicate::Gt(one()?)),
            Comparison::GreaterOrEqual => keep_matching(base, property, Predicate::Gte(one()?)),
            Comparison::Less => keep_matching(base, property, Predicate::Lt(one()?)),
            Comparison::LessOrEqual => keep_matching(base, property, Predicate::Lte(one()?)),
        })
    }
}

fn text_by_text(base: Pipeline, property: &Property, texts: &[String]) -> Pipeline {
    // A pipeline cannot begin several times, so nodes are sorted by the place of their text in the list: the
    // rows of one text keep their order, and a text that is listed twice gives its nodes twice.
    let mut distinct: Vec<&String> = Vec::new();
    texts.iter().for_each(|text| {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    });
    let kept = keep_matching(base, property, one_of(distinct.iter().map(|text| text.as_str())));
    match distinct.len() == texts.len() {
        true => kept,
        false => {
            let copies = texts.iter().map(|text| it().has(property.name, eq(text.as_str())));
            kept.union(copies)
        }
    }
}

/// Keeps nodes whose value passes a test. A node without a value has the property's default.
pub(super) fn keep_matching(base: Pipeline, property: &Property, test: Predicate) -> Pipeline {
    match default_of(property).is_some_and(|default| passes(&test, &default)) {
        true => base.or([it().has(property.name, test), it().has_none(property.name)]),
        false => base.has(property.name, test),
    }
}

/// Drops nodes whose value passes a test. A node without a value has the property's default.
pub(super) fn drop_matching(base: Pipeline, property: &Property, test: Predicate) -> Pipeline {
    match default_of(property).is_some_and(|default| passes(&test, &default)) {
        true => base.has_any(property.name).has_not(property.name, test),
        false => base.has_not(property.name, test),
    }
}

/// The value that stands for an absent one.
pub(super) fn default_of(property: &Property) -> Option<Literal> {
    match property.presence {
        Presence::Default(Default::Text(text)) => Some(text.into()),
        Presence::Default(Default::Integer(number)) => Some(number.into()),
        Presence::Default(Default::Boolean(value)) => Some(value.into()),
        Presence::Optional | Presence::List => None,
    }
}

/// The property of a scope's row, as a scalar.
pub(super) fn scalar_of(scope: super::value::Scope, property: &Property) -> Scalar {
    let holds = match property.kind {
        ValueKind::Text => Type::Text,
        ValueKind::Integer => Type::Integer,
        ValueKind::Boolean => Type::Boolean,
    };
    let stored = Key::Property(property.name.to_owned());
    match default_of(property) {
        Some(default) => Scalar::of(scope, Key::first_of([stored, Key::Constant(default)]), holds),
        None => Scalar::of(scope, stored, holds).optional(),
    }
}

/// Whether a constant passes a test.
fn passes(test: &Predicate, value: &Literal) -> bool {
    let number = |literal: &Literal| match literal {
        Literal::Int(number) => Some(*number as f64),
        Literal::Uint(number) => Some(*number as f64),
        Literal::Float(number) => Some(*number),
        _ => None,
    };
    let compare = |bound: &Literal| Some(number(value)?.total_cmp(&number(bound)?));
    let text = match value {
        Literal::Text(text) => text.as_str(),
        _ => {
            return match test {
                Predicate::Eq(bound) => compare(bound).map_or(bound == value, |order| order.is_eq()),
                Predicate::Ne(bound) => compare(bound).map_or(bound != value, |order| order.is_ne()),
                Predicate::OneOf(list) => list.contains(value),
                Predicate::NoneOf(list) => !list.contains(value),
                Predicate::Lt(bound) => compare(bound).is_some_and(|order| order.is_lt()),
                Predicate::Lte(bound) => compare(bound).is_some_and(|order| order.is_le()),
                Predicate::Gt(bound) => compare(bound).is_some_and(|order| order.is_gt()),
                Predicate::Gte(bound) => compare(bound).is_some_and(|order| order.is_ge()),
                _ => false,
            };
        }
    };
    match test {
        Predicate::Eq(bound) => bound == value,
        Predicate::Ne(bound) => bound != value,
        Predicate::OneOf(list) => list.contains(value),
        Predicate::NoneOf(list) => !list.contains(value),
        Predicate::Prefix(part) => text.starts_with(part),
        Predicate::Suffix(part) => text.ends_with(part),
        Predicate::Contains(part) => text.contains(part),
        Predicate::Regex(pattern) => {
            let whole = regex::Regex::new(&format!("^(?s:{pattern})$"));
            whole.is_ok_and(|whole| whole.is_match(text))
        }
        _ => false,
    }
}

/// Keeps the rows for which a key is true, by the engine's own filters where they say the same.
pub(super) fn keep(base: Pipeline, key: Key) -> Pipeline {
    match key {
        Key::Constant(Literal::Bool(true)) => base,
        Key::Exists(steps) => base.where_(pipeline_of(&steps.0)),
        Key::Function(Function::And, operands) => operands.0.iter().cloned().fold(base, keep),
        Key::Function(function, operands) => keep_by(base, function, operands),
        key => base.filter(key),
    }
}

fn keep_by(base: Pipeline, function: Function, operands: Operands) -> Pipeline {
    let mut keys = operands.0.clone();
    match (&function, keys.as_slice()) {
        (Function::Not, [Key::Exists(_)]) => match keys.pop() {
            Some(Key::Exists(steps)) => base.where_not(pipeline_of(&steps.0)),
            _ => base,
        },
        (Function::Not, [inner]) => match property_test(inner) {
            Some((property, test)) => drop_matching(base, property, test),
            None => base.filter(Key::Function(function, Operands(keys))),
        },
        _ => {
            let key = Key::Function(function, Operands(keys));
            match (property_test(&key), count_test(&key)) {
                (Some((property, test)), _) => keep_matching(base, property, test),
                (None, Some((counted, test))) => base.where_(counted.is(test)),
                (None, None) => base.filter(key),
            }
        }
    }
}

/// The property and test of a key that compares a property with a constant.
fn property_test(key: &Key) -> Option<(&'static Property, Predicate)> {
    if let Some(property) = stored_property(key) {
        return (property.kind == ValueKind::Boolean).then(|| (property, eq(true)));
    }
    let Key::Function(function, operands) = key else { return None };
    match (function, operands.0.as_slice()) {
        (Function::Test(test), [key]) => Some((stored_property(key)?, (**test).clone())),
        (function, [key, Key::Constant(literal)]) => {
            let property = stored_property(key)?;
            // A comparison of an Option with a constant keeps no row without a value, as `has` does.
            Some((property, comparison_of(function, literal)?))
        }
        _ => None,
    }
}

/// The pipeline and test of a key that compares a count with a constant.
fn count_test(key: &Key) -> Option<(Pipeline, Predicate)> {
    let Key::Function(function, operands) = key else { return None };
    let [Key::First(steps), Key::Constant(literal)] = operands.0.as_slice() else { return None };
    let is_count = matches!(steps.0.last(), Some(Step::Count { .. }));
    is_count.then_some(())?;
    Some((pipeline_of(&steps.0), comparison_of(function, literal)?))
}

fn comparison_of(function: &Function, literal: &Literal) -> Option<Predicate> {
    let is_number = !matches!(literal, Literal::Text(_) | Literal::Bool(_));
    Some(match function {
        Function::Eq => eq(literal.clone()),
        Function::Ne => ne(literal.clone()),
        Function::Lt if is_number => lt(literal.clone()),
        Function::Lte if is_number => lte(literal.clone()),
        Function::Gt if is_number => gt(literal.clone()),
        Function::Gte if is_number => gte(literal.clone()),
        _ => return None,
    })
}

/// The property that a key reads, with its default for absent values.
fn stored_property(key: &Key) -> Option<&'static Property> {
    let name = match key {
        Key::Property(name) => name,
        Key::Function(Function::FirstOf, operands) => match operands.0.as_slice() {
            [Key::Property(name), Key::Constant(_)] => name,
            _ => return None,
        },
        _ => return None,
    };
    crate::names::PROPERTIES.iter().find(|property| property.name == *name)
}

/// A pipeline of steps.
pub(super) fn pipeline_of(steps: &[Step]) -> Pipeline {
    steps.iter().cloned().fold(Pipeline::default(), Pipeline::then)
}

/// The opposite of a truth value.
pub(super) fn negated(key: Key) -> Key {
    match key {
        Key::Constant(Literal::Bool(value)) => Key::constant(!value),
        key => Key::not(key),
    }
}
