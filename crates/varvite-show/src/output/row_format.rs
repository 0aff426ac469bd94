//! [`RowFormat`]: writes rows as CSV, JSON lines, one JSON array, or lines for a table.
//!
//! It appends text to the caller's buffers, so that any thread can render rows independently of other rows.
//! Only a table needs all rows before it can align them, so its lines have a mark between cells.

use super::cell::Cell;
use super::column::Column;
use super::digits::{push_int, push_uint};
use super::format::Format;
use super::text::{escaped, shortened};
use super::{csv, json};

/// The mark between the cells of a line for a table. Texts of tables have no control characters.
pub(super) const CELL_MARK: char = '\u{1f}';
const MARK: &[u8] = &[CELL_MARK as u8];

/// The format of rows with certain columns.
#[derive(Clone, Debug)]
pub(crate) struct RowFormat {
    dialect: Dialect,
    cells: Vec<CellFormat>,
    after: &'static [u8],
}

/// The format of a column's cells.
#[derive(Clone, Debug)]
pub(crate) struct CellFormat {
    dialect: Dialect,
    /// The text before each cell: a separator and, in JSON, the name.
    before: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Csv,
    JsonLines,
    JsonArray,
    /// Cells of a table, whose texts are shortened.
    Table,
    /// Cells of a table, whose texts are never shortened.
    WholeTable,
}

impl RowFormat {
    /// The row format for an output format.
    pub(super) fn of(format: Format, columns: &[Column]) -> Self {
        let (dialect, first, between, after): (_, &[u8], &[u8], &[u8]) = match format {
            Format::Table => (Dialect::Table, b"", MARK, b"\n"),
            Format::Csv => (Dialect::Csv, b"", b",", b"\n"),
            Format::Jsonl => (Dialect::JsonLines, b"{", b", ", b"}\n"),
            Format::Json => (Dialect::JsonArray, b",\n  {", b", ", b"}"),
        };
        let cell =
            |(index, column)| CellFormat::of(dialect, if index == 0 { first } else { between }, column);
        Self { dialect, cells: columns.iter().enumerate().map(cell).collect(), after }
    }

    /// The format of the cells of the column with this index.
    #[inline]
    pub(crate) fn cell(&self, column: usize) -> Option<&CellFormat> {
        self.cells.get(column)
    }

    /// The same format for rows with other columns. `None` for tables and CSV, whose titles have named their
    /// columns.
    pub(super) fn with_columns(&self, columns: &[Column]) -> Option<Self> {
        match self.dialect {
            Dialect::Csv | Dialect::Table | Dialect::WholeTable => None,
            Dialect::JsonLines => Some(Self::of(Format::Jsonl, columns)),
            Dialect::JsonArray => Some(Self::of(Format::Json, columns)),
        }
    }

    /// The text before all rows.
    pub(super) fn header(&self, columns: &[Column]) -> Vec<u8> {
        let mut header = Vec::new();
        if self.dialect == Dialect::Csv {
            for (index, column) in columns.iter().enumerate() {
                header.extend(if index == 0 { &b""[..] } else { b"," });
                csv::push_text(&mut header, &column.name);
            }
            header.push(b'\n');
        }
        header
    }

    /// Splits the text of the first rows into its first bytes, corrected, and the rest: in a JSON array, the
    /// first row begins with a bracket instead of a comma.
    pub(super) fn first_rows<'t>(&self, text: &'t [u8]) -> (&'static [u8], &'t [u8]) {
        match self.dialect {
            Dialect::JsonArray => (b"[", text.get(1..).unwrap_or_default()),
            _ => (b"", text),
        }
    }

    /// The text after all rows.
    pub(super) fn footer(&self, has_rows: bool) -> &'static [u8] {
        match (self.dialect, has_rows) {
            (Dialect::JsonArray, true) => b"\n]\n",
            (Dialect::JsonArray, false) => b"[]\n",
            _ => b"",
        }
    }

    /// Appends the text after the last cell of a row.
    #[inline]
    pub(crate) fn end_row(&self, out: &mut Vec<u8>) {
        match self.after {
            [end] => out.push(*end),
            after => out.extend_from_slice(after),
        }
    }
}

impl CellFormat {
    /// The format of a column's cells, which have this text before them.
    fn of(dialect: Dialect, before: &[u8], column: &Column) -> Self {
        let mut before = before.to_vec();
        if matches!(dialect, Dialect::JsonLines | Dialect::JsonArray) {
            json::push_text(&mut before, &column.name);
            before.extend(b": ");
        }
        let is_whole = dialect == Dialect::Table && column.is_whole;
        Self { dialect: if is_whole { Dialect::WholeTable } else { dialect }, before }
    }

    /// Appends the text before the cell.
    #[inline]
    pub(crate) fn begin(&self, out: &mut Vec<u8>) {
        match &self.before[..] {
            [] => {}
            [comma] => out.push(*comma),
            before => out.extend_from_slice(before),
        }
    }

    /// Appends an empty cell, for a missing value.
    #[inline]
    pub(crate) fn push_null(&self, out: &mut Vec<u8>) {
        if matches!(self.dialect, Dialect::JsonLines | Dialect::JsonArray) {
            out.extend_from_slice(b"null");
        }
    }

    /// Appends a signed number.
    #[inline]
    pub(crate) fn push_int(&self, out: &mut Vec<u8>, number: i64) {
        push_int(out, number);
    }

    /// Appends an unsigned number.
    #[inline]
    pub(crate) fn push_uint(&self, out: &mut Vec<u8>, number: u64) {
        push_uint(out, number);
    }

    /// Appends a truth value.
    #[inline]
    pub(crate) fn push_bool(&self, out: &mut Vec<u8>, value: bool) {
        out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Appends a text.
    #[inline]
    pub(crate) fn push_text(&self, out: &mut Vec<u8>, text: &str) {
        match self.dialect {
            Dialect::Csv => csv::push_text(out, text),
            Dialect::JsonLines | Dialect::JsonArray => json::push_text(out, text),
            Dialect::Table => out.extend_from_slice(shortened(text).as_bytes()),
            Dialect::WholeTable => out.extend_from_slice(escaped(text).as_bytes()),
        }
    }

    /// Appends a cell of any kind.
    pub(crate) fn push_cell(&self, out: &mut Vec<u8>, cell: &Cell<'_>) {
        match cell {
            cell if cell.is_null() => self.push_null(out),
            Cell::Int(number) => self.push_int(out, *number),
            Cell::Uint(number) => self.push_uint(out, *number),
            Cell::Json(json) if !json.is_string() => match self.dialect {
                Dialect::JsonLines | Dialect::JsonArray => out.extend_from_slice(json.to_string().as_bytes()),
                // In CSV a list is quoted, since it may contain commas.
                _ => self.push_text(out, &json.to_string()),
            },
            cell => self.push_text(out, cell.text().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(format: Format, cell: Cell<'_>) -> String {
        let mut out = Vec::new();
        RowFormat::of(format, &[Column::text("a")]).cells[0].push_cell(&mut out, &cell);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn null_and_empty_text_differ() {
        let written = |cell| [written(Format::Csv, Cell::clone(&cell)), written(Format::Jsonl, cell)];
        assert_eq!(written(Cell::Null), ["", "null"]);
        assert_eq!(written(json!(null).into()), ["", "null"]);
        assert_eq!(written("".into()), ["\"\"", "\"\""]);
    }

    #[test]
    fn cells_of_tables_have_neither_marks_nor_line_ends() {
        let row = |columns: &[Column], text: &str| {
            let (format, mut out) = (RowFormat::of(Format::Table, columns), Vec::new());
            for cell in &format.cells {
                cell.begin(&mut out);
                cell.push_text(&mut out, text);
            }
            format.end_row(&mut out);
            String::from_utf8(out).unwrap()
        };
        let columns = [Column::text("a"), Column::text("b").whole()];
        assert_eq!(row(&columns, "x\ny\u{1f}z"), "x\\ny\\u{1f}z\u{1f}x\\ny\\u{1f}z\n");
        let long = "x".repeat(120);
        assert_eq!(row(&columns, &long), format!("{}…\u{1f}{long}\n", "x".repeat(100)));
    }

    #[test]
    fn lists_and_truth_values_are_json() {
        assert_eq!(written(Format::Csv, 7u32.into()), "7");
        assert_eq!(written(Format::Csv, json!(true).into()), "true");
        assert_eq!(written(Format::Csv, json!(["a", 1]).into()), "\"[\"\"a\"\",1]\"");
        assert_eq!(written(Format::Jsonl, json!(["a", 1]).into()), "[\"a\",1]");
    }

    #[test]
    fn rows_make_an_array_wherever_they_were_written() {
        let format = RowFormat::of(Format::Json, &[Column::number("id")]);
        let mut rows = Vec::new();
        for number in 1..=2 {
            let cell = format.cell(0).unwrap();
            cell.begin(&mut rows);
            cell.push_uint(&mut rows, number);
            format.end_row(&mut rows);
        }
        let (start, rest) = format.first_rows(&rows);
        let text = [start, rest, format.footer(true)].concat();
        assert_eq!(String::from_utf8(text).unwrap(), "[\n  {\"id\": 1},\n  {\"id\": 2}\n]\n");
        assert_eq!(format.footer(false), b"[]\n");
    }
}
