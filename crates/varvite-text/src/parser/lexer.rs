//! Splits a query into tokens, by the rules of Scala 3.

use winnow::combinator::{dispatch, peek};
use winnow::error::ErrMode;
use winnow::stream::Stream;
use winnow::token::any;
use winnow::{LocatingSlice, Parser};

use super::gaps::gap;
use super::input::{Input, Lexed, cut, place};
use super::names::{begins_name, name, quoted_name};
use super::numbers::number;
use super::texts::{character, text};
use super::tokens::{Bracket, Gap, Token, TokenKind};
use crate::error::{Reason, Result, TextError};
use crate::syntax::Span;
use crate::visible::quoted;

/// The tokens of a query. The last is [`TokenKind::End`].
pub(super) fn tokens(query: &str) -> Result<Vec<Token<'_>>> {
    let mut input = LocatingSlice::new(query);
    let mut tokens = Vec::new();
    loop {
        let gap = gap(&mut input).map_err(fault)?;
        let begins_line = gap != Gap::Space || tokens.is_empty();
        let indent = if begins_line { indent(&query[..place(&input)]) } else { 0 };
        let (kind, range) = token.with_span().parse_next(&mut input).map_err(fault)?;
        let last = kind == TokenKind::End;
        tokens.push(Token { kind, span: Span { start: range.start, end: range.end }, gap, indent });
        if last {
            return Ok(tokens);
        }
    }
}

fn fault(error: ErrMode<TextError>) -> TextError {
    match error {
        ErrMode::Cut(fault) | ErrMode::Backtrack(fault) => fault,
        ErrMode::Incomplete(_) => unreachable!("the lexer has the whole query"),
    }
}

/// The number of characters in the last line of `before`.
fn indent(before: &str) -> usize {
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    before[line..].chars().count()
}

fn token<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    if input.is_empty() {
        return Ok(TokenKind::End);
    }
    dispatch! { peek(any);
        '"' => text.map(TokenKind::Text),
        '\'' => character.map(TokenKind::Text),
        '`' => quoted_name,
        '0'..='9' => number,
        first if begins_name(first) => name,
        first if is_operator(first) => operator,
        _ => sign,
    }
    .parse_next(input)
}

fn is_operator(next: char) -> bool {
    "!#%&*+-/:<=>?@\\^|~".contains(next)
}

/// The longest sign of operator characters; a comment ends it.
fn operator<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let rest: &str = input.as_ref();
    let ends =
        |at: usize, next| !is_operator(next) || ["//", "/*"].iter().any(|end| rest[at..].starts_with(end));
    let end = rest.char_indices().find(|(at, next)| ends(*at, *next)).map_or(rest.len(), |(at, _)| at);
    let signs = input.next_slice(end);
    Ok(match signs {
        "=" => TokenKind::Assign,
        "=>" => TokenKind::Arrow,
        ":" => TokenKind::Colon,
        "@" => TokenKind::At,
        _ => TokenKind::Operator(signs),
    })
}

/// A bracket, or a sign between parts of the query.
fn sign<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let start = place(input);
    let sign: char = any.parse_next(input)?;
    Ok(match sign {
        '(' => TokenKind::Open(Bracket::Round),
        '[' => TokenKind::Open(Bracket::Square),
        '{' => TokenKind::Open(Bracket::Curly),
        ')' => TokenKind::Close(Bracket::Round),
        ']' => TokenKind::Close(Bracket::Square),
        '}' => TokenKind::Close(Bracket::Curly),
        '.' => TokenKind::Dot,
        ',' => TokenKind::Comma,
        ';' => TokenKind::Semicolon,
        _ => return Err(no_sign(sign, Span { start, end: start + sign.len_utf8() })),
    })
}

fn no_sign(sign: char, span: Span) -> ErrMode<TextError> {
    let advice = match sign {
        '“' | '”' | '„' | '«' | '»' => ": write `\"` around a text",
        '‘' | '’' => ": write `'` around a character, `\"` around a text",
        '–' | '—' | '−' => ": write `-`",
        '⇒' => ": write `=>`",
        '→' => ": write `->`",
        '≠' => ": write `!=`",
        '≤' => ": write `<=`",
        '≥' => ": write `>=`",
        '…' => ": write the query in full",
        _ if sign.is_whitespace() => ": write a plain space",
        _ => "",
    };
    let sign = quoted(sign.encode_utf8(&mut [0; 4]));
    cut(span, Reason::Syntax, format!("`{sign}` is no sign of the query language{advice}"))
}
