//! Text within drawings.

use std::fmt::Write as _;

/// Text for XML: without characters that it gives a meaning to, or can't hold.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            character if character.is_control() => {
                _ = write!(escaped, "{}", char::REPLACEMENT_CHARACTER);
            }
            character => escaped.push(character),
        }
    }
    escaped
}
