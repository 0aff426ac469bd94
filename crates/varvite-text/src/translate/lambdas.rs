//! The application of lambdas to the items of rows.

use varvite::pipeline::Pipeline;

use super::Translator;
use super::links::Link;
use super::scopes::Variable;
use super::value::{Function, Rows, Sort, Value};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{Expression, ExpressionKind, Pattern, Span};

impl Translator {
    /// The value that a link's only argument, a lambda, has for the item of `rows`.
    pub(super) fn applied(&mut self, rows: &Rows, link: &Link<'_>) -> Result<Value> {
        match link.list() {
            [argument] => self.applied_to(rows, argument),
            _ => {
                let message = format!("{} takes one lambda: {}(_.name)", link.text(), link.text());
                Err(TextError::new(link.span(), Reason::Type, message))
            }
        }
    }

    /// The value that a lambda has for the item of `rows`.
    pub(super) fn applied_to(&mut self, rows: &Rows, argument: &Expression) -> Result<Value> {
        self.inside(rows, |translator| translator.apply(argument, (*rows.item).clone()))
    }

    /// The value that a lambda has for a traversal of the row alone. The lambdas of `where`, `and`, `union`,
    /// `repeat` and their like take a traversal; those of `map`, `filter` and `flatMap` take the item.
    pub(super) fn applied_to_traversal(&mut self, rows: &Rows, argument: &Expression) -> Result<Value> {
        let traversal = self.row_alone(rows, argument.span)?;
        self.inside(rows, |translator| translator.apply(argument, Value::Rows(traversal)))
    }

    /// The row of `rows` as the only row of a traversal.
    fn row_alone(&mut self, rows: &Rows, span: Span) -> Result<Rows> {
        let item = Rows { from: Some(rows.scope), base: Pipeline::default(), ..rows.clone() };
        match &*rows.item {
            Value::Node(_) | Value::Scalar(_) => self.elements(&item, span).and_then(|alone| {
                // The items must belong to a scope of their own, not to that of the row itself.
                let sort = Sort::of(&alone, span)?;
                Ok(self.rows_of(Some(rows.scope), alone.base, sort))
            }),
            _ => Ok(item),
        }
    }

    /// Does `work` in the scope of the rows' own row.
    pub(super) fn inside<T>(&mut self, rows: &Rows, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.enclosing.push(rows.scope);
        let outcome = work(self);
        self.enclosing.pop();
        outcome
    }

    /// The value that a lambda has for an argument.
    pub(super) fn apply(&mut self, lambda: &Expression, argument: Value) -> Result<Value> {
        match &lambda.kind {
            ExpressionKind::Lambda { parameters, body } => {
                self.apply_body(parameters, body, vec![argument], lambda.span)
            }
            ExpressionKind::Block(statements) => match statements.as_slice() {
                [crate::syntax::Statement::Expression(inner)] => self.apply(inner, argument),
                _ => Err(not_a_lambda(lambda.span)),
            },
            ExpressionKind::Name(name) => match self.variable(name, lambda.span)? {
                Some(Value::Function(function)) => self.called(&function, vec![argument], lambda.span),
                _ => Err(not_a_lambda(lambda.span)),
            },
            _ => Err(not_a_lambda(lambda.span)),
        }
    }

    /// The value of a function's body for arguments.
    pub(super) fn called(&mut self, function: &Function, arguments: Vec<Value>, span: Span) -> Result<Value> {
        self.with_variables(function.variables, |translator| {
            translator.apply_body(&function.parameters, &function.body, arguments, span)
        })
    }

    fn apply_body(
        &mut self,
        parameters: &[Pattern],
        body: &Expression,
        arguments: Vec<Value>,
        span: Span,
    ) -> Result<Value> {
        let visible = self.variables.len();
        let arguments = spread(parameters.len(), arguments);
        if parameters.len() != arguments.len() {
            let message =
                format!("the lambda has {} parameters for {} values", parameters.len(), arguments.len());
            return Err(TextError::new(span, Reason::Type, message));
        }
        for (pattern, argument) in parameters.iter().zip(arguments) {
            self.bind(pattern, argument)?;
        }
        let value = self.value(body);
        self.variables.truncate(visible);
        value
    }

    fn bind(&mut self, pattern: &Pattern, value: Value) -> Result<()> {
        match (pattern, value) {
            (Pattern::Name(word), value) => self.define(Variable::bound(&word.text, value)),
            (Pattern::Ignored(_), _) => {}
            (Pattern::Tuple(patterns, _), Value::Parts(parts)) if patterns.len() == parts.len() => {
                for (pattern, part) in patterns.iter().zip(parts) {
                    self.bind(pattern, part.value)?;
                }
            }
            (Pattern::Tuple(_, span), value) => {
                let message =
                    format!("this pattern is for a tuple of the same length, not {}", value.words());
                return Err(TextError::new(*span, Reason::Type, message));
            }
        }
        Ok(())
    }
}

/// A lambda of several parameters takes a tuple apart, as Scala 3 has it.
fn spread(parameters: usize, mut arguments: Vec<Value>) -> Vec<Value> {
    match arguments.as_slice() {
        [Value::Parts(parts)] if parameters == parts.len() && parameters > 1 => {
            let Some(Value::Parts(parts)) = arguments.pop() else { return arguments };
            parts.into_iter().map(|part| part.value).collect()
        }
        _ => arguments,
    }
}

fn not_a_lambda(span: Span) -> TextError {
    TextError::new(span, Reason::Type, "a lambda is expected here: _.step or name => name.step")
}
