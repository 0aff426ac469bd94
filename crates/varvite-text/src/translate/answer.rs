//! The plans of a whole query.

use varvite::pipeline::{Function, Key, Pipeline, Step};

use super::Translator;
use super::scopes::property_of;
use super::value::{Operation, Part, Rows, Scalar, Total, Value};
use crate::error::{Reason, Result, TextError};
use crate::query::{Answer, Query};
use crate::syntax::Span;

impl Translator {
    /// The query whose last statement has this value.
    pub(super) fn answer(&mut self, value: Value, span: Span) -> Result<Query> {
        Ok(Query { answer: self.answer_of(value, span)? })
    }

    fn answer_of(&mut self, value: Value, span: Span) -> Result<Answer> {
        match value {
            Value::Rows(rows) => Ok(Answer::Rows(self.plan(rows, span)?)),
            Value::Total(total) => self.answer_of_total(total, span),
            Value::Scalar(scalar) => match scalar.literal() {
                Some(literal) => Ok(Answer::Constant(literal.clone())),
                None => Err(no_answer(&Value::Scalar(scalar), span)),
            },
            Value::Parts(parts) => {
                let answers = parts.into_iter().map(|part| self.answer_of(part.value, span));
                Ok(Answer::Tuple(answers.collect::<Result<_>>()?))
            }
            Value::List(items) => {
                let answers = items.into_iter().map(|item| self.answer_of(item, span));
                Ok(Answer::Tuple(answers.collect::<Result<_>>()?))
            }
            other => Err(no_answer(&other, span)),
        }
    }

    fn answer_of_total(&mut self, total: Total, span: Span) -> Result<Answer> {
        Ok(match total {
            Total::First { rows, is_optional } => {
                let first = Rows { base: rows.base.clone().limit(1), ..rows };
                Answer::First { plan: self.plan(first, span)?, is_optional }
            }
            Total::Value { plan } => Answer::Value(plan),
            Total::Exists { plan } => Answer::Exists(plan),
            Total::Text { rows, begin, between, end } => {
                let plan = self.elements(&rows, span)?.base;
                Answer::Text { plan, begin, between, end }
            }
            Total::Operator(operation) => {
                let Operation { function, operands, .. } = *operation;
                let function = text_or_sum(function, &operands);
                let answers = operands.into_iter().map(|operand| self.answer_of(operand, span));
                Answer::Function(function, answers.collect::<Result<_>>()?)
            }
        })
    }

    /// The plan that gives the items of rows.
    fn plan(&mut self, rows: Rows, span: Span) -> Result<Pipeline> {
        if gives_columns(&rows.base) {
            return self.plan_of_columns(rows, span);
        }
        match &*rows.item {
            Value::Node(_) | Value::Scalar(_) => self.plan_of_elements(rows, span),
            item => {
                let mut columns = Vec::new();
                self.inside(&rows, |translator| translator.columns(item, "_1", &mut columns, span))?;
                Ok(rows.base.clone().then(Step::Columns { columns }))
            }
        }
    }

    /// The plan of rows that each stand for a node or a value. A value that may be absent is an empty cell.
    fn plan_of_elements(&mut self, rows: Rows, span: Span) -> Result<Pipeline> {
        if rows.item.is_optional() {
            let key = self.item_key(&rows, span)?;
            return Ok(rows.base.clone().then(Step::Columns { columns: vec![key.named("_1")] }));
        }
        Ok(self.elements(&rows, span)?.base)
    }

    /// The plan of rows that are groups: their columns are those of the table.
    fn plan_of_columns(&mut self, rows: Rows, span: Span) -> Result<Pipeline> {
        let is_whole = match &*rows.item {
            Value::Parts(parts) => parts.len() == 2,
            Value::Scalar(scalar) => scalar.key == Key::column("path"),
            _ => false,
        };
        match is_whole {
            true => Ok(rows.base),
            false => {
                let message = "only whole groups can be answered: leave out the last map";
                Err(TextError::new(span, Reason::NotInPlans, message))
            }
        }
    }

    /// The columns that show an item.
    fn columns(&mut self, item: &Value, name: &str, columns: &mut Vec<Key>, span: Span) -> Result<()> {
        match item {
            Value::Scalar(scalar) => columns.push(self.key_here(scalar).named(&column_name(scalar, name))),
            Value::Node(node) => columns.push(self.node_key_here(node).named(name)),
            Value::Rows(rows) => {
                let elements = self.elements(rows, span)?;
                let pipeline = self.begun_here(elements.from, &elements.base);
                columns.push(Key::list(pipeline).named(name));
            }
            Value::Parts(parts) => {
                for Part { name: part, value } in parts {
                    self.columns(value, part, columns, span)?;
                }
            }
            Value::List(items) => {
                for (number, value) in (1..).zip(items) {
                    self.columns(value, &format!("_{number}"), columns, span)?;
                }
            }
            other => return Err(no_answer(other, span)),
        }
        Ok(())
    }
}

/// The name of a scalar's column: that of its property, or `name`, unless it is the name of a record's field.
fn column_name(scalar: &Scalar, name: &str) -> String {
    match name.starts_with('_') {
        true => property_of(&scalar.key).unwrap_or_else(|| name.to_owned()),
        false => name.to_owned(),
    }
}

/// Whether the rows of a pipeline are rows of columns.
fn gives_columns(pipeline: &Pipeline) -> bool {
    let is_table =
        |step: &Step| matches!(step, Step::GroupCount { .. } | Step::Group { .. } | Step::Path { .. });
    pipeline.steps().iter().any(is_table)
}

/// `+` between a text and anything else appends.
fn text_or_sum(function: Function, operands: &[Value]) -> Function {
    let is_text = |value: &Value| match value {
        Value::Scalar(scalar) => scalar.holds == super::value::Type::Text,
        Value::Total(Total::Text { .. }) => true,
        Value::Total(Total::Operator(operation)) => operation.holds == super::value::Type::Text,
        _ => false,
    };
    match function == Function::Add && operands.iter().any(is_text) {
        true => Function::Concat,
        false => function,
    }
}

fn no_answer(value: &Value, span: Span) -> TextError {
    let message = format!("{} is no answer: a query ends with a traversal or a number", value.words());
    TextError::new(span, Reason::Type, message)
}
