//! What comes after a text, a number, a truth value or an Option, and after a list that the query writes out.

use varvite::pipeline::{Key, Literal, contains, eq, it, ne, prefix, suffix};

use super::Translator;
use super::links::Link;
use super::patterns::matches;
use super::value::{Scalar, Type, Value};
use crate::error::{Reason, Result, TextError};
use crate::syntax::Span;

impl Translator {
    /// The value of `scalar.link`.
    pub(super) fn member_of_scalar(&mut self, scalar: Scalar, link: &Link<'_>) -> Result<Value> {
        if scalar.is_optional {
            return self.member_of_option(scalar, link);
        }
        match link.text() {
            "toString" => return Ok(computed(&scalar, scalar.as_text(), Type::Text)),
            "equals" => {
                let other = self.only_value(link)?;
                return self.compared(
                    super::operators::Order::Equal,
                    Value::Scalar(scalar),
                    other,
                    link.span(),
                );
            }
            _ => {}
        }
        match scalar.holds {
            Type::Text => self.member_of_text(scalar, link),
            Type::Integer | Type::Float => self.member_of_number(scalar, link),
            Type::Boolean => Err(self.unknown_member(&Value::Scalar(scalar), link)),
        }
    }

    fn member_of_text(&mut self, scalar: Scalar, link: &Link<'_>) -> Result<Value> {
        let key = || scalar.key.clone();
        let truth = |key| Ok(computed(&scalar, key, Type::Boolean));
        let text = |key| Ok(computed(&scalar, key, Type::Text));
        match link.text() {
            "length" | "size" => Ok(computed(&scalar, Key::length(key()), Type::Integer)),
            "isEmpty" => truth(Key::test(key(), eq(""))),
            "nonEmpty" => truth(Key::test(key(), ne(""))),
            "isBlank" => truth(Key::test(Key::trim(key()), eq(""))),
            "toLowerCase" => text(Key::lower(key())),
            "toUpperCase" => text(Key::upper(key())),
            "trim" | "strip" => text(Key::trim(key())),
            "contains" | "startsWith" | "endsWith" => self.part_test(scalar, link),
            "equalsIgnoreCase" => {
                let (other, _) = self.only_text(link)?;
                truth(Key::test(Key::lower(key()), eq(other.to_lowercase())))
            }
            "matches" => {
                let (pattern, span) = self.only_text(link)?;
                truth(Key::test(key(), matches(&pattern, span)?))
            }
            "split" => {
                let (on, span) = self.only_text(link)?;
                let part = self.part_number(link)?;
                let special = |letter: char| r"[](){}*+|?.\^$".contains(letter);
                let on = match on.strip_prefix('\\') {
                    Some(rest) if rest.chars().count() == 1 => rest.to_owned(),
                    _ if on.chars().count() > 1 && on.contains(special) => {
                        let message =
                            "split by a regular expression: split by a text, or use a group of a match";
                        return Err(TextError::new(span, Reason::NotInPlans, message));
                    }
                    _ => on,
                };
                text(Key::split(key(), &on, part))
            }
            _ => Err(self.unknown_member(&Value::Scalar(scalar.clone()), link)),
        }
    }

    /// `contains`, `startsWith` and `endsWith`, with a text of the query or a computed one.
    fn part_test(&mut self, scalar: Scalar, link: &Link<'_>) -> Result<Value> {
        let other = match self.only_value(link)? {
            Value::Scalar(other) if other.holds == Type::Text && !other.is_optional => other,
            other => {
                let message = format!("{} takes a text, not {}", link.text(), other.words());
                return Err(TextError::new(link.span(), Reason::Type, message));
            }
        };
        let Some(Literal::Text(part)) = other.literal() else {
            let (key, part) = (self.key_here(&scalar), self.key_here(&other));
            let key = match link.text() {
                "contains" => Key::contains(key, part),
                "startsWith" => Key::starts_with(key, part),
                _ => Key::ends_with(key, part),
            };
            return Ok(self.truth_here(key));
        };
        let test = match link.text() {
            "contains" => contains(part.as_str()),
            "startsWith" => prefix(part.as_str()),
            _ => suffix(part.as_str()),
        };
        Ok(computed(&scalar, Key::test(scalar.key.clone(), test), Type::Boolean))
    }

    fn member_of_number(&mut self, scalar: Scalar, link: &Link<'_>) -> Result<Value> {
        match link.text() {
            "toInt" | "toLong" if scalar.holds == Type::Integer => Ok(Value::Scalar(scalar)),
            "toDouble" => {
                let key = Key::multiply(scalar.key.clone(), Key::constant(1.0));
                Ok(computed(&scalar, key, Type::Float))
            }
            _ => Err(self.unknown_member(&Value::Scalar(scalar), link)),
        }
    }

    fn member_of_option(&mut self, scalar: Scalar, link: &Link<'_>) -> Result<Value> {
        let plain = || Scalar { is_optional: false, ..scalar.clone() };
        let is_there = || match &scalar.key {
            Key::Property(name) => Key::exists(it().has_any(name)),
            Key::First(steps) => Key::Exists(steps.clone()),
            key => Key::exists(it().map(key.clone())),
        };
        let truth = |key| Ok(computed(&scalar, key, Type::Boolean));
        match link.text() {
            "get" | "head" => Ok(Value::Scalar(plain())),
            "isDefined" | "nonEmpty" => truth(is_there()),
            "isEmpty" => truth(Key::not(is_there())),
            "getOrElse" => {
                let Value::Scalar(other) = self.only_value(link)? else {
                    return Err(TextError::new(
                        link.span(),
                        Reason::Type,
                        "getOrElse takes a text or number",
                    ));
                };
                let key = Key::first_of([self.key_here(&scalar), self.key_here(&other)]);
                Ok(Value::Scalar(Scalar { key, scope: self.here(), is_optional: false, ..scalar }))
            }
            "contains" => {
                let wanted = self.only_value(link)?;
                let equal = self.compared(
                    super::operators::Order::Equal,
                    Value::Scalar(plain()),
                    wanted,
                    link.span(),
                )?;
                Ok(or_else(equal, false))
            }
            "exists" | "forall" => {
                let value = self.applied_to_value(link, Value::Scalar(plain()))?;
                Ok(or_else(value, link.text() == "forall"))
            }
            "map" => match self.applied_to_value(link, Value::Scalar(plain()))? {
                Value::Scalar(inner) => Ok(Value::Scalar(inner.optional())),
                other => Ok(other),
            },
            "filter" => {
                let message = "filter of an Option: use exists";
                Err(TextError::new(link.span(), Reason::NotInPlans, message))
            }
            "l" | "toList" | "iterator" => Ok(Value::Scalar(scalar)),
            _ => {
                let message = format!(
                    "the value is an Option here: write _.get.{}, .exists(..) or .getOrElse(..)",
                    link.text()
                );
                Err(TextError::new(link.span(), Reason::Type, message))
            }
        }
    }

    fn applied_to_value(&mut self, link: &Link<'_>, value: Value) -> Result<Value> {
        match link.list() {
            [lambda] => self.apply(lambda, value),
            _ => Err(TextError::new(link.span(), Reason::Type, format!("{} takes one lambda", link.text()))),
        }
    }

    pub(super) fn only_value(&mut self, link: &Link<'_>) -> Result<Value> {
        match link.list() {
            [argument] => self.value(argument),
            _ => Err(TextError::new(link.span(), Reason::Type, format!("{} takes one value", link.text()))),
        }
    }

    fn only_text(&mut self, link: &Link<'_>) -> Result<(String, Span)> {
        let mut texts = self.texts(link)?;
        match (texts.pop(), texts.is_empty()) {
            (Some(text), true) => Ok(text),
            _ => Err(TextError::new(link.span(), Reason::Type, format!("{} takes one text", link.text()))),
        }
    }

    /// The number in the second parentheses: `split(",")(0)`.
    fn part_number(&mut self, link: &Link<'_>) -> Result<u32> {
        let number = match link.more {
            Some([argument]) => match self.value(argument)? {
                Value::Scalar(scalar) => match scalar.literal() {
                    Some(Literal::Int(number)) => u32::try_from(*number).ok(),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        number.ok_or_else(|| {
            let message = "the number of a part is needed: split(\",\")(0)";
            TextError::new(link.span(), Reason::NotInPlans, message)
        })
    }

    /// The value of `List(..).link`.
    pub(super) fn member_of_list(&mut self, items: Vec<Value>, link: &Link<'_>) -> Result<Value> {
        match link.text() {
            "l" | "toList" | "toSet" | "toSeq" | "iterator" => Ok(Value::List(items)),
            "contains" | "apply" => {
                let wanted = self.only_value(link)?;
                let key = self.is_in(&wanted, Value::List(items), link.span())?;
                Ok(self.truth_here(key))
            }
            "size" | "length" => Ok(Value::Scalar(Scalar::constant(items.len() as i64, Type::Integer))),
            "isEmpty" => Ok(Value::Scalar(Scalar::constant(items.is_empty(), Type::Boolean))),
            "nonEmpty" => Ok(Value::Scalar(Scalar::constant(!items.is_empty(), Type::Boolean))),
            _ => match <[Value; 1]>::try_from(items) {
                Ok([item]) if matches!(item, Value::Node(_)) => self.member_of_single(item, link),
                Ok([item]) => Err(self.unknown_member(&Value::List(vec![item]), link)),
                Err(items) => Err(self.unknown_member(&Value::List(items), link)),
            },
        }
    }

    /// `Iterator.single(node).link`.
    fn member_of_single(&mut self, item: Value, link: &Link<'_>) -> Result<Value> {
        let Value::Node(node) = item else { return Err(self.unknown_member(&item, link)) };
        let rows = self.rows_of_node(node);
        self.member_of_rows(rows, link)
    }
}

impl Scalar {
    /// The same scalar with another key.
    pub(super) fn with(self, key: Key) -> Self {
        Self { key, ..self }
    }
}

/// A scalar that is computed from another, in the same scope.
fn computed(from: &Scalar, key: Key, holds: Type) -> Value {
    Value::Scalar(Scalar { scope: from.scope, key, holds, is_optional: false })
}

/// A truth value that replaces an absent one.
fn or_else(value: Value, otherwise: bool) -> Value {
    match value {
        Value::Scalar(scalar) => {
            let key = Key::first_of([scalar.key.clone(), Key::constant(otherwise)]);
            Value::Scalar(scalar.with(key))
        }
        value => value,
    }
}
