//! Aligned tables, a batch of rows at a time: memory stays bounded, and columns keep the widest width so far.
//!
//! On a terminal a table fits its width, one line for each row. In a pipe nothing is cut but long texts.

use std::io::{self, IsTerminal, Write};

use comfy_table::{
    Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table as Batch, TableStyle,
    Width,
};
use serde_json::Value as Json;

use super::rows::{Column, Out, plain_text};
use super::text::{escaped, shortened};

/// Rows that are aligned together.
const BATCH_ROWS: usize = 1000;
/// Blanks between columns.
const GAP: u16 = 2;

pub(super) struct Table {
    out: Out,
    columns: Vec<Column>,
    /// Widest so far, without the gap.
    widths: Vec<u16>,
    batch: Batch,
    is_terminal: bool,
}

impl Table {
    pub(super) fn new(out: Out, columns: Vec<Column>) -> Self {
        let widths = columns.iter().map(|column| column.width_min as u16).collect();
        let is_terminal = io::stdout().is_terminal();
        let mut table = Self { out, columns, widths, batch: Batch::new(), is_terminal };
        table.batch.set_header(table.header());
        table
    }

    pub(super) fn push(&mut self, cells: &[Json]) -> io::Result<()> {
        let shown = cells.iter().map(|cell| shortened(&plain_text(cell)).into_owned());
        let mut row = Row::from(shown.collect::<Vec<String>>());
        row.max_height(1);
        self.batch.add_row(row);
        if self.batch.row_count() == BATCH_ROWS { self.write_batch() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_batch()?;
        self.out.flush()
    }

    fn header(&self) -> Row {
        let is_bold = self.is_terminal && wants_colour();
        let bold = |cell: Cell| if is_bold { cell.add_attribute(Attribute::Bold) } else { cell };
        self.columns.iter().map(|column| bold(Cell::new(escaped(&column.name)))).collect::<Vec<Cell>>().into()
    }

    fn write_batch(&mut self) -> io::Result<()> {
        let mut batch = std::mem::replace(&mut self.batch, Batch::new());
        batch.load_style(TableStyle::new());
        batch.set_content_arrangement(if self.is_terminal {
            ContentArrangement::Dynamic
        } else {
            ContentArrangement::Disabled
        });
        for (widest, found) in self.widths.iter_mut().zip(batch.column_max_content_widths()) {
            *widest = found.max(*widest);
        }
        for (index, column) in self.columns.iter().enumerate() {
            let Some(shown) = batch.column_mut(index) else { continue };
            shown.set_padding((0, GAP));
            let width = Width::Fixed(self.widths[index] + GAP);
            if column.is_number {
                shown.set_cell_alignment(CellAlignment::Right);
                shown.set_constraint(ColumnConstraint::Absolute(width));
            } else if !self.is_terminal {
                shown.set_constraint(ColumnConstraint::LowerBoundary(width));
            }
        }
        for line in batch.lines() {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Colour is for terminals, unless the user or the terminal says no: see <https://no-color.org>.
fn wants_colour() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}
