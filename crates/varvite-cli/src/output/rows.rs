//! Answers that are rows: written as they come, whatever their number.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde_json::Value as Json;
use varvite::Graph;

use super::format::Format;
use super::table::Table;
use crate::failure::Failure;

/// Bytes that wait before they go to the system.
const BUFFER_BYTES: usize = 1 << 16;

/// Standard output, buffered.
pub(super) type Out = BufWriter<StdoutLock<'static>>;

/// A column of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(super) name: String,
    pub(super) is_number: bool,
    /// In characters: what is known of the widest cell before the first one comes.
    pub(super) width_min: usize,
}

impl Column {
    /// A column of texts.
    pub(crate) fn text(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: false, width_min: 0 }
    }

    /// A column of numbers: tables align it to the right.
    pub(crate) fn number(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_number: true, width_min: 0 }
    }

    /// The column of node ids.
    pub(crate) fn node(graph: &Graph) -> Self {
        let id_max = graph.node_count().saturating_sub(1);
        Self { width_min: id_max.to_string().len(), ..Self::number("node") }
    }
}

/// Rows on their way to standard output.
pub(crate) struct Rows {
    columns: Vec<Column>,
    writer: Writer,
    count: u64,
}

enum Writer {
    Table(Box<Table<Out>>),
    Json(Out),
    Jsonl(Out),
    Csv(Box<csv::Writer<Out>>),
}

impl Rows {
    /// Begins an answer.
    pub(crate) fn begin(format: Format, columns: Vec<Column>) -> Result<Self, Failure> {
        let writer = match format {
            Format::Table => Writer::Table(Box::new(Table::new(stdout(), columns.clone()))),
            Format::Json => Writer::Json(stdout()),
            Format::Jsonl => Writer::Jsonl(stdout()),
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(stdout());
                writer.write_record(columns.iter().map(|column| &column.name))?;
                Writer::Csv(Box::new(writer))
            }
        };
        Ok(Self { columns, writer, count: 0 })
    }

    /// Writes a row, one cell for each column.
    pub(crate) fn push(&mut self, cells: Vec<Json>) -> Result<(), Failure> {
        debug_assert_eq!(cells.len(), self.columns.len());
        match &mut self.writer {
            Writer::Table(table) => table.push(&cells)?,
            Writer::Json(out) => {
                out.write_all(if self.count == 0 { b"[\n  " } else { b",\n  " })?;
                write_object(out, &self.columns, &cells)?;
            }
            Writer::Jsonl(out) => {
                write_object(out, &self.columns, &cells)?;
                out.write_all(b"\n")?;
            }
            Writer::Csv(writer) => writer.write_record(cells.iter().map(plain_text))?,
        }
        self.count += 1;
        Ok(())
    }

    /// Ends the answer: only now is all of it written.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.writer {
            Writer::Table(table) => table.finish()?,
            Writer::Json(mut out) => {
                out.write_all(if self.count == 0 { b"[]\n" } else { b"\n]\n" })?;
                out.flush()?;
            }
            Writer::Jsonl(mut out) => out.flush()?,
            Writer::Csv(mut writer) => writer.flush()?,
        }
        Ok(())
    }
}

/// Standard output for one answer.
pub(super) fn stdout() -> Out {
    BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock())
}

/// What a cell says outside JSON: nothing for null, a text as it is, anything else as JSON.
pub(super) fn plain_text(cell: &Json) -> String {
    match cell {
        Json::Null => String::new(),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Keys in the order of the columns, which a map would lose.
fn write_object(out: &mut Out, columns: &[Column], cells: &[Json]) -> Result<(), Failure> {
    for (index, (column, cell)) in columns.iter().zip(cells).enumerate() {
        out.write_all(if index == 0 { b"{" } else { b", " })?;
        serde_json::to_writer(&mut *out, &column.name)?;
        out.write_all(b": ")?;
        serde_json::to_writer(&mut *out, cell)?;
    }
    Ok(out.write_all(b"}")?)
}
