//! The places of all expressions and words of a query, for tests.

use crate::syntax::{Expression, ExpressionKind, Pattern, Script, Span, Statement, Word};

/// The places in the order of the syntax tree: an expression comes before its parts.
pub(crate) fn places(script: &Script) -> Vec<Span> {
    let mut places = Places::default();
    script.statements.iter().for_each(|statement| places.statement(statement));
    places.0
}

#[derive(Default)]
struct Places(Vec<Span>);

impl Places {
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Val { name, value } => {
                self.word(name);
                self.expression(value);
            }
            Statement::Def { name, parameters, value } => {
                self.word(name);
                self.words(parameters);
                self.expression(value);
            }
            Statement::Expression(value) => self.expression(value),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        self.0.push(expression.span);
        match &expression.kind {
            ExpressionKind::Text(_)
            | ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Boolean(_)
            | ExpressionKind::Name(_) => {}
            ExpressionKind::Select { on, name } => {
                self.expression(on);
                self.word(name);
            }
            ExpressionKind::Call { function, types, arguments } => {
                self.expression(function);
                self.words(types);
                self.expressions(arguments);
            }
            ExpressionKind::Unary { operand, .. } => self.expression(operand),
            ExpressionKind::Binary { left, right, .. } => self.expressions([&**left, &**right]),
            ExpressionKind::Tuple(parts) => self.expressions(parts),
            ExpressionKind::Lambda { parameters, body } => {
                parameters.iter().for_each(|parameter| self.pattern(parameter));
                self.expression(body);
            }
            ExpressionKind::Block(statements) => statements.iter().for_each(|part| self.statement(part)),
            ExpressionKind::If { condition, then, otherwise } => {
                self.expressions([&**condition, &**then, &**otherwise]);
            }
        }
    }

    fn expressions<'a>(&mut self, expressions: impl IntoIterator<Item = &'a Expression>) {
        expressions.into_iter().for_each(|expression| self.expression(expression));
    }

    fn words(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.word(word));
    }

    fn word(&mut self, word: &Word) {
        self.0.push(word.span);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(word) => self.word(word),
            Pattern::Ignored(span) => self.0.push(*span),
            Pattern::Tuple(parts, span) => {
                self.0.push(*span);
                parts.iter().for_each(|part| self.pattern(part));
            }
        }
    }
}
