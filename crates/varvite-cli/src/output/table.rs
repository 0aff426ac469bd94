//! Aligned tables, a batch of rows at a time: memory stays bounded, and columns keep the widest width so far.
//!
//! On a terminal a table fits its width, one line for each row. In a pipe nothing is cut but long texts.

use std::io::{self, IsTerminal, Write};

use comfy_table::{
    Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Row, Table as Batch, TableStyle,
    Width,
};

use super::cell::Cell as Shown;
use super::column::Column;
use super::text::{escaped, shortened};

/// Rows that are aligned together.
const BATCH_ROWS: usize = 1000;
/// Blanks between columns.
const GAP: u16 = 2;

pub(super) struct Table<W> {
    out: W,
    columns: Vec<Column>,
    /// Widest so far, without the gap.
    widths: Vec<u16>,
    batch: Batch,
    /// Cells of the row at hand.
    row: Vec<String>,
    is_terminal: bool,
    /// Columns of the terminal, if there is one that knows them.
    width_max: Option<u16>,
}

impl<W: Write> Table<W> {
    /// A table for standard output.
    pub(super) fn new(out: W, columns: Vec<Column>) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let width_max = if is_terminal { Batch::new().width() } else { None };
        Self::with_width(out, columns, is_terminal, width_max)
    }

    /// A terminal that claims no columns at all does not know how many it has.
    fn with_width(out: W, columns: Vec<Column>, is_terminal: bool, width_max: Option<u16>) -> Self {
        let widths = columns.iter().map(|column| column.width_min as u16).collect();
        let width_max = width_max.filter(|width| *width > 0);
        let mut table =
            Self { out, columns, widths, batch: Batch::new(), row: Vec::new(), is_terminal, width_max };
        table.batch.set_header(table.header());
        table
    }

    pub(super) fn put(&mut self, cell: &Shown<'_>) {
        self.row.push(shortened(&cell.plain()).into_owned());
    }

    pub(super) fn end_row(&mut self) -> io::Result<()> {
        let mut row = Row::from(std::mem::take(&mut self.row));
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
        match self.width_max {
            Some(width) => batch.set_content_arrangement(ContentArrangement::Dynamic).set_width(width),
            None => batch.set_content_arrangement(ContentArrangement::Disabled),
        };
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
            } else if self.width_max.is_none() {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(width: u16) -> String {
        let mut out = Vec::new();
        let columns = vec![Column::number("id"), Column::text("name")];
        let mut table = Table::with_width(&mut out, columns, true, Some(width));
        table.put(&7u32.into());
        table.put(&"deflate_stored".into());
        table.end_row().unwrap();
        table.finish().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_terminal_without_columns_does_not_make_a_table_vertical() {
        assert!(shown(0).contains("deflate_stored"), "{}", shown(0));
        assert_eq!(shown(0).lines().count(), 2);
    }

    #[test]
    fn a_table_fits_its_terminal() {
        assert!(shown(12).lines().all(|line| line.chars().count() <= 12), "{}", shown(12));
    }
}
