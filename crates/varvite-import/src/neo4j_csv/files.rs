//! [`files_of_list`]: finds the files of a table. Each name in the list may be a pattern.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The files in a comma-separated list of names, as `neo4j-admin` accepts it, in the order of the list. A
/// comma within braces or brackets, as in `part-\d{1,2}.csv`, belongs to the name.
///
/// If a file with a name exists, the name stands for that file. Otherwise the last component of the name is a
/// regular expression, and the name stands for the files in the same folder whose whole names match. These
/// files are sorted by name, with digits compared as numbers, so that `part-2.csv` comes before
/// `part-10.csv`. A name that matches no file is returned unchanged, so that opening it fails with the usual
/// error.
///
/// # Errors
/// The name that failed, and the file system's error for its folder.
pub fn files_of_list(list: &str) -> Result<Vec<PathBuf>, (PathBuf, std::io::Error)> {
    let mut found = Vec::new();
    for name in names_of(list).into_iter().filter(|name| !name.is_empty()) {
        let name = Path::new(name);
        found.extend(files_of(name).map_err(|error| (name.to_owned(), error))?);
    }
    Ok(found)
}

/// The names in a list.
fn names_of(list: &str) -> Vec<&str> {
    let (mut names, mut start) = (Vec::new(), 0);
    for (at, _) in list.match_indices(',') {
        if !is_inside(&list[start..at], &list[at..]) {
            names.push(&list[start..at]);
            start = at + 1;
        }
    }
    names.push(&list[start..]);
    names
}

/// Whether an offset is within braces or brackets that are closed after it.
fn is_inside(before: &str, after: &str) -> bool {
    [('{', '}'), ('[', ']')].into_iter().any(|(opening, closing)| {
        let is_open = before.rfind(opening) > before.rfind(closing);
        is_open && after.find(closing) < after.find(opening).or(Some(usize::MAX)) && after.contains(closing)
    })
}

/// The files that one name of a list stands for.
fn files_of(name: &Path) -> std::io::Result<Vec<PathBuf>> {
    let alone = || vec![name.to_owned()];
    let Some(pattern) = pattern_of(name).filter(|_| !name.exists()) else { return Ok(alone()) };
    let folder = name.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder.unwrap_or(Path::new(".")))? {
        let entry = entry?;
        let is_match = entry.file_name().to_str().is_some_and(|name| pattern.is_match(name));
        if is_match && !entry.path().is_dir() {
            found.push(
                folder.map_or_else(|| entry.file_name().into(), |folder| folder.join(entry.file_name())),
            );
        }
    }
    found.sort_by(|one: &PathBuf, other| {
        by_numbers(&name_of(one), &name_of(other)).then_with(|| one.cmp(other))
    });
    Ok(if found.is_empty() { alone() } else { found })
}

/// The last component of a name as a pattern, if it has a character with a special meaning.
fn pattern_of(name: &Path) -> Option<Regex> {
    let last = name.file_name()?.to_str()?;
    last.contains(['*', '+', '?', '[', '(', '{', '|', '\\'])
        .then(|| Regex::new(&format!("^(?:{last})$")).ok())?
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compares names part by part: runs of digits as numbers, all other characters as text.
fn by_numbers(one: &str, other: &str) -> Ordering {
    let (mut one, mut other) = (one, other);
    loop {
        let ((first, rest), (second, other_rest)) = (first_part(one), first_part(other));
        let order = match (number(first), number(second)) {
            (Some(first), Some(second)) => first.cmp(&second),
            _ => first.cmp(second),
        };
        if order != Ordering::Equal || first.is_empty() {
            return order;
        }
        (one, other) = (rest, other_rest);
    }
}

/// Splits a name into its leading digits, or else the part before its first digit, and the rest.
fn first_part(name: &str) -> (&str, &str) {
    let is_number = name.starts_with(|first: char| first.is_ascii_digit());
    let end = name.find(|it: char| it.is_ascii_digit() != is_number);
    name.split_at(end.unwrap_or(name.len()))
}

/// A number of any size in a comparable form: the count of its digits without leading zeros, and these
/// digits. `None` if the part is not a number.
fn number(part: &str) -> Option<(usize, &str)> {
    let digits = part.trim_start_matches('0');
    part.starts_with(|first: char| first.is_ascii_digit()).then_some((digits.len(), digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_patterns_and_names_in_its_order() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["head.csv", "a10.csv", "a2.csv", "a100.csv", "b.csv", "c[.csv"];
        names.iter().for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        let found = |names: &[&str]| -> Vec<String> {
            let names = names.iter().map(|name| folder.path().join(name).display().to_string());
            let list = names.collect::<Vec<_>>().join(",");
            files_of_list(&list).unwrap().iter().map(|path| name_of(path)).collect()
        };
        assert_eq!(found(&["a.*.csv", "b.csv"]), ["a2.csv", "a10.csv", "a100.csv", "b.csv"]);
        assert_eq!(
            found(&["head.csv", r"a\d{1,2}\.csv", "b.csv"]),
            ["head.csv", "a2.csv", "a10.csv", "b.csv"]
        );
        assert_eq!(found(&["[a,b].csv", "a[2,1]0.csv"]), ["b.csv", "a10.csv"]);
        assert_eq!(found(&["c[.csv", "b.csv"]), ["c[.csv", "b.csv"]);
        assert_eq!(names_of("a,,b"), ["a", "", "b"]);
        let (name, _) = files_of_list("b.csv,no/such/folder/.*").unwrap_err();
        assert_eq!(name, Path::new("no/such/folder/.*"));
    }

    #[test]
    fn a_pattern_stands_for_files_in_the_order_of_their_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let names =
            ["part-10.csv", "part-2.csv", "part-002.csv", "part-2.csv.gz", "header.csv", "part-x.csv"];
        names.iter().for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        fs::create_dir(folder.path().join("part-3.csv")).unwrap();
        let found = |name: &str| -> Vec<String> {
            files_of(&folder.path().join(name)).unwrap().iter().map(|path| name_of(path)).collect()
        };
        assert_eq!(found(r"part-\d+\.csv"), ["part-002.csv", "part-2.csv", "part-10.csv"]);
        assert_eq!(
            found(r"part-.*"),
            ["part-002.csv", "part-2.csv", "part-2.csv.gz", "part-10.csv", "part-x.csv"]
        );
        for alone in ["header.csv", "missing.csv", r"missing-\d+.csv", "broken[.csv"] {
            assert_eq!(found(alone), [alone]);
        }
        assert_eq!(files_of(Path::new("[")).unwrap(), [Path::new("[")]);
    }
}
