//! [`Reader`]: a place among the tokens of a query. The grammar's modules add the parts of the grammar to it.
//!
//! The reader decides whether the end of a line ends a statement: it does in braces and outside of brackets,
//! but not in parentheses and square brackets.

use std::mem;

use super::tokens::{Bracket, Token, TokenKind};
use super::{brackets, lexer};
use crate::error::{Reason, Result, TextError};
use crate::syntax::{Span, Word};
use crate::visible::quoted;

/// The greatest depth of expressions within each other.
const DEPTH_MAX: usize = 256;

pub(super) struct Reader<'t> {
    query: &'t str,
    tokens: Vec<Token<'t>>,
    closings: Vec<usize>,
    at: usize,
    depth: usize,
    pub(super) layout: Layout,
    /// The parameters for each `_` of the expression that is being read.
    pub(super) placeholders: Vec<Word>,
    /// The number of generated names.
    pub(super) generated: usize,
}

/// The meaning of line ends in the innermost brackets.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) lines: Lines,
    /// The indentation of the statements: a block by indentation has more.
    pub(super) indent: usize,
}

/// The meaning of a line end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lines {
    /// None: in parentheses and square brackets.
    Join,
    /// It can end a statement: in braces, and outside of brackets.
    EndStatements,
    /// A line with less indentation ends the block, too; `outer` is that of the statements around it.
    EndBlock { outer: usize },
}

impl<'t> Reader<'t> {
    pub(super) fn new(query: &'t str) -> Result<Self> {
        let tokens = lexer::tokens(query)?;
        let closings = brackets::closings(&tokens)?;
        let layout = Layout { lines: Lines::EndStatements, indent: tokens[0].indent };
        Ok(Self { query, tokens, closings, at: 0, depth: 0, layout, placeholders: Vec::new(), generated: 0 })
    }

    /// The next token.
    pub(super) fn next(&self) -> &Token<'t> {
        &self.tokens[self.at]
    }

    /// The token after the next `distance` ones.
    pub(super) fn ahead(&self, distance: usize) -> &Token<'t> {
        &self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    /// The token after the bracket that closes the one after the next `distance` tokens.
    pub(super) fn after_brackets(&self, distance: usize) -> &Token<'t> {
        let closing = self.closings[(self.at + distance).min(self.tokens.len() - 1)];
        &self.tokens[(closing + 1).min(self.tokens.len() - 1)]
    }

    /// The next tokens up to the end of the brackets around them, without those within brackets of their own.
    pub(super) fn at_this_level(&self) -> impl Iterator<Item = &Token<'t>> {
        let after = |at: usize| Some(self.closings[at] + 1).filter(|next| *next < self.tokens.len());
        let tokens = std::iter::successors(Some(self.at), move |at| after(*at)).map(|at| &self.tokens[at]);
        tokens.take_while(|token| !matches!(token.kind, TokenKind::Close(_)))
    }

    pub(super) fn is_next(&self, kind: &TokenKind<'_>) -> bool {
        self.next().kind == *kind
    }

    pub(super) fn is_keyword(&self, word: &str) -> bool {
        self.next().kind == TokenKind::Keyword(word)
    }

    /// Passes the next token.
    pub(super) fn take(&mut self) -> Token<'t> {
        let end = Token { kind: TokenKind::End, ..self.tokens[self.at] };
        if self.at + 1 == self.tokens.len() {
            return end;
        }
        self.at += 1;
        mem::replace(&mut self.tokens[self.at - 1], end)
    }

    /// Passes the next token if it is of this kind.
    pub(super) fn take_if(&mut self, kind: &TokenKind<'_>) -> Option<Span> {
        self.is_next(kind).then(|| self.take().span)
    }

    /// Passes the next token, which must be of this kind.
    pub(super) fn expect(&mut self, kind: &TokenKind<'_>, wanted: &str) -> Result<Span> {
        self.take_if(kind).ok_or_else(|| self.unexpected(wanted))
    }

    /// Passes a name.
    pub(super) fn name(&mut self, wanted: &str) -> Result<Word> {
        match self.next().kind {
            TokenKind::Name(text) => Ok(Word { text: text.to_owned(), span: self.take().span }),
            _ => Err(self.unexpected(wanted)),
        }
    }

    /// The place of the last token that was passed.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// The place from the byte `start` to the last token that was passed.
    pub(super) fn span_from(&self, start: usize) -> Span {
        Span { start, end: self.last_span().end.max(start) }
    }

    /// Whether the line before the next token can end a statement.
    pub(super) fn is_at_new_line(&self) -> bool {
        self.layout.lines != Lines::Join && self.next().begins_line()
    }

    /// Whether the next token ends a block by indentation.
    pub(super) fn is_outdented(&self) -> bool {
        let next = self.next();
        matches!(self.layout.lines, Lines::EndBlock { .. })
            && next.begins_line()
            && next.indent < self.layout.indent
            && next.kind != TokenKind::End
    }

    /// Reads a part of the grammar that can contain itself.
    pub(super) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEPTH_MAX {
            let message = format!("expressions are nested more than {DEPTH_MAX} deep here");
            return Err(TextError::new(self.next().span, Reason::TooLarge, message));
        }
        self.depth += 1;
        let part = read(self);
        self.depth -= 1;
        part
    }

    /// Reads the inside of brackets, or a block by indentation, in which line ends have another meaning.
    pub(super) fn within<T>(
        &mut self,
        layout: Layout,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let outer = mem::replace(&mut self.layout, layout);
        let part = read(self);
        self.layout = outer;
        part
    }

    /// The layout in parentheses and square brackets, whose opening one was just passed.
    pub(super) fn joined_lines(&self) -> Layout {
        let next = self.next();
        let indent = if next.begins_line() { next.indent } else { self.layout.indent };
        Layout { lines: Lines::Join, indent }
    }

    /// The text of the query from the byte `start` to the last token that was passed.
    pub(super) fn written(&self, start: usize) -> &'t str {
        let span = self.span_from(start);
        &self.query[span.start..span.end]
    }

    /// The fault that the next token is not `wanted`.
    pub(super) fn unexpected(&self, wanted: &str) -> TextError {
        let Token { kind, span, .. } = self.next();
        if *kind == TokenKind::End {
            let message = format!("{wanted} is expected, but the query ends");
            return TextError::new(*span, Reason::Unfinished, message);
        }
        let found = quoted(&self.query[span.start..span.end]);
        TextError::new(*span, Reason::Syntax, format!("{wanted} is expected, but here is `{found}`"))
    }

    /// A new name, which no name in a query is.
    pub(super) fn generate(&mut self, span: Span) -> Word {
        self.generated += 1;
        Word { text: format!("_{}", self.generated), span }
    }

    /// Reads parts with commas between, and the closing bracket. A comma can follow the last part.
    pub(super) fn list<T>(
        &mut self,
        bracket: Bracket,
        mut part: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let close = TokenKind::Close(bracket);
        let mut parts = Vec::new();
        while !self.is_next(&close) {
            parts.push(part(self)?);
            if self.take_if(&TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(&close, &format!("`,` or `{}`", bracket.closing()))?;
        Ok(parts)
    }
}
