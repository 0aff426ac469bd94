//! The folder of cases: every case with its name, and the cases that the tests of a language skip.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::case::Case;

/// The cases in a folder and in its subfolders, by name: `steps/out` is the case in the file
/// `steps/out.case`.
///
/// # Errors
/// Returns an error message if a file cannot be read or is not a valid case.
pub fn cases_in(folder: &Path) -> Result<BTreeMap<String, Case>, String> {
    let mut cases = BTreeMap::new();
    for path in files(folder)? {
        let inside = path.strip_prefix(folder).unwrap_or(&path).with_extension("");
        if path.extension().is_some_and(|ending| ending == "case") {
            let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let case = Case::parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
            cases.insert(inside.to_string_lossy().replace('\\', "/"), case);
        }
    }
    Ok(cases)
}

fn files(folder: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let wrong = |error| format!("{}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if path.is_dir() { found.extend(files(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

/// The cases and questions that one runner (the program that runs the cases in one language) skips.
/// `conformance/skipped.txt` has a line for each, in the form `WAY WHAT: REASON`: WAY is the runner, and WHAT
/// is a case or the first word of a question.
#[derive(Debug)]
pub struct Skips(Vec<String>);

impl Skips {
    /// The skipped cases and questions of the runner `way`, from the text of `conformance/skipped.txt`.
    pub fn of(way: &str, text: &str) -> Self {
        let lines = text.lines().filter_map(|line| line.strip_prefix(way)?.strip_prefix(' '));
        Self(lines.filter_map(|line| line.split(':').next()).map(str::to_owned).collect())
    }

    /// Whether the runner skips a question of a case.
    pub fn has(&self, case: &str, question: &str) -> bool {
        let word = question.split(' ').next().unwrap_or_default();
        self.0.iter().any(|skipped| skipped == case || skipped == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_in_leaves_out_what_the_lines_of_its_name_say() {
        let text = "# c plan: no\nc plan: It runs none.\ncommand steps/out: It does not.\n";
        let (c, command) = (Skips::of("c", text), Skips::of("command", text));
        assert!(c.has("steps/in", "plan") && !c.has("steps/in", "nodes METHOD"));
        assert!(command.has("steps/out", "plan") && !command.has("steps/in", "plan"));
    }
}
