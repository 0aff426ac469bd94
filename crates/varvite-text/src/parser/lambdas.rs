//! Lambdas: `x => ..`, `(x, y) => ..`, `{ case (a, b) => .. }`, and expressions with `_`.
//!
//! Each `_` is a parameter of the smallest expression around it that is an argument, is in parentheses or is
//! a statement; but a `_` alone is none of these expressions: in `f(_)` the lambda is the call.

use super::reader::Reader;
use super::refusals;
use super::tokens::{Bracket, TokenKind};
use super::tree::Tree;
use crate::error::{Reason, Result, TextError};
use crate::syntax::{Expression, ExpressionKind, Pattern, Span, Statement, Word};

impl Reader<'_> {
    pub(super) fn begins_lambda(&self) -> bool {
        match self.next().kind {
            TokenKind::Name(_) | TokenKind::Underscore => self.ahead(1).kind == TokenKind::Arrow,
            TokenKind::Open(Bracket::Round) => self.after_brackets(0).kind == TokenKind::Arrow,
            _ => false,
        }
    }

    /// As [`begins_lambda`](Self::begins_lambda) at the beginning of a block, where the type of a parameter
    /// needs no parentheses: `{ x: Call => .. }`.
    pub(super) fn begins_block_lambda(&self) -> bool {
        let typed = matches!(self.next().kind, TokenKind::Name(_)) && self.ahead(1).kind == TokenKind::Colon;
        typed || self.begins_lambda()
    }

    /// A lambda whose body is an expression, or a block by indentation.
    pub(super) fn lambda(&mut self) -> Result<Tree> {
        self.lambda_with(Self::value)
    }

    /// A lambda whose body is the rest of the block.
    pub(super) fn block_lambda(&mut self) -> Result<Tree> {
        self.lambda_with(Self::block)
    }

    fn lambda_with(&mut self, body: impl FnOnce(&mut Self) -> Result<Tree>) -> Result<Tree> {
        let start = self.next().span.start;
        let parameters = self.parameters()?;
        self.expect(&TokenKind::Arrow, "`=>`")?;
        let body = body(self)?;
        Tree::lambda(parameters, body, self.span_from(start))
    }

    fn parameters(&mut self) -> Result<Vec<Pattern>> {
        if self.is_next(&TokenKind::Open(Bracket::Round)) {
            let start = self.take().span;
            let parameters =
                self.within(self.joined_lines(), |reader| reader.list(Bracket::Round, Self::parameter))?;
            let missing = || TextError::new(start.to(self.last_span()), Reason::Syntax, NO_PARAMETER);
            return if parameters.is_empty() { Err(missing()) } else { Ok(parameters) };
        }
        let name = self.parameter_name()?;
        if self.take_if(&TokenKind::Colon).is_some() {
            self.simple_type()?;
        }
        Ok(vec![name])
    }

    fn parameter(&mut self) -> Result<Pattern> {
        let name = self.parameter_name()?;
        if self.take_if(&TokenKind::Colon).is_some() {
            self.type_name()?;
        }
        Ok(name)
    }

    fn parameter_name(&mut self) -> Result<Pattern> {
        if self.is_next(&TokenKind::Open(Bracket::Round)) {
            let message = "a tuple as a parameter needs `case` and braces: write `{ case (a, b) => .. }`";
            return Err(TextError::new(self.next().span, Reason::Syntax, message));
        }
        if let Some(span) = self.take_if(&TokenKind::Underscore) {
            return Ok(Pattern::Ignored(span));
        }
        self.name("a name or `_`").map(Pattern::Name)
    }

    /// `case pattern => statements`, the inside of braces.
    pub(super) fn case(&mut self) -> Result<Tree> {
        let start = self.take().span.start;
        let pattern = self.within(self.joined_lines(), Self::pattern)?;
        if !self.is_next(&TokenKind::Arrow) {
            return Err(refusals::pattern(self.next().span));
        }
        self.take();
        let body = self.block()?;
        if self.is_keyword("case") {
            return Err(refusals::second_case(self.next().span));
        }
        Tree::lambda(vec![pattern], body, self.span_from(start))
    }

    fn pattern(&mut self) -> Result<Pattern> {
        match self.next().kind {
            TokenKind::Underscore => Ok(Pattern::Ignored(self.take().span)),
            TokenKind::Name(name) if !begins_upper(name) => self.name("a name").map(Pattern::Name),
            TokenKind::Open(Bracket::Round) => self.deeper(Self::tuple_pattern),
            _ => Err(refusals::pattern(self.next().span)),
        }
    }

    fn tuple_pattern(&mut self) -> Result<Pattern> {
        let start = self.take().span;
        let mut parts = Vec::new();
        while !self.is_next(&TokenKind::Close(Bracket::Round)) {
            parts.push(self.pattern()?);
            if self.take_if(&TokenKind::Comma).is_none() && !self.is_next(&TokenKind::Close(Bracket::Round)) {
                return Err(refusals::pattern(self.next().span));
            }
        }
        let end = self.take().span;
        match (parts.pop(), parts.is_empty()) {
            (None, _) => Err(refusals::pattern(start.to(end))),
            (Some(only), true) => Ok(only),
            (Some(last), false) => {
                parts.push(last);
                Ok(Pattern::Tuple(parts, start.to(end)))
            }
        }
    }

    /// A `_` in an expression.
    pub(super) fn placeholder(&mut self) -> Tree {
        let span = self.take().span;
        let parameter = self.generate(span);
        let name = ExpressionKind::Name(parameter.text.clone());
        self.placeholders.push(parameter);
        Tree::leaf(name, span)
    }

    /// Makes a lambda of an expression with `_`. A `_` alone is left to the expression around it.
    pub(super) fn bind(&mut self, placeholders: Vec<Word>, expression: Tree) -> Result<Tree> {
        if placeholders.is_empty() {
            return Ok(expression);
        }
        if is_placeholder(&expression) {
            self.placeholders.extend(placeholders);
            return Ok(expression);
        }
        let span = expression.span();
        Tree::lambda(placeholders.into_iter().map(Pattern::Name).collect(), expression, span)
    }
}

const NO_PARAMETER: &str = "a lambda has at least one parameter: write a name or `_` between the parentheses";

/// Whether a name has the form of those made for `_`: it is also that of a part of a tuple, `x._1`.
pub(super) fn is_generated(name: &str) -> bool {
    name.strip_prefix('_').is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}

/// Whether an expression is a `_` alone.
pub(super) fn is_placeholder(expression: &Tree) -> bool {
    matches!(&expression.expression.kind, ExpressionKind::Name(name) if is_generated(name))
}

/// The first `_` of a statement that is a lambda of `_`.
pub(super) fn placeholder_of(statement: &Statement) -> Option<&Word> {
    let Statement::Expression(Expression { kind: ExpressionKind::Lambda { parameters, .. }, .. }) = statement
    else {
        return None;
    };
    match parameters.first() {
        Some(Pattern::Name(name)) if is_generated(&name.text) => Some(name),
        _ => None,
    }
}

/// The fault of a `_` in no expression that can be a lambda.
pub(super) fn unbound(span: Span) -> TextError {
    let message = "`_` stands for the argument of a lambda, and here is none: write `cpg` or a name";
    TextError::new(span, Reason::Syntax, message)
}

/// Names with capitals are values in patterns, not new names.
fn begins_upper(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
