//! [`Rows`]: writes any number of rows as they come.

use std::io::{self, Write};
use std::sync::Arc;

use serde_json::Value as Json;

use super::cell::Cell;
use super::column::Column;
use super::format::Format;
use super::receiver::RowReceiver;
use super::row_format::RowFormat;
use super::sink::{Out, Sink, Target};
use super::table::Table;

/// Writes any number of rows to a [`Sink`] as they come. Tables are written a thousand rows at a time, to
/// align their columns.
pub struct Rows<'w> {
    format: Arc<RowFormat>,
    writer: Writer<'w>,
    width: usize,
    /// The text of the current row.
    row: Vec<u8>,
    /// The number of complete rows.
    count: u64,
    /// The number of cells in the current row.
    cells: usize,
}

enum Writer<'w> {
    Table(Box<Table<'w>>),
    Text(Out<'w>),
    Cells { receiver: Box<dyn RowReceiver + 'w>, row: Vec<Cell<'static>> },
}

impl<'w> Rows<'w> {
    /// Begins to write rows of these columns. For CSV, this writes the header.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn begin(sink: Sink<'w>, format: Format, columns: Vec<Column>) -> io::Result<Self> {
        let (width, row_format) = (columns.len(), RowFormat::of(format, &columns));
        let Sink { target, width: line, has_bold_titles } = sink;
        let writer = match (target, format) {
            (Target::Cells(mut receiver), _) => {
                receiver.begin(columns)?;
                Writer::Cells { receiver, row: Vec::new() }
            }
            (Target::Text(out), Format::Table) => {
                Writer::Table(Box::new(Table::new(out, line, has_bold_titles, columns)))
            }
            (Target::Text(mut out), _) => {
                out.write_all(&row_format.header(&columns))?;
                Writer::Text(out)
            }
        };
        let format = Arc::new(row_format);
        Ok(Self { format, writer, width, row: Vec::new(), count: 0, cells: 0 })
    }

    /// Gives later rows other columns, and returns whether it did: objects of JSON may have different names,
    /// but tables and CSV have one title for all rows.
    pub fn change_columns(&mut self, columns: &[Column]) -> bool {
        let Writer::Text(_) = &self.writer else { return false };
        let Some(other) = self.format.with_columns(columns) else { return false };
        self.format = Arc::new(other);
        self.width = columns.len();
        true
    }

    /// The format for rendering rows independently of one another. `None` for receivers.
    pub(crate) fn format(&self) -> Option<Arc<RowFormat>> {
        let is_text = !matches!(self.writer, Writer::Cells { .. });
        is_text.then(|| Arc::clone(&self.format))
    }

    /// Writes a row, one cell for each column.
    ///
    /// # Errors
    /// The errors of [`Rows::end_row`].
    pub fn push(&mut self, cells: Vec<Json>) -> io::Result<()> {
        cells.iter().try_for_each(|cell| self.put(&cell.into()))?;
        self.end_row()
    }

    /// Writes the next cell of a row.
    ///
    /// # Errors
    /// An error of the writer.
    #[inline]
    pub fn put(&mut self, cell: &Cell<'_>) -> io::Result<()> {
        if let Writer::Cells { row, .. } = &mut self.writer {
            row.push(cell.clone().into_owned());
        } else if let Some(format) = self.format.cell(self.cells) {
            format.begin(&mut self.row);
            format.push_cell(&mut self.row, cell);
        }
        self.cells += 1;
        Ok(())
    }

    /// Ends a row after all its cells were put.
    ///
    /// # Errors
    /// An error of the writer, or [`io::ErrorKind::InvalidInput`] if the number of cells is not the number of
    /// columns.
    pub fn end_row(&mut self) -> io::Result<()> {
        if self.cells != self.width {
            let what = format!("a row of {} cells where there are {} columns", self.cells, self.width);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        self.cells = 0;
        if let Writer::Cells { receiver, row } = &mut self.writer {
            self.count += 1;
            return receiver.row(std::mem::take(row));
        }
        self.format.end_row(&mut self.row);
        let mut row = std::mem::take(&mut self.row);
        self.put_rows(&row, 1)?;
        row.clear();
        self.row = row;
        Ok(())
    }

    /// Writes `rows` rows that were rendered to `text` in the format of [`Rows::format`].
    pub(crate) fn put_rows(&mut self, text: &[u8], rows: usize) -> io::Result<()> {
        match &mut self.writer {
            Writer::Table(table) => table.put_rows(text)?,
            Writer::Text(out) if self.count == 0 && rows > 0 => {
                let (start, rest) = self.format.first_rows(text);
                out.write_all(start)?;
                out.write_all(rest)?;
            }
            Writer::Text(out) => out.write_all(text)?,
            Writer::Cells { .. } => return Ok(()),
        }
        self.count += rows as u64;
        Ok(())
    }

    /// Ends the output: writes all remaining rows, and flushes the writer.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn finish(self) -> io::Result<()> {
        match self.writer {
            Writer::Table(table) => table.finish(),
            Writer::Text(mut out) => {
                out.write_all(self.format.footer(self.count > 0))?;
                out.flush()
            }
            Writer::Cells { mut receiver, .. } => receiver.finish(),
        }
    }
}
