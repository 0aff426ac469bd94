//! Text of a query for terminals: characters that hide or reorder text, and those that terminals obey, are
//! shown as escapes.

use varvite_cpg::characters::beginning;
use varvite_show::escaped;

/// The text with such characters as escapes, in one line. A tab is four spaces.
pub(crate) fn visible(text: &str) -> String {
    escaped(&text.replace('\t', "    ")).into_owned()
}

/// The beginning of a part of a query, for a message.
pub(crate) fn quoted(part: &str) -> String {
    const CHARACTERS_MAX: usize = 40;
    match beginning(part, CHARACTERS_MAX) {
        None => visible(part),
        Some(beginning) => visible(beginning) + "…",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_a_terminal_obeys_are_escaped() {
        assert_eq!(visible("\u{1b}[2J\r\n\u{202e}x"), "\\u{1b}[2J\\r\\n\\u{202e}x");
    }

    #[test]
    fn other_characters_are_shown_as_they_are() {
        assert_eq!(visible("\"größe\" → 大小\\n"), "\"größe\" → 大小\\n");
    }

    #[test]
    fn a_long_part_is_cut() {
        assert_eq!(quoted(&"é".repeat(40)), "é".repeat(40));
        assert_eq!(quoted(&"é".repeat(41)), "é".repeat(40) + "…");
    }
}
