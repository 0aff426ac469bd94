//! [`files_of`]: the files that a name stands for, which may be a pattern.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The files of a name, by the rules of `neo4j-admin`: the file of this name, or else the files of the folder
/// whose whole names match it as a regular expression, sorted by name, with numbers sorted as numbers:
/// `part-2.csv` comes before `part-10.csv`. A name that matches no file stands for itself, so that opening it
/// fails with the usual error.
///
/// # Errors
/// An error of the file system for the folder.
pub fn files_of(name: &Path) -> std::io::Result<Vec<PathBuf>> {
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

/// The last part of a name as a pattern, if it has a character that makes one.
fn pattern_of(name: &Path) -> Option<Regex> {
    let last = name.file_name()?.to_str()?;
    last.contains(['*', '+', '?', '[', '(', '{', '|', '\\'])
        .then(|| Regex::new(&format!("^(?:{last})$")).ok())?
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compares names part by part: digits as a number, all else as text.
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

/// The digits that a name begins with, or what it has before its first digit; and the rest.
fn first_part(name: &str) -> (&str, &str) {
    let is_number = name.starts_with(|first: char| first.is_ascii_digit());
    let end = name.find(|it: char| it.is_ascii_digit() != is_number);
    name.split_at(end.unwrap_or(name.len()))
}

/// The number of some digits, as its length without zeros in front and its digits: it may have any size.
fn number(part: &str) -> Option<(usize, &str)> {
    let digits = part.trim_start_matches('0');
    part.starts_with(|first: char| first.is_ascii_digit()).then_some((digits.len(), digits))
}

#[cfg(test)]
mod tests {
    use super::*;

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
