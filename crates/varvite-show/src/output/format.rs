//! The output formats of rows.

use std::fmt;

/// An output format of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// An aligned table, for human readers.
    #[default]
    Table,
    /// A single JSON array of objects, one for each row.
    Json,
    /// One JSON object per row, each on a line of its own.
    Jsonl,
    /// Comma-separated (RFC 4180), with a header line.
    Csv,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Table, Self::Json, Self::Jsonl, Self::Csv];

    /// The name of the format: `table`, `json`, `jsonl` or `csv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
        }
    }

    /// The format of this name. `None` if there is no such format.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}
