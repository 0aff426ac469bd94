//! Regular expressions of Java, as the engine's expressions.

use varvite::pipeline::{Literal, Predicate, one_of, regex};

use crate::error::{Reason, Result, TextError};
use crate::syntax::Span;

/// The characters without which Joern compares a pattern exactly. `^` is not among them.
const SPECIAL: &[char] = &['[', ']', '(', ')', '{', '}', '*', '+', '&', '|', '?', '.', ',', '\\', '$'];

/// A test of texts by one or several patterns, as the steps `name`, `code` .. make it: a text that is no
/// expression is compared exactly, if it is the only one.
pub(super) fn text_test(patterns: &[(String, Span)]) -> Result<Predicate> {
    match patterns {
        [(pattern, _)] if !pattern.contains(SPECIAL) => Ok(Predicate::Eq(Literal::Text(pattern.clone()))),
        [(pattern, span)] => whole(pattern, *span),
        several => {
            let parts =
                several.iter().map(|(pattern, span)| Ok(format!("(?:{})", translated(pattern, *span)?)));
            Ok(regex(parts.collect::<Result<Vec<_>>>()?.join("|")))
        }
    }
}

/// A test of whole texts by a pattern in which a dot matches every character.
fn whole(pattern: &str, span: Span) -> Result<Predicate> {
    match alternatives(pattern) {
        Some(texts) => Ok(one_of(texts)),
        None => Ok(regex(translated(pattern, span)?)),
    }
}

/// The texts of a pattern that is nothing but alternatives of plain texts: `memcpy|memset`, `(a|b)`.
fn alternatives(pattern: &str) -> Option<Vec<String>> {
    let inside = pattern.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(pattern);
    let is_plain =
        |text: &str| !text.contains(|letter| letter != '|' && (letter == '^' || SPECIAL.contains(&letter)));
    let is_list = inside.contains('|') && is_plain(inside);
    is_list.then(|| inside.split('|').map(str::to_owned).collect())
}

/// A test of whole texts by a pattern in which a dot stops at line ends, as `String.matches` does it.
pub(super) fn matches(pattern: &str, span: Span) -> Result<Predicate> {
    Ok(regex(format!("(?-s:{})", translated(pattern, span)?)))
}

/// The same expression in the engine's syntax. Java's classes `\d`, `\w`, `\s` and `\b` know ASCII alone.
fn translated(pattern: &str, span: Span) -> Result<String> {
    let refused = |what: &str| {
        let message = format!("{what} in the regular expression {pattern:?} is not supported");
        Err(TextError::new(span, Reason::NotInPlans, message))
    };
    let mut output = String::with_capacity(pattern.len() + 8);
    let mut letters = pattern.chars().peekable();
    let mut class_depth = 0_usize;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('d') => output.push_str(in_class(class_depth, "0-9")),
                Some('D') if class_depth == 0 => output.push_str("[^0-9]"),
                Some('w') => output.push_str(in_class(class_depth, "a-zA-Z_0-9")),
                Some('W') if class_depth == 0 => output.push_str("[^a-zA-Z_0-9]"),
                Some('s') => output.push_str(in_class(class_depth, r"\t\n\x0B\f\r\x20")),
                Some('S') if class_depth == 0 => output.push_str(r"[^\t\n\x0B\f\r\x20]"),
                Some('b') if class_depth == 0 => output.push_str("(?-u:\\b)"),
                Some('Q') => quote(&mut letters, &mut output),
                Some('Z') => output.push_str("\\z"),
                Some('1'..='9') => return refused("a reference to a group"),
                Some('k') => return refused("a reference to a group"),
                Some('G') => return refused("\\G"),
                Some('h' | 'H' | 'v' | 'V' | 'R' | 'X') => return refused("a class of white space"),
                Some(other) => output.extend(['\\', other]),
                None => return refused("a backslash at the end"),
            },
            '[' if class_depth > 0 || letters.peek().is_some() => {
                class_depth += 1;
                output.push('[');
            }
            ']' => {
                class_depth = class_depth.saturating_sub(1);
                output.push(']');
            }
            '(' if class_depth == 0 => {
                output.push('(');
                let rest: String = letters.clone().take(3).collect();
                if rest.starts_with("?=") || rest.starts_with("?!") {
                    return refused("a look ahead");
                }
                if rest.starts_with("?<=") || rest.starts_with("?<!") {
                    return refused("a look behind");
                }
                if rest.starts_with("?>") {
                    return refused("an atomic group");
                }
            }
            '*' | '+' | '?' | '}' if class_depth == 0 => {
                output.push(letter);
                if letters.peek() == Some(&'+') {
                    return refused("a possessive repetition");
                }
            }
            letter => output.push(letter),
        }
    }
    Ok(output)
}

/// The characters of a class, in brackets unless they are inside some already.
fn in_class(depth: usize, characters: &'static str) -> &'static str {
    match (depth, characters) {
        (0, "0-9") => "[0-9]",
        (0, "a-zA-Z_0-9") => "[a-zA-Z_0-9]",
        (0, _) => r"[\t\n\x0B\f\r\x20]",
        (_, characters) => characters,
    }
}

/// Appends the text up to `\E`, in which no character is special.
fn quote(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, output: &mut String) {
    while let Some(letter) = letters.next() {
        if letter == '\\' && letters.peek() == Some(&'E') {
            letters.next();
            return;
        }
        if !letter.is_alphanumeric() && !letter.is_whitespace() && letter.is_ascii() {
            output.push('\\');
        }
        output.push(letter);
    }
}
