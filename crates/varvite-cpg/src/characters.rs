//! Characters of texts that strangers wrote, such as names and code, for terminals, pages and drawings; and
//! the beginnings of texts that are too long to show.

use std::borrow::Cow;

/// Whether a character is a control character, reorders or hides text, or breaks lines.
pub fn is_treacherous(character: char) -> bool {
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

/// The first `most` characters of a text that has more; `None` if it has no more.
///
/// **Cost**: time in proportion to `most`.
pub fn beginning(text: &str, most: usize) -> Option<&str> {
    // A text has at least as many bytes as characters.
    if text.len() <= most {
        return None;
    }
    text.char_indices().nth(most).map(|(end, _)| &text[..end])
}

/// The text, or its first `most` characters and `…` if it has more.
///
/// **Cost**: time in proportion to `most`.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match beginning(text, most) {
        None => Cow::Borrowed(text),
        Some(beginning) => Cow::Owned(format!("{beginning}…")),
    }
}

/// The first line of a text that is not blank, without the blanks around it and [`shortened`]; `…` stands for
/// further lines too. An empty text if all lines are blank.
pub fn first_line(text: &str, most: usize) -> Cow<'_, str> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = shortened(lines.next().unwrap_or_default(), most);
    let is_whole = lines.next().is_none() || matches!(first, Cow::Owned(_));
    if is_whole { first } else { Cow::Owned(format!("{first}…")) }
}

/// The beginning of a text of at most `bytes` bytes that ends with a whole character.
pub fn whole(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_cut_ends_with_dots_and_others_stay() {
        assert_eq!((&*shortened("äöü", 2), &*shortened("äöü", 3), &*shortened("", 0)), ("äö…", "äöü", ""));
        for (text, expected) in [
            ("\n  int x;\n\n", "int x;"),
            ("f(a)\n{\n}", "f(a)…"),
            ("abcdefg\nh", "abcdef…"),
            (" \n\t\n", ""),
        ] {
            assert_eq!(first_line(text, 6), expected);
        }
        assert_eq!((whole("aä", 2), whole("aä", 3), whole("aä", 9), whole("ä", 1)), ("a", "aä", "aä", ""));
    }

    #[test]
    fn a_text_begins_with_whole_characters() {
        assert_eq!(beginning("äöü", 2), Some("äö"));
        assert_eq!(beginning("äöü", 0), Some(""));
        assert_eq!((beginning("äöü", 3), beginning("", 0)), (None, None));
    }

    #[test]
    fn characters_that_change_other_text_are_treacherous() {
        assert!(
            "\u{0}\n\u{1b}\u{9b}\u{61c}\u{200b}\u{202e}\u{2066}\u{feff}\u{e0041}".chars().all(is_treacherous)
        );
        assert!(!"aß→大 \u{a0}\u{2010}\u{2070}\u{fffe}\u{e0080}".chars().any(is_treacherous));
    }
}
