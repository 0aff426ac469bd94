//! Rules on single files: headers, lengths, sizes, unfinished words, clean line ends.

use super::files::{File, Files, Finding};

const LINES_MAX: usize = 700;
/// What it takes to say anything at all: "Why an import failed." does.
const LETTERS_MIN: usize = 12;
const BYTES_MAX: u64 = 3 << 20;
/// What counts as source for the length of a file.
const SOURCES: [&str; 8] = ["rs", "java", "py", "scala", "c", "h", "ts", "sh"];
/// Words that say work is left to do; written in halves so that this line is not one of them.
const UNFINISHED: [&str; 4] =
    [concat!("to", "do!"), concat!("unimple", "mented!"), concat!("FIX", "ME"), concat!("TO", "DO")];

/// Every module of a crate opens with a few words on what it is for.
pub(crate) fn headers_open_every_module(files: &Files) -> Vec<Finding> {
    let modules = files.texts().filter(|(file, _)| file.source_of_crate().is_some());
    let bare = modules.filter(|(_, text)| header_letters(text) < LETTERS_MIN);
    bare.map(|(file, _)| file.finding(1, "opens without a //! header that says what it is for")).collect()
}

fn header_letters(text: &str) -> usize {
    let header = text.lines().take_while(|line| line.starts_with("//!"));
    header.map(|line| line.chars().filter(|c| c.is_alphabetic()).count()).sum()
}

/// A source file longer than a long afternoon's reading holds a second idea.
pub(crate) fn files_stay_readable(files: &Files) -> Vec<Finding> {
    let sources = files.texts().filter(|(file, _)| SOURCES.contains(&file.extension()));
    let counted = sources.map(|(file, text)| (file, text.lines().count()));
    let long = counted.filter(|(_, lines)| *lines > LINES_MAX);
    long.map(|(file, lines)| {
        file.finding(0, format!("{lines} lines, more than {LINES_MAX}: look for the second idea in it"))
    })
    .collect()
}

/// Nothing that is committed promises to be finished later.
pub(crate) fn nothing_is_unfinished(files: &Files) -> Vec<Finding> {
    let sources = files.texts().filter(|(file, _)| is_code(file));
    sources.flat_map(|(file, text)| lines_where(file, text, unfinished)).collect()
}

fn is_code(file: &File) -> bool {
    SOURCES.contains(&file.extension()) || file.extension() == "toml" || file.path == "Makefile"
}

fn unfinished(line: &str) -> Option<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '!';
    let word = line.split(|c| !is_part(c)).find(|word| UNFINISHED.contains(word))?;
    Some(format!("'{word}': finish it, or say what is absent in a document"))
}

/// No line ends in a blank. Licence texts stay as their authors wrote them.
pub(crate) fn lines_end_clean(files: &Files) -> Vec<Finding> {
    let ours = files.texts().filter(|(file, _)| !file.path.contains("LICENSE"));
    let blank = |line: &str| line.ends_with([' ', '\t', '\r']).then(|| "ends in a blank".to_owned());
    ours.flat_map(|(file, text)| lines_where(file, text, blank)).collect()
}

/// A clone stays small.
pub(crate) fn nothing_is_huge(files: &Files) -> Vec<Finding> {
    let huge = files.iter().filter(|file| file.size > BYTES_MAX);
    huge.map(|file| file.finding(0, format!("{} bytes, more than {BYTES_MAX}", file.size))).collect()
}

fn lines_where(file: &File, text: &str, what: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    let lines = text.split('\n').enumerate();
    lines.filter_map(|(i, line)| Some(file.finding(i + 1, what(line)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: fn(&Files) -> Vec<Finding>, path: &str, text: &str, lines: &[usize]) {
        let findings = rule(&Files::of_texts(&[(path, text)]));
        let found: Vec<usize> = findings.iter().map(|finding| finding.line).collect();
        assert_eq!(found, lines, "in {path}");
    }

    #[test]
    fn a_module_without_a_header_is_found() {
        let rule = headers_open_every_module;
        check(rule, "crates/a/src/lib.rs", "fn f() {}\n", &[1]);
        check(rule, "crates/a/src/lib.rs", "//! .\n", &[1]);
        check(rule, "crates/a/src/lib.rs", "//! The superblock: which directory is current.\n", &[]);
        check(rule, "crates/a/tests/main.rs", "fn f() {}\n", &[]);
    }

    #[test]
    fn a_source_file_over_the_limit_is_found() {
        let text = "x\n".repeat(LINES_MAX + 1);
        check(files_stay_readable, "a/B.java", &text, &[0]);
        check(files_stay_readable, "a/b.json", &text, &[]);
        check(files_stay_readable, "a/B.java", &"x\n".repeat(LINES_MAX), &[]);
    }

    #[test]
    fn unfinished_words_are_found_whole() {
        let text = format!("fine\n{}()\n// {}: later\nmastodon\n", UNFINISHED[0], UNFINISHED[2]);
        check(nothing_is_unfinished, "a.rs", &text, &[2, 3]);
    }

    #[test]
    fn blanks_at_the_end_of_a_line_are_found() {
        check(lines_end_clean, "a.md", "a\nb \n\tc\nd\t\ne\r\n", &[2, 4, 5]);
        check(lines_end_clean, "LICENSE", "a \n", &[]);
    }

    #[test]
    fn a_huge_file_is_found() {
        let text = "x".repeat(BYTES_MAX as usize + 1);
        check(nothing_is_huge, "a.bin", &text, &[0]);
    }
}
