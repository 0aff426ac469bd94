//! [`TextPosition`]: where in a file of text something is.

use std::fmt;

/// A place in a file of text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextPosition {
    /// The line, counted from one.
    pub line: u64,
    /// The column of a table.
    pub column: Option<Column>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// Its number, counted from one.
    pub number: usize,
    /// Its name in the header; empty if there is no header.
    pub name: String,
}

impl TextPosition {
    /// Somewhere in a line.
    pub(crate) fn line(line: u64) -> Self {
        Self { line, column: None }
    }

    /// In a line, in the column of an index.
    pub(crate) fn column(line: u64, index: usize, name: &str) -> Self {
        Self { line, column: Some(Column { number: index + 1, name: name.to_owned() }) }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}", self.line)?;
        match &self.column {
            None => Ok(()),
            Some(column) if column.name.is_empty() => write!(formatter, ", column {}", column.number),
            Some(Column { number, name }) => write!(formatter, ", column {number} ({name})"),
        }
    }
}
