//! Reads numbers: `42`, `1_000`, `0x2A`, `42L`, `1.5`, `1e3`.

use winnow::Parser;
use winnow::combinator::{alt, opt};
use winnow::token::{one_of, take_while};

use super::input::{Input, Lexed, cut, place};
use super::names::continues_name;
use super::tokens::TokenKind;
use crate::error::Reason;
use crate::syntax::Span;
use crate::visible::quoted;

/// The largest integer without `L`. It is one more than Scala's, which has this number after a minus.
const INT_MAX: i64 = 1 << 31;

/// A number without its sign.
pub(super) fn number<'t>(input: &mut Input<'t>) -> Lexed<TokenKind<'t>> {
    let start = place(input);
    let number = alt((hexadecimal, decimal)).parse_next(input)?;
    let rest: &str = take_while(0.., continues_name).parse_next(input)?;
    let span = Span { start, end: place(input) };
    if !rest.is_empty() {
        let message = format!("`{}` follows a number: write a space or an operator between", quoted(rest));
        return Err(cut(span, Reason::Syntax, message));
    }
    number.map_err(|advice| cut(span, Reason::Syntax, format!("the number is too large{advice}")))
}

/// A number, or for one that is too large what to write instead.
type Number = Result<TokenKind<'static>, &'static str>;

/// `0x2A`: 32 bits, of which the first is the sign; 64 with `L`.
fn hexadecimal(input: &mut Input<'_>) -> Lexed<Number> {
    let digits = take_while(1.., |digit: char| digit.is_ascii_hexdigit() || digit == '_');
    let (_, _, digits, long) =
        ('0', one_of(['x', 'X']), digits, opt(one_of(['L', 'l']))).parse_next(input)?;
    let Ok(bits) = u64::from_str_radix(&plain(digits), 16) else { return Ok(Err("")) };
    Ok(match (long, u32::try_from(bits)) {
        (Some(_), _) => Ok(TokenKind::Integer(bits as i64)),
        (None, Ok(bits)) => Ok(TokenKind::Integer(i64::from(bits as i32))),
        (None, Err(_)) => Err(NEEDS_L),
    })
}

const NEEDS_L: &str = ": write `L` after it";

fn decimal(input: &mut Input<'_>) -> Lexed<Number> {
    let whole: &str = digits.parse_next(input)?;
    let fraction = ('.', digits).void();
    let exponent = (one_of(['e', 'E']), opt(one_of(['+', '-'])), digits).void();
    let rest: &str = (opt(fraction), opt(exponent)).take().parse_next(input)?;
    let suffix = opt(one_of(['L', 'l', 'F', 'f', 'D', 'd'])).parse_next(input)?;
    Ok(match suffix {
        Some('L' | 'l') if rest.is_empty() => plain(whole).parse().map(TokenKind::Integer).map_err(|_| ""),
        None if rest.is_empty() => integer(&plain(whole)),
        _ => float(&plain(&format!("{whole}{rest}"))),
    })
}

/// One digit or more, with `_` between them.
fn digits<'t>(input: &mut Input<'t>) -> Lexed<&'t str> {
    let more = take_while(0.., |digit: char| digit.is_ascii_digit() || digit == '_');
    (one_of('0'..='9'), more).take().parse_next(input)
}

fn plain(digits: &str) -> String {
    digits.replace('_', "")
}

fn integer(digits: &str) -> Number {
    let value: i64 = digits.parse().map_err(|_| "")?;
    if value <= INT_MAX { Ok(TokenKind::Integer(value)) } else { Err(NEEDS_L) }
}

fn float(number: &str) -> Number {
    let value: f64 = number.parse().map_err(|_| "")?;
    if value.is_finite() { Ok(TokenKind::Float(value)) } else { Err("") }
}
