//! Rules on the layout of documents: lines are not too long, and the README can be read in a minute.

use super::files::{File, Files, Finding};

const COLUMNS_MAX: usize = 120;
const README: &str = "README.md";
const README_LINES_MAX: usize = 100;
const MAP: &str = "ARCHITECTURE.md";
const MAP_WORDS_MAX: usize = 3000;
/// The beginning of a terminal session, whose lines are not checked.
const SESSION: &str = "```console";

/// Lines of documents have at most 120 columns. Rows of tables, terminal sessions, and lines without a blank
/// to break at may be longer.
pub(crate) fn lines_wrap(files: &Files) -> Vec<Finding> {
    let pages = files.texts().filter(|(file, _)| file.extension() == "md");
    pages.flat_map(|(file, text)| long_lines(file, text)).collect()
}

fn long_lines(file: &File, text: &str) -> Vec<Finding> {
    let mut in_session = false;
    let mut findings = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            in_session = line == SESSION;
        }
        let columns = line.chars().count();
        if columns > COLUMNS_MAX && !in_session && is_breakable(line) {
            findings
                .push(file.finding(i + 1, format!("{columns} columns, more than {COLUMNS_MAX}: wrap it")));
        }
    }
    findings
}

/// Whether a line could be wrapped: it is not a row of a table, and has several words, not counting the mark
/// of a list item.
fn is_breakable(line: &str) -> bool {
    let words = line.trim_start();
    let item = words.split_once(' ').filter(|(mark, _)| is_mark_of_item(mark));
    let words = item.map_or(words, |(_, rest)| rest.trim_start());
    !words.starts_with('|') && words.contains(' ')
}

fn is_mark_of_item(word: &str) -> bool {
    matches!(word, "-" | "*" | "+")
        || word.strip_suffix('.').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The README has few lines.
pub(crate) fn the_readme_is_short(files: &Files) -> Vec<Finding> {
    let readme = files.texts().filter(|(file, _)| file.path == README);
    let counted = readme.map(|(file, text)| (file, text.lines().count()));
    let long = counted.filter(|(_, lines)| *lines > README_LINES_MAX);
    let what =
        |lines| format!("{lines} lines, more than {README_LINES_MAX}: move what not every reader needs");
    long.map(|(file, lines)| file.finding(0, what(lines))).collect()
}

/// ARCHITECTURE.md has few enough words to be read in a quarter of an hour.
pub(crate) fn the_map_is_short(files: &Files) -> Vec<Finding> {
    let map = files.texts().filter(|(file, _)| file.path == MAP);
    let counted = map.map(|(file, text)| (file, text.split_whitespace().count()));
    let long = counted.filter(|(_, words)| *words > MAP_WORDS_MAX);
    let what = |words| format!("{words} words, more than {MAP_WORDS_MAX}: move detail to docs/");
    long.map(|(file, words)| file.finding(0, what(words))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::files::check_lines as check;

    #[test]
    fn a_line_that_could_be_wrapped_is_found() {
        let fits = "ü".repeat(COLUMNS_MAX);
        let long = format!("a {}", "b".repeat(COLUMNS_MAX));
        check(lines_wrap, "a.md", &format!("{fits}\n{long}\n- {long}\n"), &[2, 3]);
        check(lines_wrap, "a.rs", &long, &[]);
    }

    #[test]
    fn tables_sessions_and_links_stay_whole() {
        let long = "b".repeat(COLUMNS_MAX);
        let text = format!(
            "| a {long} |\n- [x](https://{long})\n12. {long}\n```console\n$ a {long}\n```\na {long}\n"
        );
        check(lines_wrap, "a.md", &text, &[7]);
        check(lines_wrap, "a.md", &format!("```json\na {long}\n```\n"), &[2]);
    }

    #[test]
    fn a_long_readme_is_found_at_the_root_alone() {
        let text = "x\n".repeat(README_LINES_MAX + 1);
        check(the_readme_is_short, "README.md", &text, &[0]);
        check(the_readme_is_short, "bench/README.md", &text, &[]);
        check(the_readme_is_short, "README.md", &"x\n".repeat(README_LINES_MAX), &[]);
    }

    #[test]
    fn a_map_of_too_many_words_is_found() {
        check(the_map_is_short, MAP, &"x ".repeat(MAP_WORDS_MAX + 1), &[0]);
        check(the_map_is_short, MAP, &"x ".repeat(MAP_WORDS_MAX), &[]);
    }
}
