//! Text for terminals. A graph's content is not trusted: control sequences in it never reach a terminal.

use std::borrow::Cow;
use std::fmt::Write;

use varvite_cpg::characters::{beginning, is_treacherous};

use super::plain_run::plain_run;

/// The maximum number of characters of a text in a table.
const CHARS_MAX: usize = 100;

/// The text, shortened, with invisible characters escaped.
pub fn shortened(text: &str) -> Cow<'_, str> {
    match beginning(text, CHARS_MAX) {
        None => escaped(text),
        Some(beginning) => Cow::Owned(escaped(beginning).into_owned() + "…"),
    }
}

/// The text, with invisible characters escaped.
pub fn escaped(text: &str) -> Cow<'_, str> {
    let is_plain = plain_run(text.as_bytes(), |byte| !matches!(byte, b' '..=b'~')) == text.len();
    if is_plain || !text.contains(is_treacherous) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    text.chars().for_each(|character| push_escaped(&mut shown, character));
    Cow::Owned(shown)
}

/// A line of source code, with invisible characters except tabs escaped.
pub fn escaped_code(line: &str) -> String {
    line.split('\t').map(escaped).collect::<Vec<_>>().join("\t")
}

/// A text in JSON, with invisible characters escaped. In JSON they can stand only inside strings, where the
/// escape means the same character.
pub fn escaped_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match is_treacherous(character) {
            true => character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                write!(shown, "\\u{unit:04x}").expect("writing to a string does not fail");
            }),
            false => shown.push(character),
        }
    }
    shown
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
    fn escaped_json_means_the_same_text() {
        let text = "a\u{202e}b\u{7f}\u{e0041}ä";
        let json = serde_json::to_string(text).unwrap();
        assert_eq!(escaped_json(&json), r#""a\u202eb\u007f\udb40\udc41ä""#);
        assert_eq!(serde_json::from_str::<String>(&escaped_json(&json)).unwrap(), text);
    }

    #[test]
    fn tabs_stay_in_code() {
        assert_eq!(escaped_code("\tif (x)\u{1b}[2J"), "\tif (x)\\u{1b}[2J");
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
