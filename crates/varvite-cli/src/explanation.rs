//! Writes the explanation of a plan to standard output.

use varvite::pipeline::Explanation;

use crate::failure::Outcome;
use crate::output::{Column, Format, begin_rows, write_text};

/// Writes an explanation to standard output, with a line or a row for each operator.
pub(crate) fn show(explanation: &Explanation, format: Format) -> Outcome {
    if format == Format::Table {
        return Ok(write_text(&explanation.to_string())?);
    }
    let titles = [
        Column::text("step"),
        Column::number("depth"),
        Column::text("operator"),
        Column::number("rows_expected"),
    ];
    let mut rows = begin_rows(format, titles.into())?;
    for line in &explanation.lines {
        let operator = line.operator.as_str().into();
        rows.push(vec![line.name().into(), line.depth.into(), operator, line.rows_expected.into()])?;
    }
    Ok(rows.finish()?)
}
