//! Membership in collections, and rows of several pipelines.

use varvite::pipeline::Key;

use super::Translator;
use super::collections::from_the_graph;
use super::filters::{keep, negated};
use super::links::Link;
use super::value::{Rows, Sort, Value};
use crate::error::{Reason, Result, TextError};
use crate::syntax::Span;

impl Translator {
    /// `intersect` and `diff`: keeps rows whose item the other rows have, or lack.
    pub(super) fn compared_with(&mut self, rows: Rows, link: &Link<'_>, is_kept: bool) -> Result<Value> {
        let other = self.other_value(link)?;
        self.kept_if_in(rows, other, is_kept, link.span())
    }

    /// Keeps rows whose item is among the items of `other`, or is not.
    pub(super) fn kept_if_in(
        &mut self,
        rows: Rows,
        other: Value,
        is_kept: bool,
        span: Span,
    ) -> Result<Value> {
        let key = self.inside(&rows, |translator| {
            let item = (*rows.item).clone();
            let is_in = translator.is_in(&item, other, span)?;
            Ok(if is_kept { is_in } else { negated(is_in) })
        })?;
        Ok(Value::Rows(rows.then(|base| keep(base, key))))
    }

    /// Whether a value is among the items of a collection, in terms of the innermost lambda's row.
    pub(super) fn is_in(&mut self, value: &Value, of: Value, span: Span) -> Result<Key> {
        match of {
            Value::List(items) => {
                let tests = items
                    .iter()
                    .map(|item| Ok(Key::equal(self.key_of(value, span)?, self.key_of(item, span)?)));
                let tests = tests.collect::<Result<Vec<_>>>()?;
                Ok(if tests.is_empty() { Key::constant(false) } else { Key::or(tests) })
            }
            Value::Rows(rows) => {
                let kept = self.equal_to(rows, value, span)?;
                match self.exists(kept, true) {
                    Value::Scalar(scalar) => Ok(self.key_here(&scalar)),
                    _ => Err(from_the_graph(span)),
                }
            }
            other => {
                let message = format!("a collection is expected here, not {}", other.words());
                Err(TextError::new(span, Reason::Type, message))
            }
        }
    }

    /// Keeps rows whose item equals a value.
    pub(super) fn equal_to(&mut self, rows: Rows, wanted: &Value, span: Span) -> Result<Rows> {
        let item = (*rows.item).clone();
        let key = self.inside(&rows, |translator| {
            let (item, wanted) = (translator.key_of(&item, span)?, translator.key_of(wanted, span)?);
            Ok(Key::equal(item, wanted))
        })?;
        Ok(rows.then(|base| keep(base, key)))
    }

    pub(super) fn contains(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let wanted = self.only_value(link)?;
        let kept = self.equal_to(rows, &wanted, link.span())?;
        Ok(self.exists(kept, true))
    }

    pub(super) fn is(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let wanted = self.only_value(link)?;
        Ok(Value::Rows(self.equal_to(rows, &wanted, link.span())?))
    }

    pub(super) fn branches(&mut self, rows: Rows, link: &Link<'_>) -> Result<Value> {
        let mut branches = Vec::new();
        let mut sort: Option<Sort> = None;
        let expected = format!("{} takes lambdas that give rows", link.text());
        for argument in link.list() {
            let value = self.applied_to_traversal(&rows, argument)?;
            let inner = self.as_rows(value, &expected, argument.span)?;
            let pipeline = self.inside(&rows, |translator| {
                let elements = translator.elements(&inner, argument.span)?;
                Ok(translator.begun_here(elements.from, &elements.base))
            })?;
            let own = Sort::of(&inner, argument.span)?;
            sort = Some(sort.map_or(own, |sort| sort.wider(own)));
            branches.push(pipeline);
        }
        let Some(sort) = sort else {
            return Ok(Value::Rows(Rows { base: rows.base.limit(0), ..rows }));
        };
        let base = match link.text() {
            "union" => rows.base.union(branches),
            _ => rows.base.coalesce(branches),
        };
        Ok(Value::Rows(self.rows_of(rows.from, base, sort)))
    }
}
