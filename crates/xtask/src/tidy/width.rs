//! Rules on the number of names and files at one level: names at the facade's root, and files directly in a
//! crate's `src`.

use std::collections::BTreeMap;

use super::files::{Files, Finding};
use super::rust::code_of;

const FACADE: &str = "crates/varvite/src/lib.rs";
const NAMES_MAX: usize = 45;
const FILES_MAX: usize = 15;
/// Folders that had too many files when the rule was introduced, with their numbers of files, which must not
/// grow.
const WIDER: [(&str, usize); 1] = [("bindings/c", 36)];

/// The facade's root has only a few names, including those of modules.
pub(crate) fn the_facade_is_short(files: &Files) -> Vec<Finding> {
    let facade = files.texts().filter(|(file, _)| file.path == FACADE);
    let long = facade.map(|(file, text)| (file, names_at_root(&code_of(text)).len()));
    long.filter(|(_, names)| *names > NAMES_MAX)
        .map(|(file, names)| {
            file.finding(0, format!("{names} names at the root, more than {NAMES_MAX}: give some a module"))
        })
        .collect()
}

/// The names that `pub use` and `pub mod` declare outside of inline modules.
fn names_at_root(code: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut names = Vec::new();
    for item in code.split_inclusive([';', '{', '}']) {
        let (text, end) = item.split_at(item.len() - 1);
        let public = text.trim().rsplit_once("pub ").map_or("", |(_, item)| item);
        let name = match end {
            "{" => public.strip_prefix("mod "),
            ";" => public.strip_prefix("use ").and_then(|path| path.rsplit([':', ' ']).next()),
            _ => None,
        };
        names.extend(name.filter(|_| depth == 0));
        depth = match end {
            "{" => depth + 1,
            "}" => depth - 1,
            _ => depth,
        };
        // At the closing brace of a list of names, the list has just been read.
        if end == "}" && depth == 0 && !text.contains(';') {
            names.extend(text.split(',').map(str::trim).filter(|name| !name.is_empty()));
        }
    }
    names
}

/// No crate has many files directly in its `src`.
pub(crate) fn roots_have_few_files(files: &Files) -> Vec<Finding> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files.iter().filter(|file| file.extension() == "rs") {
        let Some((name, inside)) = file.path.split_once("/src/") else { continue };
        if !inside.contains('/') {
            *counts.entry(name).or_default() += 1;
        }
    }
    let most =
        |name: &str| WIDER.iter().find(|(wider, _)| *wider == name).map_or(FILES_MAX, |(_, most)| *most);
    let wide = counts.into_iter().filter(|(name, count)| *count > most(name));
    wide.map(|(name, count)| Finding {
        path: format!("{name}/src"),
        line: 0,
        what: format!(
            "{count} files lie flat in it, more than {}: make a folder of what belongs together",
            most(name)
        ),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_modules_and_lists_are_counted_and_those_inside_are_not() {
        let text = "#![forbid(x)]\nmod a;\npub use b::{C, D, e};\npub mod f {\n    pub use g::{H, I};\n    pub use j::*;\n}\n\
                    pub use k::L;\npub use m as n;\nuse o::P;\n";
        assert_eq!(names_at_root(text), ["C", "D", "e", "f", "L", "n"]);
    }

    #[test]
    fn a_wide_root_is_found() {
        let paths: Vec<String> = (0..=FILES_MAX).map(|number| format!("crates/a/src/m{number}.rs")).collect();
        let mut texts: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "")).collect();
        assert_eq!(roots_have_few_files(&Files::of_texts(&texts)).len(), 1);
        texts[0].0 = "crates/a/src/inside/m.rs";
        assert_eq!(roots_have_few_files(&Files::of_texts(&texts)), []);
    }
}
