//! Operands: literals, names, brackets, and the steps after them: `cpg.call("x").collectAll[Call].l`.

use super::reader::Reader;
use super::tokens::{Bracket, Gap, TokenKind};
use super::tree::Tree;
use super::{lambdas, refusals};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{ExpressionKind, Word};
use crate::visible::quoted;

impl Reader<'_> {
    /// A value and the steps after it.
    pub(super) fn chain(&mut self) -> Result<Tree> {
        let value = self.primary()?;
        self.steps(value)
    }

    /// The steps after a value: `.name`, `[types]`, `(arguments)`, `{ argument }`.
    pub(super) fn steps(&mut self, mut value: Tree) -> Result<Tree> {
        loop {
            value = match self.next().kind {
                TokenKind::Dot if !self.is_outdented() => self.select(value)?,
                TokenKind::Open(bracket) if self.continues(bracket) => self.call(value)?,
                _ => return Ok(value),
            };
        }
    }

    /// Whether a bracket here belongs to the value before it. Braces can begin the next line; other brackets
    /// can, if that line is indented.
    fn continues(&self, bracket: Bracket) -> bool {
        let next = self.next();
        let indented = bracket == Bracket::Curly || next.indent > self.layout.indent;
        !self.is_at_new_line() || (indented && next.gap == Gap::NewLine)
    }

    fn select(&mut self, on: Tree) -> Result<Tree> {
        self.take();
        let next = self.next();
        if let TokenKind::Keyword(word) = next.kind {
            return Err(refusals::step(word, next.span));
        }
        let name = self.name("the name of a step")?;
        on.select(name)
    }

    fn call(&mut self, function: Tree) -> Result<Tree> {
        let types = self.type_arguments()?;
        let arguments = match self.next().kind {
            TokenKind::Open(Bracket::Round) if self.continues(Bracket::Round) => self.arguments()?,
            TokenKind::Open(Bracket::Curly) if self.continues(Bracket::Curly) => vec![self.braces()?],
            _ => Vec::new(),
        };
        function.call(types, arguments, self.last_span().end)
    }

    fn type_arguments(&mut self) -> Result<Vec<Word>> {
        if self.take_if(&TokenKind::Open(Bracket::Square)).is_none() {
            return Ok(Vec::new());
        }
        self.within(self.joined_lines(), |reader| reader.list(Bracket::Square, Self::type_name))
    }

    fn arguments(&mut self) -> Result<Vec<Tree>> {
        self.take();
        self.within(self.joined_lines(), |reader| reader.list(Bracket::Round, Self::argument))
    }

    fn primary(&mut self) -> Result<Tree> {
        let kind = match &self.next().kind {
            TokenKind::Open(Bracket::Round) => return self.parentheses(),
            TokenKind::Open(Bracket::Curly) => return self.braces(),
            TokenKind::Underscore => return Ok(self.placeholder()),
            TokenKind::Text(_) => return Ok(self.text()),
            TokenKind::Integer(value) => ExpressionKind::Integer(*value),
            TokenKind::Float(value) => ExpressionKind::Float(*value),
            TokenKind::Keyword("true") => ExpressionKind::Boolean(true),
            TokenKind::Keyword("false") => ExpressionKind::Boolean(false),
            TokenKind::Name(name) if lambdas::is_generated(name) => return Err(self.part_alone(name)),
            TokenKind::Name(name) => ExpressionKind::Name((*name).to_owned()),
            _ => return Err(self.refused_value().unwrap_or_else(|| self.unexpected("a value"))),
        };
        Ok(Tree::leaf(kind, self.take().span))
    }

    fn text(&mut self) -> Tree {
        let token = self.take();
        let TokenKind::Text(text) = token.kind else { unreachable!("the caller has seen a text") };
        Tree::leaf(ExpressionKind::Text(text), token.span)
    }

    fn part_alone(&self, name: &str) -> TextError {
        let name = quoted(name);
        let message =
            format!("`{name}` is a part of a tuple: write a tuple and `.` before it, as in `x.{name}`");
        TextError::new(self.next().span, Reason::Syntax, message)
    }
}
