//! The answer as rows: a table, JSON lines or CSV.

use varvite::Graph;
use varvite_profile::layer::CodeMeasure;
use varvite_show::{Field, Layout, Listing, Selection};

use super::report::{Report, Row};
use crate::failure::Outcome;
use crate::output::{Cell, Column, Format, note_places, sink, write_text};

/// The columns of the command before the measurements.
const OWN: usize = 4;

/// Writes a row for each METHOD. A table has a sentence above it.
pub(super) fn write(graph: &Graph, report: &Report, format: Format) -> Outcome {
    let is_table = format == Format::Table;
    if is_table {
        write_text(&report.sentence())?;
    }
    let measures: Vec<&CodeMeasure> = report.ran.measures(is_table).collect();
    let mut layout = layout(graph, &measures, is_table);
    let selection = Selection { format, ..Selection::default() };
    let mut listing = Listing::begin(sink(), &mut layout, selection)?;
    for row in &report.rows {
        listing.push(&[Some(row.node)], |index| cell(row, &measures, is_table, index))?;
    }
    Ok(listing.finish().map(note_places)?)
}

fn layout<'g>(graph: &'g Graph, measures: &[&CodeMeasure], is_table: bool) -> Layout<'g> {
    let layout = Layout::new(graph, &[""]).lead_with_field(0, Field::Node);
    let layout = layout.lead_with(Column::number("distance"));
    let layout = match is_table {
        true => layout.show_fields(0, &[Field::Method, Field::Location]),
        false => layout.show_fields(0, &[Field::Method, Field::File, Field::Line]),
    };
    let layout = layout.show_own(Column::number("lines"));
    let layout =
        ["entry", "test"].into_iter().fold(layout, |layout, name| layout.show_own(Column::text(name)));
    measures.iter().fold(layout, |layout, measure| layout.show_own(Column::number(measure.name.as_str())))
}

/// The cell of a column of the command. In tables, a METHOD that is no entry point has an empty cell.
fn cell(row: &Row, measures: &[&CodeMeasure], is_table: bool, index: usize) -> Cell<'static> {
    let truth = |is: bool, word: &'static str| match (is_table, is) {
        (true, true) => word.into(),
        (true, false) => Cell::Null,
        (false, is) => serde_json::Value::from(is).into(),
    };
    match index {
        0 => row.distance.into(),
        1 if is_table && row.distance > 0 => Cell::Null,
        1 => row.lines.into(),
        2 => truth(row.is_entry, "entry"),
        3 => truth(row.is_test, "test"),
        index => measures.get(index - OWN).and_then(|measure| measure.of(row.node)).into(),
    }
}
