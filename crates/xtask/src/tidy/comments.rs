//! Rules on comments: lines are not too long, and no word hides the actor of a sentence.

use super::files::{File, Files, Finding};

/// The maximum number of columns of a comment line. Lines of code may be longer.
const COLUMNS_MAX: usize = 110;
/// Words that hide the actor of a sentence.
const WORDS: [&str; 6] = ["whoever", "who does", "of which nobody", "is told", "are told", "hears of"];

/// Lines of comments have at most 110 columns. Tables, layouts of bytes, examples, and lines without a blank
/// to break at may be longer.
pub(crate) fn comments_wrap(files: &Files) -> Vec<Finding> {
    comments_of(files).filter_map(|comment| comment.too_long()).collect()
}

/// Comments contain none of [`WORDS`].
pub(crate) fn actors_are_named(files: &Files) -> Vec<Finding> {
    let found = comments_of(files).filter(Comment::hides_its_actor);
    found.map(|comment| comment.file.finding(comment.line, "hides the actor: name it")).collect()
}

/// Paths of the generator's Java templates and of its output, which are exempt: their comments contain names
/// from a schema, which can have any length.
const GENERATED: [&str; 2] = ["/golden/", "varvite-generate/src/java/"];

/// A line of a comment.
struct Comment<'a> {
    file: &'a File,
    line: usize,
    whole: &'a str,
    text: &'a str,
}

impl Comment<'_> {
    fn too_long(&self) -> Option<Finding> {
        let columns = self.whole.chars().count();
        let is_text = !self.text.starts_with(['|', ' ']) && !self.text.trim().contains("  ");
        let what = format!("{columns} columns of comment, more than {COLUMNS_MAX}: wrap it");
        (columns > COLUMNS_MAX && is_text && self.text.contains(' '))
            .then(|| self.file.finding(self.line, what))
    }

    fn hides_its_actor(&self) -> bool {
        let text = self.text.to_lowercase();
        let is_word = |at: usize, word: &str| {
            let [before, after] = [text[..at].chars().next_back(), text[at + word.len()..].chars().next()];
            ![before, after].into_iter().flatten().any(char::is_alphanumeric)
        };
        WORDS.iter().any(|word| text.match_indices(word).any(|(at, _)| is_word(at, word)))
    }
}

/// The comment lines of Rust, Java and Scala files, except code examples.
fn comments_of(files: &Files) -> impl Iterator<Item = Comment<'_>> {
    let sources = files.texts().filter(|(file, _)| matches!(file.extension(), "rs" | "java" | "scala"));
    let sources = sources.filter(|(file, _)| !GENERATED.iter().any(|folder| file.path.contains(folder)));
    sources.flat_map(|(file, text)| {
        let mut in_example = false;
        text.lines().enumerate().filter_map(move |(i, whole)| {
            let line = whole.trim_start();
            let text = ["/// ", "//! ", "// ", "* "].iter().find_map(|mark| line.strip_prefix(mark));
            let Some(text) = text else {
                in_example &= line.starts_with("//") || line.starts_with('*');
                return None;
            };
            if text.starts_with("```") {
                in_example = !in_example;
            }
            (!in_example).then_some(Comment { file, line: i + 1, whole, text })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::files::check_lines as check;

    #[test]
    fn a_comment_that_could_be_wrapped_is_found() {
        let long = "b".repeat(COLUMNS_MAX);
        let text = format!("/// a {long}\n    // a {long}\nlet a = \"{long} {long}\";\n//! {long}\n");
        check(comments_wrap, "a.rs", &text, &[1, 2]);
        check(comments_wrap, "A.java", &format!("/**\n * a {long}\n */\n"), &[2]);
        check(comments_wrap, "a.md", &text, &[]);
        check(comments_wrap, "tests/golden/java/A.java", &text, &[]);
    }

    #[test]
    fn tables_layouts_and_examples_stay_whole() {
        let long = "b".repeat(COLUMNS_MAX);
        let text = format!(
            "/// | a {long} |\n//!     a {long}\n/// 12  a {long}\n/// ```\n/// a {long}\n/// ```\n/// a {long}\n"
        );
        check(comments_wrap, "a.rs", &text, &[7]);
    }

    #[test]
    fn words_without_an_actor_are_found() {
        let text = "// The whoeverness of it.\n// Whoever reads, reads.\n// A column is told so.\n";
        check(actors_are_named, "a.rs", text, &[2, 3]);
    }
}
