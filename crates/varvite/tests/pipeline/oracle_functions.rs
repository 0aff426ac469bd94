//! The functions of keys that random pipelines use, computed for one row at a time, as `docs/plan.md`
//! describes them.

use std::cmp::Ordering;

use varvite::pipeline::{Function, Literal};
use varvite_model::Value;

use super::oracle::{Item, compare, passes, whole};

/// The value of a function for the values of its operands. A stored null is no value.
pub(crate) fn value_of(function: &Function, operands: &[Option<Item>]) -> Option<Item> {
    let is_null = |item: &Item| matches!(item, Item::Value(Value::Null | Value::Ref(None)));
    let operands = operands.iter().map(|operand| operand.clone().filter(|item| !is_null(item)));
    let operands = &operands.collect::<Vec<_>>();
    let truth = |operand: &Option<Item>| match operand {
        Some(Item::Value(Value::Bool(truth))) => Some(*truth),
        _ => None,
    };
    match function {
        Function::And => return logic(false, operands.iter().map(truth)),
        Function::Or => return logic(true, operands.iter().map(truth)),
        Function::FirstOf => return operands.iter().flatten().next().map(widened),
        _ => {}
    }
    let all: Vec<&Item> = operands.iter().map(Option::as_ref).collect::<Option<_>>()?;
    let order = || compare(&widened(all[0]), &widened(all[1]));
    let value = match function {
        Function::Add => Value::I64((number(all[0]) + number(all[1])) as i64),
        Function::Subtract => Value::I64((number(all[0]) - number(all[1])) as i64),
        Function::Eq => Value::Bool(order() == Ordering::Equal),
        Function::Lt => Value::Bool(order() == Ordering::Less),
        Function::Gte => Value::Bool(order() != Ordering::Less),
        Function::Contains => Value::Bool(text(all[0]).contains(text(all[1]))),
        Function::Prefix => Value::Bool(text(all[0]).starts_with(text(all[1]))),
        Function::Suffix => Value::Bool(text(all[0]).ends_with(text(all[1]))),
        Function::Not => Value::Bool(!truth(&operands[0])?),
        Function::Length => Value::I64(text(all[0]).chars().count() as i64),
        Function::Lower => Value::string(&text(all[0]).to_lowercase()),
        Function::Upper => Value::string(&text(all[0]).to_uppercase()),
        Function::Concat => Value::string(&all.iter().map(|item| written(item)).collect::<String>()),
        Function::Split(split) => Value::string(text(all[0]).split(&split.on).nth(split.part as usize)?),
        Function::Test(is) => match all[0] {
            Item::Value(value) => Value::Bool(passes(value, is)),
            other => panic!("no test of {other:?}"),
        },
        other => panic!("the oracle does not know {other:?}"),
    };
    Some(Item::Value(value))
}

/// The value of a constant.
pub(crate) fn constant(literal: &Literal) -> Item {
    Item::Value(match literal {
        Literal::Bool(truth) => Value::Bool(*truth),
        Literal::Int(number) => Value::I64(*number),
        Literal::Float(number) => Value::F64(*number),
        Literal::Text(text) => Value::string(text),
        other => panic!("no constant {other:?}"),
    })
}

fn logic(deciding: bool, operands: impl Iterator<Item = Option<bool>> + Clone) -> Option<Item> {
    let is_decided = operands.clone().any(|operand| operand == Some(deciding));
    let is_open = operands.clone().any(|operand| operand.is_none());
    (is_decided || !is_open).then_some(Item::Value(Value::Bool(is_decided == deciding)))
}

/// A whole number as one of 64 bits; other items as they are.
fn widened(item: &Item) -> Item {
    match item {
        Item::Value(Value::F32(number)) => Item::Value(Value::F64((*number).into())),
        Item::Value(value) => {
            whole(value).map_or_else(|| item.clone(), |number| Item::Value(Value::I64(number as i64)))
        }
        other => other.clone(),
    }
}

fn number(item: &Item) -> i128 {
    match item {
        Item::Value(value) => whole(value).expect("a whole number"),
        other => panic!("no number {other:?}"),
    }
}

fn text(item: &Item) -> &str {
    match item {
        Item::Value(Value::String(text)) => text,
        other => panic!("no text {other:?}"),
    }
}

fn written(item: &Item) -> String {
    match item {
        Item::Value(Value::String(text)) => text.clone(),
        other => number(other).to_string(),
    }
}
