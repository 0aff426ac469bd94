//! Names, reserved words, and `_`.

use winnow::Parser;
use winnow::combinator::{opt, peek};
use winnow::error::ErrMode;
use winnow::token::{take_till, take_while};

use super::input::{Input, Lexed, cut, place};
use super::tokens::TokenKind;
use crate::error::{Reason, TextError};
use crate::syntax::Span;
use crate::visible::quoted;

/// The reserved words of Scala 3.
const KEYWORDS: [&str; 42] = [
    "abstract",
    "case",
    "catch",
    "class",
    "def",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "final",
    "finally",
    "for",
    "given",
    "if",
    "implicit",
    "import",
    "lazy",
    "match",
    "new",
    "null",
    "object",
    "override",
    "package",
    "private",
    "protected",
    "return",
    "sealed",
    "super",
    "then",
    "this",
    "throw",
    "trait",
    "true",
    "try",
    "type",
    "val",
    "var",
    "while",
    "with",
    "yield",
];

pub(super) fn begins_name(first: char) -> bool {
    first.is_alphabetic() || first == '_' || first == '$'
}

pub(super) fn continues_name(next: char) -> bool {
    next.is_alphanumeric() || next == '_' || next == '$'
}

/// A name, a reserved word, or `_`.
pub(super) fn name<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let start = place(input);
    let name: &str = take_while(1.., continues_name).parse_next(input)?;
    if opt(peek('"')).parse_next(input)?.is_some() {
        return Err(interpolation(name, start));
    }
    Ok(match name {
        "_" => TokenKind::Underscore,
        _ if KEYWORDS.contains(&name) => TokenKind::Keyword(name),
        _ => TokenKind::Name(name),
    })
}

fn interpolation(name: &str, start: usize) -> ErrMode<TextError> {
    let advice = match name {
        "s" | "f" => "join texts with `+`, as in `\"a\" + x`",
        "raw" => "write the text between \"\"\" and \"\"\"",
        _ => "write a space between a name and a text",
    };
    let span = Span { start, end: start + name.len() + 1 };
    let name = quoted(name);
    cut(span, Reason::Interpolation, format!("`{name}\"..\"` is an interpolated text: {advice}"))
}

/// A name in backquotes, which can be a reserved word.
pub(super) fn quoted_name<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let start = place(input);
    let Some((_, name, _)) = opt(('`', take_till(1.., ['`', '\n']), '`')).parse_next(input)? else {
        let fault = "a name in backquotes has no closing backquote in its line";
        return Err(cut(Span { start, end: start + 1 }, Reason::Syntax, fault));
    };
    Ok(TokenKind::Name(name))
}
