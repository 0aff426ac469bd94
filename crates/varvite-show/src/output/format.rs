//! The formats of answers.

use std::fmt;

/// The format of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// An aligned table, for people.
    #[default]
    Table,
    /// One JSON value: an array of objects, one for each row.
    Json,
    /// One JSON object for each row, a line each.
    Jsonl,
    /// Comma-separated (RFC 4180), with a header line.
    Csv,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Table, Self::Json, Self::Jsonl, Self::Csv];

    /// Its name: `table`, `json`, `jsonl` or `csv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    /// The format of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
