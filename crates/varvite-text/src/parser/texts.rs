//! Texts: `"a\n"`, `"""a\d"""`, and characters, which are texts too: `'a'`.

use winnow::Parser;
use winnow::combinator::{alt, opt, preceded};
use winnow::error::ErrMode;
use winnow::token::{none_of, one_of, take_till, take_until, take_while};

use super::input::{Input, Lexed, cut, place};
use crate::error::{Reason, TextError};
use crate::syntax::Span;
use crate::visible::quoted;

/// A text in one or in three quotes, without them.
pub(super) fn text(input: &mut Input<'_>) -> Lexed<String> {
    alt((raw_text, plain_text)).parse_next(input)
}

/// A text in three quotes. More than three at its end belong to it.
fn raw_text(input: &mut Input<'_>) -> Lexed<String> {
    let start = place(input);
    "\"\"\"".parse_next(input)?;
    let closed = (take_until(0.., "\"\"\""), "\"\"\"", take_while(0.., '"'));
    let Some((text, _, quotes)) = opt(closed).parse_next(input)? else {
        let fault = "the text that \"\"\" begins has no closing \"\"\"";
        return Err(cut(Span { start, end: start + 3 }, Reason::Unfinished, fault));
    };
    let (text, quotes): (&str, &str) = (text, quotes);
    Ok(format!("{text}{quotes}"))
}

fn plain_text(input: &mut Input<'_>) -> Lexed<String> {
    let start = place(input);
    '"'.parse_next(input)?;
    let mut text = String::new();
    loop {
        text += take_till(0.., ['"', '\\', '\n']).parse_next(input)?;
        let next = match opt(one_of(['"', '\\'])).parse_next(input)? {
            Some('"') => return Ok(text),
            Some(_) => escape(input)?,
            None => None,
        };
        text.push(next.ok_or_else(|| unclosed(Span { start, end: place(input) }))?);
    }
}

fn unclosed(span: Span) -> ErrMode<TextError> {
    let advice = "write `\\n` for a line end, or \"\"\" around several lines";
    cut(span, Reason::Syntax, format!("the text has no closing `\"` in its line: {advice}"))
}

/// A character: `'a'`.
pub(super) fn character(input: &mut Input<'_>) -> Lexed<String> {
    let start = place(input);
    '\''.parse_next(input)?;
    let character = match opt(none_of(['\'', '\n'])).parse_next(input)? {
        Some('\\') => escape(input)?,
        character => character,
    };
    let closed = opt('\'').parse_next(input)?;
    let fault = "`'` goes around one character: write `\"` around a text";
    let span = Span { start, end: start + 1 };
    character.filter(|_| closed.is_some()).map(String::from).ok_or_else(|| cut(span, Reason::Syntax, fault))
}

/// The character that an escape means, after its backslash; none at the end of the line.
fn escape(input: &mut Input<'_>) -> Lexed<Option<char>> {
    let start = place(input) - 1;
    let Some(escape) = opt(none_of('\n')).parse_next(input)? else { return Ok(None) };
    Ok(Some(match escape {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\x08',
        'f' => '\x0c',
        '"' | '\'' | '\\' => escape,
        'u' => unicode(input, start)?,
        _ => return Err(no_escape(escape, Span { start, end: place(input) })),
    }))
}

fn no_escape(escape: char, span: Span) -> ErrMode<TextError> {
    let escape = quoted(escape.encode_utf8(&mut [0; 4]));
    let advice = format!("write `\\\\{escape}` for a backslash, or \"\"\" around the text");
    cut(span, Reason::Syntax, format!("`\\{escape}` is no escape: {advice}"))
}

/// The character of `\u00e9`, after `u`; a character beyond 16 bits has two escapes.
fn unicode(input: &mut Input<'_>, start: usize) -> Lexed<char> {
    let first = unit(input)?;
    let second = match first {
        Some(0xd800..=0xdbff) => opt(preceded("\\u", unit)).parse_next(input)?.flatten(),
        _ => None,
    };
    let character = char::decode_utf16(first.into_iter().chain(second)).next();
    let fault = "`\\u` needs four hexadecimal digits of a character, such as `\\u00e9`";
    let span = Span { start, end: place(input) };
    character.and_then(Result::ok).ok_or_else(|| cut(span, Reason::Syntax, fault))
}

/// Four hexadecimal digits; none if there are fewer.
fn unit(input: &mut Input<'_>) -> Lexed<Option<u16>> {
    let digits: &str = take_while(0..=4, |digit: char| digit.is_ascii_hexdigit()).parse_next(input)?;
    Ok(u16::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 4))
}
