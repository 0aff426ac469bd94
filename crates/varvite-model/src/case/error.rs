//! [`CaseError`]: the reason why a text is not a valid conformance case.

use std::fmt;

/// The reason why a text is not a valid case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError {
    /// The number of the invalid line, counted from 1.
    pub line: usize,
    /// The reason, in words.
    pub what: String,
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for CaseError {}
