//! [`TextPosition`]: a position in a text file.

use std::fmt;

/// A position in a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextPosition {
    /// The line, counted from one.
    pub line: u64,
    /// The column of a table; `None` for a whole line.
    pub column: Option<Column>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// The number of the column, counted from one.
    pub number: usize,
    /// The name of the column in the header; empty if there is no header.
    pub name: String,
}

impl TextPosition {
    /// The position of a whole line.
    pub(crate) fn line(line: u64) -> Self {
        Self { line, column: None }
    }

    /// A position in a line, in the column with an index.
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
