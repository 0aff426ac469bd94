//! [`FileNames`]: a safe name of a file for each label.
//!
//! A label is a text of a stranger. Its name keeps ASCII letters, digits, `-` and `_`; every other byte
//! becomes `%` and two hexadecimal digits. Spark and Hive take names that begin with `_` or `.` for hidden
//! files, so a first `_` is escaped too. Long labels are cut, and get a hash. Labels that differ in case
//! alone, and names that Windows reserves, get `~` and a number.

use super::taken_names::TakenNames;

/// The largest length of the escaped part of a name.
const LEN_MAX: usize = 120;
/// The number of hexadecimal digits of the hash after a label that was cut.
const HASH_DIGITS: usize = 16;
/// Names that Windows gives to devices, in lower case, without the numbers of `com` and `lpt`.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The names in one folder, each given once.
#[derive(Debug)]
pub(super) struct FileNames(TakenNames);

impl FileNames {
    pub(super) fn new() -> Self {
        Self(TakenNames::new("~", 2))
    }

    /// The name of a label's file, without its ending.
    pub(super) fn of(&mut self, label: &str) -> String {
        let name = cut(escaped(label), label);
        let is_free = !is_device(&name) && self.0.take(&name);
        if is_free { name } else { self.0.take_numbered(&name) }
    }
}

fn escaped(label: &str) -> String {
    let mut name = String::with_capacity(label.len());
    for (index, byte) in label.bytes().enumerate() {
        let is_plain = byte.is_ascii_alphanumeric() || byte == b'-' || (byte == b'_' && index > 0);
        match is_plain {
            true => name.push(char::from(byte)),
            false => name.push_str(&format!("%{byte:02X}")),
        }
    }
    name
}

/// The name, cut to the largest length; the name of the empty label is `%`.
fn cut(mut name: String, label: &str) -> String {
    if name.is_empty() {
        name.push('%');
    }
    if name.len() > LEN_MAX {
        name.truncate(LEN_MAX);
        name.push('~');
        name.extend(blake3::hash(label.as_bytes()).to_hex().chars().take(HASH_DIGITS));
    }
    name
}

fn is_device(name: &str) -> bool {
    let stem = name.to_ascii_lowercase();
    DEVICES.contains(&stem.trim_end_matches(|digit: char| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_labels_get_safe_names() {
        let mut names = FileNames::new();
        let given = |label: &str| names.of(label);
        let labels =
            ["METHOD", "method", "../../etc", "_hidden", ".x", "a b\u{e9}", "", "con", "LPT1", "contact"];
        let expected = [
            "METHOD",
            "method~2",
            "%2E%2E%2F%2E%2E%2Fetc",
            "%5Fhidden",
            "%2Ex",
            "a%20b%C3%A9",
            "%",
            "con~2",
            "LPT1~2",
            "contact",
        ];
        assert_eq!(labels.map(given), expected);
    }

    #[test]
    fn long_labels_are_cut_and_stay_different() {
        let mut names = FileNames::new();
        let (one, other) = ("x".repeat(70_000), "x".repeat(70_001));
        let (one, other) = (names.of(&one), names.of(&other));
        assert!(one != other && one.len() == 137 && other.len() == 137, "{one} {other}");
    }
}
