//! Texts of a graph or a patch as Markdown. They come from strangers, and must not become markup.

use std::fmt::Write;

use crate::output::escaped;

/// A text as code within a line or a cell of a table, on one line.
///
/// In a code span, GitHub reads no markup, mention or number of an issue. But a backtick ends it, and `|` or
/// a backslash may end the cell of a table. A text with any unusual character is an element `code` instead,
/// in which each such character is an entity.
pub(super) fn code(text: &str) -> String {
    let text = escaped(text);
    if text.is_empty() {
        return String::new();
    }
    let is_edge = |character: Option<char>| character == Some(' ');
    if text.chars().all(is_plain) && !is_edge(text.chars().next()) && !is_edge(text.chars().last()) {
        return format!("`{text}`");
    }
    let mut code = String::from("<code>");
    for character in text.chars() {
        match character {
            character if character.is_alphanumeric() => code.push(character),
            character => {
                write!(code, "&#{};", u32::from(character)).expect("writing to a string does not fail")
            }
        }
    }
    code + "</code>"
}

/// Whether a character means nothing in a code span or a table.
fn is_plain(character: char) -> bool {
    character.is_alphanumeric() || " _-./:;,()[]{}<>*&~=+!?$%^#@'\"".contains(character)
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn usual_names_stay_readable() {
        for name in
            ["deflate_stored", "<global>", "a.B.c:void(int[])", "~Box", "src/x y.c:12", "gr\u{f6}\u{df}e"]
        {
            assert_eq!(code(name), format!("`{name}`"));
        }
    }

    #[test]
    fn no_character_of_a_name_ends_its_code_or_its_cell() {
        for name in [
            "a|b",
            "a`b",
            "``",
            "\\|",
            "a\\",
            " a",
            "a ",
            "`<img src=x onerror=y>`",
            "x\n| y",
            "a\u{1b}[2J\r\n# h",
        ] {
            let shown = code(name);
            let inside = shown.strip_prefix("<code>").and_then(|rest| rest.strip_suffix("</code>")).unwrap();
            let is_harmless = |character: char| character.is_alphanumeric() || "&#;".contains(character);
            assert!(inside.chars().all(is_harmless), "{shown}");
        }
        assert_eq!(code("a|b"), "<code>a&#124;b</code>");
        assert_eq!(code(""), "");
    }

    #[test]
    fn characters_that_hide_or_reorder_text_are_shown() {
        assert_eq!(code("a\u{202e}b"), "<code>a&#92;u&#123;202e&#125;b</code>");
    }
}
