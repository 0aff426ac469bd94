//! The rule on steps of pipelines: if a file contains a handwritten list of the steps, the instructions for
//! adding a step must name the file.

use std::path::Path;

use super::files::{Files, Finding};

const TABLE: &str = "crates/varvite-query/src/pipeline/description/step.rs";
const INSTRUCTIONS: &str = "docs/extending.md";
const LANGUAGES: [&str; 5] = ["rs", "java", "scala", "py", "md"];
/// A file that names at least this share of the steps is considered a list of steps.
const LISTED: f64 = 0.8;

/// Checks that [`INSTRUCTIONS`] names each file that names most of the steps, so that the instructions stay
/// complete.
pub(crate) fn lists_of_steps_are_known(files: &Files) -> Vec<Finding> {
    let steps: Vec<Step> = files.text(TABLE).lines().filter_map(Step::of_line).collect();
    let instructions = files.text(INSTRUCTIONS);
    let sources = files.texts().filter(|(file, _)| LANGUAGES.contains(&file.extension()));
    let lists = sources.filter(|(_, text)| {
        let named = steps.iter().filter(|step| step.is_named_in(text)).count();
        !steps.is_empty() && named as f64 >= LISTED * steps.len() as f64
    });
    let unknown = lists.filter(|(file, _)| {
        Path::new(&file.path).file_stem().is_some_and(|stem| !instructions.contains(&*stem.to_string_lossy()))
    });
    let what = format!("lists the steps, and {INSTRUCTIONS} does not name it");
    unknown.map(|(file, _)| file.finding(0, what.as_str())).collect()
}

/// The ways in which files spell a step: as text, as a Rust variant, as a call in Rust, as a definition in
/// Python, and as a call in Java.
struct Step([String; 5]);

impl Step {
    /// The step that a line of the table declares: `"has_not" HasNot { .. }`.
    fn of_line(line: &str) -> Option<Self> {
        let (name, rest) = line.strip_prefix("    \"")?.split_once("\" ")?;
        let variant = rest.split(' ').next()?;
        let camel = variant[..1].to_lowercase() + &variant[1..];
        let text = format!("\"{name}\"");
        Some(Self([
            text,
            format!("Step::{variant} "),
            format!(".{name}("),
            format!("def {name}"),
            format!("{camel}("),
        ]))
    }

    fn is_named_in(&self, text: &str) -> bool {
        self.0.iter().any(|spelling| text.contains(spelling))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: &str = "    \"out\" Out { labels: Vec<String> }\n    \"has_not\" HasNot { is: Predicate }\n";

    fn found(path: &str, text: &str, instructions: &str) -> usize {
        let files = [(TABLE, STEPS), (INSTRUCTIONS, instructions), (path, text)];
        lists_of_steps_are_known(&Files::of_texts(&files)).len()
    }

    #[test]
    fn a_list_that_the_instructions_leave_out_is_found() {
        let of_rust = "match step { Step::Out { .. } => 1, Step::HasNot { .. } => 2 }";
        assert_eq!(found("crates/a/src/list.rs", of_rust, "`step.rs`"), 1);
        assert_eq!(found("crates/a/src/list.rs", of_rust, "`step.rs`, `list.rs`"), 0);
        assert_eq!(found("a/List.java", "void out() {} void hasNot() {}", "`step.rs`"), 1);
        assert_eq!(found("a/list.py", "def out(): pass\ndef has_not(): pass", "`step.rs`"), 1);
        assert_eq!(found("crates/a/src/one.rs", "nodes().out(ALL)", "`step.rs`"), 0);
    }
}
