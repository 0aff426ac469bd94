//! Rules on decision notes: each has a unique number, which is the same in its file name and in its title,
//! and has a line in the index.

use std::collections::BTreeMap;

use super::files::{Files, Finding};

const FOLDER: &str = "docs/decisions/";
const INDEX: &str = "docs/decisions.md";

/// Decision notes have numbers, and no two have the same.
pub(crate) fn decisions_are_numbered(files: &Files) -> Vec<Finding> {
    let mut of_numbers: BTreeMap<u32, &str> = BTreeMap::new();
    let mut findings = Vec::new();
    for (file, text) in files.texts() {
        let Some(name) = file.path.strip_prefix(FOLDER) else { continue };
        let Some(number) = number_of(name) else {
            findings.push(file.finding(0, "is not named NNNN-title.md"));
            continue;
        };
        if let Some(other) = of_numbers.insert(number, &file.path) {
            findings.push(file.finding(0, format!("has the number of {other}")));
        }
        if !text.starts_with(&format!("# {number}. ")) {
            findings.push(file.finding(1, format!("has a title that does not begin with '# {number}. '")));
        }
    }
    findings
}

/// The index has a link to each note.
pub(crate) fn decisions_are_indexed(files: &Files) -> Vec<Finding> {
    let Some((index, text)) = files.texts().find(|(file, _)| file.path == INDEX) else { return Vec::new() };
    let names = files.texts().filter_map(|(file, _)| file.path.strip_prefix(FOLDER));
    let missing = names.filter(|name| !text.contains(&format!("](decisions/{name})")));
    missing.map(|name| index.finding(0, format!("has no line for {name}"))).collect()
}

fn number_of(name: &str) -> Option<u32> {
    let (number, _) = name.strip_suffix(".md")?.split_once('-')?;
    if number.len() == 4 { number.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(notes: &[(&str, &str)], findings: usize) {
        assert_eq!(decisions_are_numbered(&Files::of_texts(notes)).len(), findings);
    }

    #[test]
    fn a_note_without_a_line_in_the_index_is_found() {
        let note = ("docs/decisions/0001-a.md", "# 1. A\n");
        let found = |index| decisions_are_indexed(&Files::of_texts(&[note, (INDEX, index)])).len();
        assert_eq!(
            (found("- [1](decisions/0001-a.md): A\n"), found("- [1](decisions/0001-b.md): A\n")),
            (0, 1)
        );
    }

    #[test]
    fn numbers_are_unique_and_those_of_the_titles() {
        check(&[("docs/decisions/0001-a.md", "# 1. A\n"), ("docs/decisions/0002-b.md", "# 2. B\n")], 0);
        check(&[("docs/decisions/0001-a.md", "# 1. A\n"), ("docs/decisions/0001-b.md", "# 1. B\n")], 1);
        check(&[("docs/decisions/0003-c.md", "# 2. C\n")], 1);
        check(&[("docs/decisions/notes.md", "# 1. A\n")], 1);
    }
}
