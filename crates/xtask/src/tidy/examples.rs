//! A rule on examples in documentation: an example compiles in a program that depends only on the facade, the
//! crate `varvite`.

use super::files::{Files, Finding};

/// Crates whose items users reach through the facade, as `varvite::..`.
const HIDDEN: [&str; 5] =
    ["varvite_graph", "varvite_query", "varvite_walk", "varvite_compare", "varvite_store"];
/// Paths whose documentation is shown as the facade's: crates that the facade re-exports, and the folder with
/// `Task`.
const SHOWN: [&str; 5] = [
    "crates/varvite-graph/src/",
    "crates/varvite-query/src/",
    "crates/varvite-walk/src/",
    "crates/varvite-compare/src/",
    "crates/varvite-store/src/work/",
];

/// Examples in the facade's documentation do not name the crates behind it, except in hidden lines.
pub(crate) fn examples_need_the_facade_alone(files: &Files) -> Vec<Finding> {
    let shown = files.texts().filter(|(file, _)| SHOWN.iter().any(|folder| file.path.starts_with(folder)));
    shown
        .flat_map(|(file, text)| {
            let named = examples_of(text).filter_map(|(line, code)| Some((line, hidden_crate(code)?)));
            let finding = |(line, name): (usize, &str)| {
                file.finding(line, format!("an example needs {name}: take it from varvite"))
            };
            named.map(finding).collect::<Vec<_>>()
        })
        .collect()
}

/// The lines of examples in documentation, each with its line number.
fn examples_of(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_example = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let line = line.trim_start();
        let text = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start);
        let is_fence = text.is_some_and(|text| text.starts_with("```"));
        in_example = text.is_some() && in_example != is_fence;
        text.filter(|_| in_example && !is_fence).map(|text| (i + 1, text))
    })
}

fn hidden_crate(code: &str) -> Option<&'static str> {
    HIDDEN.into_iter().find(|name| !code.starts_with('#') && code.contains(&format!("{name}::")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::files::check_lines as check;

    #[test]
    fn an_example_that_needs_a_hidden_crate_is_found() {
        let text = "//! [`A`](varvite_store::A)\n/// ```\n/// use varvite_store::A;\n/// use varvite::B;\n\
                    /// # use varvite_store::C;\n/// ```\nuse varvite_store::D;\n";
        check(examples_need_the_facade_alone, "crates/varvite-graph/src/a.rs", text, &[3]);
        check(examples_need_the_facade_alone, "crates/varvite-store/src/vfs/a.rs", text, &[]);
    }
}
