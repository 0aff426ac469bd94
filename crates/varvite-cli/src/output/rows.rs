//! Answers that are rows: written as they come, whatever their number.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde_json::Value as Json;

use super::cell::Cell;
use super::column::Column;
use super::csv;
use super::format::Format;
use super::table::Table;

/// Bytes that wait before they go to the system.
const BUFFER_BYTES: usize = 1 << 16;

/// Standard output, buffered.
pub(super) type Out = BufWriter<StdoutLock<'static>>;

/// Rows on their way to standard output.
pub(crate) struct Rows {
    columns: Vec<Column>,
    writer: Writer,
    /// Rows that are whole.
    count: u64,
    /// Cells of the row at hand.
    cells: usize,
}

enum Writer {
    Table(Box<Table<Out>>),
    Json(Out),
    Jsonl(Out),
    Csv(Out),
}

impl Rows {
    /// Begins an answer.
    pub(crate) fn begin(format: Format, columns: Vec<Column>) -> io::Result<Self> {
        let writer = match format {
            Format::Table => Writer::Table(Box::new(Table::new(stdout(), columns.clone()))),
            Format::Json => Writer::Json(stdout()),
            Format::Jsonl => Writer::Jsonl(stdout()),
            Format::Csv => Writer::Csv(header(stdout(), &columns)?),
        };
        Ok(Self { columns, writer, count: 0, cells: 0 })
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
            Writer::Json(out) => {
                if self.cells == 0 {
                    out.write_all(if self.count == 0 { b"[\n  " } else { b",\n  " })?;
                }
                write_member(out, self.cells, &self.columns, cell)?;
            }
            Writer::Jsonl(out) => write_member(out, self.cells, &self.columns, cell)?,
            Writer::Csv(out) => {
                out.write_all(if self.cells == 0 { b"" } else { b"," })?;
                csv::write_field(out, cell)?;
            }
        }
        self.cells += 1;
        Ok(())
    }

    /// Ends a row that has all its cells.
    pub(crate) fn end_row(&mut self) -> io::Result<()> {
        debug_assert_eq!(self.cells, self.columns.len());
        match &mut self.writer {
            Writer::Table(table) => table.end_row()?,
            Writer::Json(out) => out.write_all(b"}")?,
            Writer::Jsonl(out) => out.write_all(b"}\n")?,
            Writer::Csv(out) => out.write_all(b"\n")?,
        }
        self.cells = 0;
        self.count += 1;
        Ok(())
    }

    /// Ends the answer: only now is all of it written.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.writer {
            Writer::Table(table) => table.finish(),
            Writer::Json(mut out) => {
                out.write_all(if self.count == 0 { b"[]\n" } else { b"\n]\n" })?;
                out.flush()
            }
            Writer::Jsonl(mut out) | Writer::Csv(mut out) => out.flush(),
        }
    }
}

/// Standard output for one answer.
pub(super) fn stdout() -> Out {
    BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock())
}

fn header(mut out: Out, columns: &[Column]) -> io::Result<Out> {
    for (number, column) in columns.iter().enumerate() {
        out.write_all(if number == 0 { b"" } else { b"," })?;
        csv::write_text(&mut out, &column.name)?;
    }
    out.write_all(b"\n")?;
    Ok(out)
}

/// Keys in the order of the columns, which a map would lose.
fn write_member(out: &mut Out, index: usize, columns: &[Column], cell: &Cell<'_>) -> io::Result<()> {
    out.write_all(if index == 0 { b"{" } else { b", " })?;
    serde_json::to_writer(&mut *out, columns.get(index).map_or("", |column| &column.name))?;
    out.write_all(b": ")?;
    match cell {
        Cell::Null => out.write_all(b"null"),
        Cell::Int(number) => write!(out, "{number}"),
        Cell::Uint(number) => write!(out, "{number}"),
        Cell::Text(text) => Ok(serde_json::to_writer(out, &**text)?),
        Cell::Str(text) => Ok(serde_json::to_writer(out, &**text)?),
        Cell::Json(json) => Ok(serde_json::to_writer(out, &**json)?),
    }
}
