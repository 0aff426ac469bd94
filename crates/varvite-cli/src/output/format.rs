//! Parses the names of output formats on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use varvite_show::Format;

/// A parser for the name of a format.
pub(crate) fn formats() -> impl TypedValueParser<Value = Format> {
    let known = Format::ALL.map(|format| PossibleValue::new(format.name()).help(help(format)));
    PossibleValuesParser::new(known).map(|name| Format::of_name(&name).unwrap_or_default())
}

fn help(format: Format) -> &'static str {
    match format {
        Format::Table => "Aligned table",
        Format::Json => "One JSON value",
        Format::Jsonl => "One JSON value per row, each on a line",
        Format::Csv => "Comma-separated values with a header line",
    }
}
