//! `if (condition) a else b`, and `if condition then a else b`.

use super::reader::Reader;
use super::tokens::{Bracket, TokenKind};
use super::tree::Tree;
use crate::error::{Reason, Result, TextError};
use crate::syntax::{ExpressionKind, Span};

impl Reader<'_> {
    pub(super) fn conditional(&mut self) -> Result<Tree> {
        let start = self.take().span;
        let condition = self.condition()?;
        let then = self.value()?;
        self.expect_else(start)?;
        let otherwise = self.value()?;
        let below = condition.height().max(then.height()).max(otherwise.height());
        let (condition, then, otherwise) = (condition.boxed(), then.boxed(), otherwise.boxed());
        Tree::over(below, ExpressionKind::If { condition, then, otherwise }, start.to(self.last_span()))
    }

    fn condition(&mut self) -> Result<Tree> {
        if self.has_then() {
            let condition = self.value()?;
            self.expect(&TokenKind::Keyword("then"), "`then`")?;
            return Ok(condition);
        }
        if !self.is_next(&TokenKind::Open(Bracket::Round)) {
            return Err(self.unexpected("a condition in parentheses"));
        }
        self.parentheses()
    }

    /// Whether this `if` has a `then`. Without it, the condition is the parentheses after `if`.
    fn has_then(&self) -> bool {
        for token in self.at_this_level() {
            match token.kind {
                TokenKind::Keyword("then") => return true,
                TokenKind::Keyword("if" | "else") | TokenKind::Comma | TokenKind::Semicolon => return false,
                _ => {}
            }
        }
        false
    }

    fn expect_else(&mut self, start: Span) -> Result<()> {
        if self.is_next(&TokenKind::Semicolon) && self.ahead(1).kind == TokenKind::Keyword("else") {
            self.take();
        }
        if self.take_if(&TokenKind::Keyword("else")).is_none() {
            let message = "`if` has no `else`: write the value for the other case";
            let unfinished = self.is_next(&TokenKind::End);
            let reason = if unfinished { Reason::Unfinished } else { Reason::Syntax };
            return Err(TextError::new(start, reason, message));
        }
        Ok(())
    }
}
