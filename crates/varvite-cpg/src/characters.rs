//! Characters of texts that strangers wrote, such as names and code, for terminals, pages and drawings.

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

#[cfg(test)]
mod tests {
    use super::*;

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
