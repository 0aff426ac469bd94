//! The rule on decision notes: each has a number of its own, the same in its file name and its title.

use std::collections::BTreeMap;

use super::files::{Files, Finding};

const FOLDER: &str = "docs/decisions/";

/// Decision notes are numbered, and no two alike.
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
    fn numbers_are_unique_and_those_of_the_titles() {
        check(&[("docs/decisions/0001-a.md", "# 1. A\n"), ("docs/decisions/0002-b.md", "# 2. B\n")], 0);
        check(&[("docs/decisions/0001-a.md", "# 1. A\n"), ("docs/decisions/0001-b.md", "# 1. B\n")], 1);
        check(&[("docs/decisions/0003-c.md", "# 2. C\n")], 1);
        check(&[("docs/decisions/notes.md", "# 1. A\n")], 1);
    }
}
