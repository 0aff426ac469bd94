//! White space and comments between the tokens of a query.

use winnow::Parser;
use winnow::combinator::{alt, repeat};
use winnow::token::{any, take_till, take_while};

use super::input::{Input, Lexed, cut, place};
use super::tokens::Gap;
use crate::error::Reason;
use crate::syntax::Span;

/// Skips white space and comments, and says what of them the grammar needs.
pub(super) fn gap(input: &mut Input<'_>) -> Lexed<Gap> {
    let white = take_while(1.., [' ', '\t', '\n', '\r', '\x0c']).void();
    let line_comment = ("//", take_till(0.., '\n')).void();
    let parts = repeat::<_, _, (), _, _>(0.., alt((white, line_comment, block_comment)));
    parts.take().map(gap_of).parse_next(input)
}

/// A comment with `/*`, which can contain others.
fn block_comment(input: &mut Input<'_>) -> Lexed<()> {
    let start = place(input);
    "/*".parse_next(input)?;
    let mut depth = 1;
    while depth > 0 {
        take_till(0.., ['/', '*']).parse_next(input)?;
        if input.is_empty() {
            let span = Span { start, end: start + 2 };
            return Err(cut(span, Reason::Unfinished, "the comment that `/*` begins has no `*/`"));
        }
        match alt(("/*", "*/", any.take())).parse_next(input)? {
            "/*" => depth += 1,
            "*/" => depth -= 1,
            _ => {}
        }
    }
    Ok(())
}

fn gap_of(gap: &str) -> Gap {
    let mut lines = gap.split('\n').skip(1).peekable();
    if lines.peek().is_none() {
        return Gap::Space;
    }
    while let Some(line) = lines.next() {
        if lines.peek().is_some() && line.trim().is_empty() {
            return Gap::EmptyLine;
        }
    }
    Gap::NewLine
}
