//! Texts of strangers as texts of HTML and XML.

use std::borrow::Cow;

use quick_xml::escape::escape;
use varvite_cpg::characters;
use varvite_show::escaped_code;

/// The greatest number of characters of a text in a cell.
const CHARS_MAX: usize = 160;

/// A text for HTML and XML. Characters with a meaning in them are escaped. Characters that hide or reorder
/// text, or that XML can't contain, are shown by their numbers.
pub(super) fn escaped(text: &str) -> String {
    let shown: String = escaped_code(text).chars().map(allowed).collect();
    escape(&*shown).into_owned()
}

/// The character, or U+FFFD for one of the two that are valid in texts but not in XML.
fn allowed(character: char) -> char {
    match character {
        '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        character => character,
    }
}

/// The text, cut after 160 characters.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    characters::shortened(text, CHARS_MAX)
}

/// The first line of a text that is not blank, without the blanks around it. Three dots stand for the rest.
pub(crate) fn first_line(text: &str) -> String {
    characters::first_line(text, CHARS_MAX).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_no_markup_and_hide_nothing() {
        let text = "<b onclick=\"x\">&'\u{202e}\u{1b}[2J\u{ffff}{{1+1}}\t\u{e0041}\n";
        let expected =
            "&lt;b onclick=&quot;x&quot;&gt;&amp;&apos;\\u{202e}\\u{1b}[2J\u{fffd}{{1+1}}\t\\u{e0041}\\n";
        assert_eq!(escaped(text), expected);
    }

    #[test]
    fn long_texts_and_many_lines_are_cut() {
        assert_eq!(shortened(&"ä".repeat(160)), "ä".repeat(160));
        assert_eq!(shortened(&"ä".repeat(161)), "ä".repeat(160) + "…");
        assert_eq!(first_line("\n  int x;\n\n"), "int x;");
        assert_eq!(first_line("if (x) {\n  y();\n}"), "if (x) {…");
        assert_eq!(first_line(""), "");
    }
}
