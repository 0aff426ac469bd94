//! Sorting, grouping and sums of rows.

use varvite::pipeline::{Function, Key, Pipeline, it};

use super::Translator;
use super::links::Link;
use super::value::{Node, Part, Rows, Scalar, Scope, Total, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::names::Kinds;

impl Translator {
    pub(super) fn sort_by(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let value = self.applied(&rows, link)?;
        let keys = match value {
            Value::Parts(parts) => parts.into_iter().map(|part| part.value).collect(),
            value => vec![value],
        };
        let mut sorted = rows.clone();
        for value in keys.iter().rev() {
            let key = self.inside(&rows, |translator| translator.key_of(value, link.span()))?;
            let (key, is_descending) = ascending(key);
            sorted = sorted.then(|base| order(base, key, is_descending));
        }
        Ok(Value::Rows(Rows { is_list: true, ..sorted }))
    }

    pub(super) fn summary(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let holds = match &*rows.item {
            Value::Scalar(scalar) if scalar.holds.is_number() => scalar.holds,
            item => {
                let message = format!("{} takes numbers, not {}", link.text(), item.words());
                return Err(TextError::new(link.span(), Reason::Type, message));
            }
        };
        let rows = self.elements(&rows, link.span())?;
        let base = match link.text() {
            "sum" => rows.base.sum(),
            "min" => rows.base.min(),
            _ => rows.base.max(),
        };
        Ok(match rows.from {
            Some(scope) => {
                let key = Key::first(self.closed(scope, base));
                Value::Scalar(Scalar::of(scope, key, holds))
            }
            None => Value::Total(Total::Value { plan: base }),
        })
    }

    pub(super) fn group_count(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let (key, value) = match link.list() {
            [] => (self.item_key(&rows, link.span())?, (*rows.item).clone()),
            _ => {
                let value = self.applied(&rows, link)?;
                (self.inside(&rows, |translator| translator.key_of(&value, link.span()))?, value)
            }
        };
        let base = rows.base.clone().group_count(key.named("key"));
        Ok(Value::Rows(self.rows_with(rows.from, base, |scope| {
            let count = Scalar::of(scope, Key::column("count"), Type::Integer);
            pair(column_of(&value, scope), Value::Scalar(count))
        })))
    }

    pub(super) fn group_by(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let rows = self.of_nodes(rows, link)?;
        let value = self.applied(&rows, link)?;
        let key = self.inside(&rows, |translator| translator.key_of(&value, link.span()))?;
        let base = rows.base.clone().group(key.named("key"));
        let kinds = rows.kinds().unwrap_or(Kinds::ANY);
        Ok(Value::Rows(self.rows_with(rows.from, base, |scope| {
            let nodes = Rows {
                from: Some(scope),
                base: it(),
                scope: Scope::OF_GROUP,
                item: Box::new(Value::Node(Node::row(Scope::OF_GROUP, kinds))),
                is_start: false,
                is_list: true,
            };
            pair(column_of(&value, scope), Value::Rows(nodes))
        })))
    }
}

/// The step that sorts by a key.
fn order(base: Pipeline, by: Key, is_descending: bool) -> Pipeline {
    match is_descending {
        true => base.order_by_descending(by),
        false => base.order_by(by),
    }
}

/// A key without its minus sign, and whether it had one.
fn ascending(key: Key) -> (Key, bool) {
    match key {
        Key::Function(Function::Subtract, operands)
            if operands.0.first() == Some(&Key::constant(0)) && operands.0.len() == 2 =>
        {
            let positive = operands.0.get(1).cloned().unwrap_or_default();
            (positive, true)
        }
        key => (key, false),
    }
}

fn pair(first: Value, second: Value) -> Value {
    let part = |name: &str, value| Part { name: name.to_owned(), value };
    Value::Parts(vec![part("_1", first), part("_2", second)])
}

/// The column `key` of a table of groups.
fn column_of(value: &Value, scope: Scope) -> Value {
    let holds = match value {
        Value::Scalar(scalar) => scalar.holds,
        _ => Type::Text,
    };
    Value::Scalar(Scalar::of(scope, Key::column("key"), holds))
}
