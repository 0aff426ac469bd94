//! Aligned tables, written in batches of rows so that memory stays bounded. A column is never narrower than
//! in the previous batch.
//!
//! If the output has a width, a table has one line for each row and fits the width. Otherwise only long texts
//! are cut.

use std::io::{self, Write};

use super::cells::{Cells, GAP};
use super::column::Column;
use super::fitted::Fitted;
use super::row_format::CELL_MARK;
use super::sink::Out;
use super::text::escaped;

/// The number of rows that are aligned together.
const BATCH_ROWS: usize = 1000;

pub(super) struct Table<'w> {
    out: Out<'w>,
    columns: Vec<Column>,
    /// The greatest width of each column so far, without the gap.
    widths: Vec<usize>,
    /// The current batch. In the first batch, the title is the first row.
    cells: Cells,
    /// The state of a table that fits a width. `None` if the output has no width.
    fitted: Option<Fitted>,
}

impl<'w> Table<'w> {
    /// A table that fits `width`, if there is one.
    pub(super) fn new(out: Out<'w>, width: Option<u16>, has_bold_titles: bool, columns: Vec<Column>) -> Self {
        let mut cells = Cells::new(columns.len());
        columns.iter().for_each(|column| cells.push(&escaped(&column.name)));
        let widths = columns.iter().map(|column| column.width_min).collect();
        let fitted = width.map(|width| Fitted::to(width, has_bold_titles));
        Self { out, columns, widths, cells, fitted }
    }

    /// Adds rows that were rendered in the [`RowFormat`](super::RowFormat) of tables.
    pub(super) fn put_rows(&mut self, text: &[u8]) -> io::Result<()> {
        let text = std::str::from_utf8(text).map_err(io::Error::other)?;
        if self.columns.is_empty() {
            return Ok(());
        }
        for line in text.split_terminator('\n') {
            line.split(CELL_MARK).for_each(|cell| self.cells.push(cell));
            if self.cells.row_count() >= BATCH_ROWS {
                self.write_batch(false)?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.write_batch(true)?;
        self.out.flush()
    }

    fn write_batch(&mut self, is_last: bool) -> io::Result<()> {
        for row in self.cells.rows() {
            self.widths.iter_mut().zip(row).for_each(|(widest, (_, width))| *widest = width.max(*widest));
        }
        match &mut self.fitted {
            Some(fitted) => {
                fitted.write(&mut self.out, &self.columns, &self.widths, &self.cells, is_last)?;
            }
            None => self.write_aligned()?,
        }
        self.cells.clear();
        Ok(())
    }

    fn write_aligned(&mut self) -> io::Result<()> {
        let mut lines = String::new();
        for row in self.cells.rows() {
            let start = lines.len();
            for ((text, width), (column, widest)) in row.zip(self.columns.iter().zip(&self.widths)) {
                let blanks = widest - width;
                let (before, after) = if column.is_number { (blanks, 0) } else { (0, blanks) };
                pad(&mut lines, before);
                lines.push_str(text);
                pad(&mut lines, after + GAP);
            }
            lines.truncate(start + lines[start..].trim_end().len());
            lines.push('\n');
        }
        self.out.write_all(lines.as_bytes())
    }
}

/// Appends blanks, which are copied from a text since that is faster than one by one.
fn pad(line: &mut String, mut blanks: usize) {
    const MANY: &str = "                                                                ";
    while blanks > 0 {
        let some = blanks.min(MANY.len());
        line.push_str(&MANY[..some]);
        blanks -= some;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{Format, Rows, Sink};

    fn shown(width: u16) -> String {
        let mut out = Vec::new();
        let columns = vec![Column::number("id"), Column::text("name")];
        let sink = Sink::new(&mut out).with_width(width);
        let mut table = Rows::begin(sink, Format::Table, columns).unwrap();
        table.put(&7u32.into()).unwrap();
        table.put(&"deflate_stored".into()).unwrap();
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
