//! Text for terminals. A graph's content is not trusted: control sequences in it never reach a terminal.

use std::borrow::Cow;
use std::fmt::Write;

/// The maximum number of characters of a text in a table.
const CHARS_MAX: usize = 100;

/// The text, shortened, with invisible characters escaped.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(CHARS_MAX) {
        None => escaped(text),
        Some((end, _)) => Cow::Owned(escaped(&text[..end]).into_owned() + "…"),
    }
}

/// The text, with invisible characters escaped.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_treacherous) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|character| push_escaped(&mut shown, character));
    Cow::Owned(shown)
}

fn push_escaped(shown: &mut String, character: char) {
    match character {
        '\n' => shown.push_str("\\n"),
        '\t' => shown.push_str("\\t"),
        '\r' => shown.push_str("\\r"),
        _ if is_treacherous(character) => {
            write!(shown, "\\u{{{:x}}}", u32::from(character)).expect("writing to a string does not fail");
        }
        _ => shown.push(character),
    }
}

/// Whether a character is a control character, reorders or hides text, or breaks lines.
fn is_treacherous(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(shortened("a\n\tb"), "a\\n\\tb");
        assert_eq!(shortened("\u{1b}[31mred\u{9b}0m"), "\\u{1b}[31mred\\u{9b}0m");
        assert_eq!(shortened("if (\u{202e}x\u{2066})"), "if (\\u{202e}x\\u{2066})");
    }

    #[test]
    fn other_text_is_shown_as_it_is() {
        assert_eq!(shortened("größe → 大小 \\n"), "größe → 大小 \\n");
    }

    #[test]
    fn long_text_is_shortened_by_characters() {
        assert_eq!(shortened(&"ä".repeat(CHARS_MAX)), "ä".repeat(CHARS_MAX));
        assert_eq!(shortened(&"ä".repeat(CHARS_MAX + 1)), "ä".repeat(CHARS_MAX) + "…");
    }
}
