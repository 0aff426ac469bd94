//! Wraps the paragraphs of generated pages at the same width as hand-written documents.

/// The maximum number of characters in a line of a document; `cargo xtask tidy` checks every document.
const WIDTH: usize = 120;

/// A paragraph, broken between words into lines of at most 120 characters.
pub fn wrapped(paragraph: &str) -> String {
    let mut text = String::with_capacity(paragraph.len());
    let mut width = 0;
    for piece in pieces(paragraph) {
        let len = piece.chars().count();
        match width {
            0 => width = len,
            _ if width + 1 + len <= WIDTH => {
                text.push(' ');
                width += 1 + len;
            }
            _ => {
                text.push('\n');
                width = len;
            }
        }
        text.push_str(&piece);
    }
    text
}

/// The words of a paragraph. A word that must not begin a line stays together with the word before it.
fn pieces(paragraph: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in paragraph.split_whitespace() {
        match pieces.last_mut() {
            Some(last) if begins_an_item(word) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

/// Whether Markdown takes a line that begins with this word for an item of a list, a heading or a quotation.
fn begins_an_item(word: &str) -> bool {
    let number = word.trim_end_matches(['.', ')']);
    let is_number = number.len() < word.len() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number || matches!(word, "-" | "+" | "*" | ">") || word.bytes().all(|byte| byte == b'#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let text = wrapped(&"word ".repeat(50));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.iter().map(|line| line.len()).collect::<Vec<_>>(), [119, 119, 9]);
        assert_eq!(wrapped("a\n b"), "a b");
    }

    #[test]
    fn what_cannot_be_broken_stays_whole() {
        let long = "x".repeat(130);
        assert_eq!(wrapped(&format!("a {long} b")), format!("a\n{long}\nb"));
    }

    #[test]
    fn no_line_begins_an_item_by_chance() {
        let text = wrapped(&format!("{} files; 9. freed", "x".repeat(112)));
        assert_eq!(text, format!("{}\nfiles; 9. freed", "x".repeat(112)));
    }
}
