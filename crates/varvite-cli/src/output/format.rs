//! The formats of answers.

use clap::ValueEnum;

/// How an answer is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// An aligned table, for people
    #[default]
    Table,
    /// One JSON value
    Json,
    /// One JSON value for each row, a line each
    Jsonl,
    /// Comma-separated, with a header line
    Csv,
}
