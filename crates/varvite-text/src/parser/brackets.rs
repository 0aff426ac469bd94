//! Finds the closing bracket of each opening one, before the grammar is read.
//!
//! The grammar looks beyond brackets to tell a lambda from a tuple, at no cost; and a missing bracket is
//! reported where it was opened, not at the end of the query.

use super::tokens::{Bracket, Token, TokenKind};
use crate::error::{Reason, Result, TextError};

/// For each token, the index of the token that closes it; an index of its own for other tokens.
pub(super) fn closings(tokens: &[Token<'_>]) -> Result<Vec<usize>> {
    let mut closings: Vec<usize> = (0..tokens.len()).collect();
    let mut open: Vec<(usize, Bracket)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open(bracket) => open.push((at, bracket)),
            TokenKind::Close(bracket) => match open.pop() {
                Some((start, opening)) if opening == bracket => closings[start] = at,
                Some((start, opening)) => return Err(crossed(&tokens[start], opening, token, bracket)),
                None => return Err(unopened(token, bracket)),
            },
            _ => {}
        }
    }
    open.pop().map_or(Ok(closings), |(start, bracket)| Err(unclosed(&tokens[start], bracket)))
}

fn crossed(start: &Token<'_>, opening: Bracket, end: &Token<'_>, closing: Bracket) -> TextError {
    let (open, wanted, found) = (opening.opening(), opening.closing(), closing.closing());
    let byte = start.span.start + 1;
    let message = format!("`{found}` cannot close the `{open}` at byte {byte}: write `{wanted}` before it");
    TextError::new(end.span, Reason::Syntax, message)
}

fn unopened(end: &Token<'_>, closing: Bracket) -> TextError {
    let (open, close) = (closing.opening(), closing.closing());
    TextError::new(end.span, Reason::Syntax, format!("`{close}` closes nothing: no `{open}` is open here"))
}

fn unclosed(start: &Token<'_>, opening: Bracket) -> TextError {
    let (open, close) = (opening.opening(), opening.closing());
    TextError::new(start.span, Reason::Unfinished, format!("`{open}` is never closed: write `{close}`"))
}
