//! Answers that are rows: written as they come, whatever their number.

use std::io::{self, BufWriter, StdoutLock, Write};
use std::sync::Arc;

use serde_json::Value as Json;

use super::cell::Cell;
use super::column::Column;
use super::format::Format;
use super::row_format::RowFormat;
use super::table::Table;

/// Bytes that wait before they go to the system.
const BUFFER_BYTES: usize = 1 << 16;

/// Standard output, buffered.
pub(super) type Out = BufWriter<StdoutLock<'static>>;

/// Rows on their way to standard output.
pub(crate) struct Rows {
    writer: Writer,
    width: usize,
    /// Text of the row at hand.
    row: Vec<u8>,
    /// Rows that are whole.
    count: u64,
    /// Cells of the row at hand.
    cells: usize,
}

enum Writer {
    Table(Box<Table<Out>>),
    Text { format: Arc<RowFormat>, out: Out },
}

impl Rows {
    /// Begins an answer.
    pub(crate) fn begin(format: Format, columns: Vec<Column>) -> io::Result<Self> {
        let (width, mut out) = (columns.len(), stdout());
        let writer = match RowFormat::of(format, &columns) {
            None => Writer::Table(Box::new(Table::new(out, columns))),
            Some(format) => {
                out.write_all(&format.header(&columns))?;
                Writer::Text { format: Arc::new(format), out }
            }
        };
        Ok(Self { writer, width, row: Vec::new(), count: 0, cells: 0 })
    }

    /// How rows are written, if they can be written apart from one another.
    pub(crate) fn format(&self) -> Option<Arc<RowFormat>> {
        match &self.writer {
            Writer::Table(_) => None,
            Writer::Text { format, .. } => Some(Arc::clone(format)),
        }
    }

    /// Writes a row, one cell for each column.
    pub(crate) fn push(&mut self, cells: Vec<Json>) -> io::Result<()> {
        cells.iter().try_for_each(|cell| self.put(&cell.into()))?;
        self.end_row()
    }

    /// Writes the next cell of a row.
    #[inline]
    pub(crate) fn put(&mut self, cell: &Cell<'_>) -> io::Result<()> {
        match &mut self.writer {
            Writer::Table(table) => table.put(cell),
            Writer::Text { format, .. } => {
                format.begin_cell(&mut self.row, self.cells);
                format.push_cell(&mut self.row, cell);
            }
        }
        self.cells += 1;
        Ok(())
    }

    /// Ends a row that has all its cells.
    pub(crate) fn end_row(&mut self) -> io::Result<()> {
        debug_assert_eq!(self.cells, self.width);
        self.cells = 0;
        match &mut self.writer {
            Writer::Table(table) => {
                self.count += 1;
                table.end_row()
            }
            Writer::Text { format, .. } => {
                format.end_row(&mut self.row);
                let mut row = std::mem::take(&mut self.row);
                self.put_rows(&row, 1)?;
                row.clear();
                self.row = row;
                Ok(())
            }
        }
    }

    /// Writes rows in the text that [`Rows::format`] has for them.
    pub(crate) fn put_rows(&mut self, text: &[u8], rows: usize) -> io::Result<()> {
        let Writer::Text { format, out, .. } = &mut self.writer else { return Ok(()) };
        if self.count == 0 && rows > 0 {
            let (start, rest) = format.first_rows(text);
            out.write_all(start)?;
            out.write_all(rest)?;
        } else {
            out.write_all(text)?;
        }
        self.count += rows as u64;
        Ok(())
    }

    /// Ends the answer: only now is all of it written.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.writer {
            Writer::Table(table) => table.finish(),
            Writer::Text { format, mut out, .. } => {
                out.write_all(format.footer(self.count > 0))?;
                out.flush()
            }
        }
    }
}

/// Standard output for one answer.
pub(super) fn stdout() -> Out {
    BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock())
}
