//! [`Package`]: the name of a Java package, checked when it is parsed.

use std::fmt;
use std::str::FromStr;

use super::words::is_reserved;
use crate::error::GenerateError;

/// The name of a package, such as `org.example.cpg`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package(String);

impl Package {
    /// The folder of the package's sources, relative to the folder of all sources.
    pub(super) fn folder(&self) -> String {
        self.0.replace('.', "/")
    }
}

impl FromStr for Package {
    type Err = GenerateError;

    /// Accepts identifiers of ASCII letters, digits and underscores, separated by dots. None may be a
    /// reserved word.
    fn from_str(name: &str) -> Result<Self, GenerateError> {
        match name.split('.').find_map(fault) {
            Some(reason) => Err(GenerateError::Package { name: name.to_owned(), reason }),
            None => Ok(Self(name.to_owned())),
        }
    }
}

impl fmt::Display for Package {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The fault of a component of the name; `None` if it is valid.
fn fault(part: &str) -> Option<String> {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if part.is_empty() {
        return Some("a part of it is empty".to_owned());
    }
    if let Some(other) = part.chars().find(|c| !is_letter(*c)) {
        return Some(format!("{other:?} is neither a letter of ASCII nor a digit nor an underscore"));
    }
    if part.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(format!("{part:?} starts with a digit"));
    }
    if part == "java" {
        return Some("java is reserved".to_owned());
    }
    is_reserved(part).then(|| format!("{part:?} is a keyword of Java"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_packages_are_dotted_identifiers() {
        for name in ["p", "org.example.cpg", "a_b.c2", "Upper.Case"] {
            assert_eq!(name.parse::<Package>().unwrap().to_string(), name);
        }
        assert_eq!("a.b.c".parse::<Package>().unwrap().folder(), "a/b/c");
    }

    #[test]
    fn what_is_wrong_with_a_name_is_said() {
        for (name, reason) in [
            ("", "empty"),
            ("a..b", "empty"),
            (".a", "empty"),
            ("a.", "empty"),
            ("a.class", "\"class\" is a keyword"),
            ("a._", "\"_\" is a keyword"),
            ("2a", "starts with a digit"),
            ("../a", "empty"),
            ("a/b", "'/' is neither"),
            ("a b", "' ' is neither"),
            ("a;import x", "';' is neither"),
            ("bücher", "'ü' is neither"),
            ("java.lang", "is reserved"),
        ] {
            let message = name.parse::<Package>().unwrap_err().to_string();
            assert!(message.contains(reason), "{message}");
        }
    }
}
