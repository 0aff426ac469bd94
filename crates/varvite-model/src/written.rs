//! Parts of other files that are generated from tables in Rust. A test checks that each part is up to date.
//!
//! A part is between two marks in its file; the rest of the file is written by hand. `make bless` regenerates
//! the parts.

use std::path::{Path, PathBuf};

/// A part of a file: the lines after the line `opening`, up to the next line that begins with `closing`.
#[derive(Debug)]
pub struct Part {
    /// The line before the part.
    pub opening: String,
    /// The beginning of the line after the part.
    pub closing: &'static str,
    /// The expected text of the part.
    pub text: String,
}

/// Compares the parts of a file of the repository with their expected texts, or writes them if the
/// environment variable `BLESS` is set.
///
/// # Panics
/// Panics if a part is missing or differs, or the file cannot be read or written.
pub fn check(path: &str, parts: &[Part]) {
    let found = std::fs::read_to_string(of_repository(path)).expect("the file is in the repository");
    let expected = parts.iter().fold(found.clone(), |text, part| filled(&text, part));
    compare(path, &found, &expected);
}

/// The same for a file that is generated as a whole.
///
/// # Panics
/// Panics if the file differs, or cannot be read or written.
pub fn check_whole(path: &str, expected: &str) {
    let found = std::fs::read_to_string(of_repository(path)).unwrap_or_default();
    compare(path, &found, expected);
}

/// The width of a line of Python, in characters.
const PYTHON_WIDTH: usize = 120;

/// A text as the documentation of a class or method in Python, wrapped to lines of 120 characters that begin
/// with `indent`.
#[must_use]
pub fn python_documentation(indent: &str, text: &str) -> String {
    let mut lines = vec![format!("{indent}\"\"\"")];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is a first line");
        let is_first = last.ends_with("\"\"\"");
        // Three characters more for the closing marks.
        match last.chars().count() + 1 + word.chars().count() + 3 <= PYTHON_WIDTH {
            true if is_first => last.push_str(word),
            true => last.push_str(&format!(" {word}")),
            false => lines.push(format!("{indent}{word}")),
        }
    }
    format!("{}\"\"\"\n", lines.join("\n"))
}

fn of_repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn compare(path: &str, found: &str, expected: &str) {
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(of_repository(path), expected).expect("the folder is in the repository");
        return;
    }
    let lines = || (1..).zip(found.lines().zip(expected.lines()));
    let differing = lines().find(|(_, (found, expected))| found != expected);
    assert!(found == expected, "{path} is not what the table says: `make bless`; {differing:?}");
}

fn filled(text: &str, part: &Part) -> String {
    let opening = format!("{}\n", part.opening);
    let (before, rest) = text.split_once(&opening).unwrap_or_else(|| panic!("no line {}", part.opening));
    let (_, after) = rest.split_once(part.closing).unwrap_or_else(|| panic!("no {}", part.closing));
    format!("{before}{opening}{}{}{after}", part.text, part.closing)
}

#[test]
fn a_part_is_replaced_and_nothing_else() {
    let part = Part { opening: "<b>".into(), closing: "</b>", text: "new\n".into() };
    assert_eq!(filled("a\n<b>\nold\n</b>\nc\n", &part), "a\n<b>\nnew\n</b>\nc\n");
}
