//! [`RowFormat`]: writes rows for other programs, as CSV, JSON lines or one JSON array.
//!
//! It appends text to the caller's buffers, so that any thread can render rows independently of other rows.

use super::cell::Cell;
use super::column::Column;
use super::digits::{push_int, push_uint};
use super::format::Format;
use super::{csv, json};

/// The format of rows with certain columns.
#[derive(Clone, Debug)]
pub(crate) struct RowFormat {
    dialect: Dialect,
    /// The text before the cell of each column: a separator and, in JSON, the name.
    before: Vec<Vec<u8>>,
    after: &'static [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Csv,
    JsonLines,
    JsonArray,
}

impl RowFormat {
    /// The row format for an output format. `None` for tables, because the rows of a table depend on one
    /// another.
    pub(super) fn of(format: Format, columns: &[Column]) -> Option<Self> {
        let (dialect, first, after): (_, &[u8], &[u8]) = match format {
            Format::Table => return None,
            Format::Csv => (Dialect::Csv, b"", b"\n"),
            Format::Jsonl => (Dialect::JsonLines, b"{", b"}\n"),
            Format::Json => (Dialect::JsonArray, b",\n  {", b"}"),
        };
        let before = |(index, column): (usize, &Column)| {
            let mut before = if index == 0 { first.to_vec() } else { b",".to_vec() };
            if dialect != Dialect::Csv {
                before.extend(if index == 0 { &b""[..] } else { b" " });
                json::push_text(&mut before, &column.name);
                before.extend(b": ");
            }
            before
        };
        Some(Self { dialect, before: columns.iter().enumerate().map(before).collect(), after })
    }

    /// The same format for rows with other columns. `None` for CSV, whose header has named its columns.
    pub(super) fn with_columns(&self, columns: &[Column]) -> Option<Self> {
        match self.dialect {
            Dialect::Csv => None,
            Dialect::JsonLines => Self::of(Format::Jsonl, columns),
            Dialect::JsonArray => Self::of(Format::Json, columns),
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

    /// Appends the text before the cell of a column.
    #[inline]
    pub(crate) fn begin_cell(&self, out: &mut Vec<u8>, column: usize) {
        match self.before.get(column).map_or(&[][..], Vec::as_slice) {
            [] => {}
            [comma] => out.push(*comma),
            before => out.extend_from_slice(before),
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

    /// Appends an empty cell, for a missing value.
    #[inline]
    pub(crate) fn push_null(&self, out: &mut Vec<u8>) {
        if self.dialect != Dialect::Csv {
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
            _ => json::push_text(out, text),
        }
    }

    /// Appends a cell of any kind.
    pub(crate) fn push_cell(&self, out: &mut Vec<u8>, cell: &Cell<'_>) {
        match cell {
            cell if cell.is_null() => self.push_null(out),
            Cell::Int(number) => self.push_int(out, *number),
            Cell::Uint(number) => self.push_uint(out, *number),
            Cell::Json(json) if !json.is_string() => match self.dialect {
                // A list is quoted, since it may contain commas.
                Dialect::Csv => csv::push_text(out, &json.to_string()),
                _ => out.extend_from_slice(json.to_string().as_bytes()),
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
        RowFormat::of(format, &[]).unwrap().push_cell(&mut out, &cell);
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
    fn lists_and_truth_values_are_json() {
        assert_eq!(written(Format::Csv, 7u32.into()), "7");
        assert_eq!(written(Format::Csv, json!(true).into()), "true");
        assert_eq!(written(Format::Csv, json!(["a", 1]).into()), "\"[\"\"a\"\",1]\"");
        assert_eq!(written(Format::Jsonl, json!(["a", 1]).into()), "[\"a\",1]");
    }

    #[test]
    fn rows_make_an_array_wherever_they_were_written() {
        let format = RowFormat::of(Format::Json, &[Column::number("id")]).unwrap();
        let mut rows = Vec::new();
        for number in 1..=2 {
            format.begin_cell(&mut rows, 0);
            format.push_uint(&mut rows, number);
            format.end_row(&mut rows);
        }
        let (start, rest) = format.first_rows(&rows);
        let text = [start, rest, format.footer(true)].concat();
        assert_eq!(String::from_utf8(text).unwrap(), "[\n  {\"id\": 1},\n  {\"id\": 2}\n]\n");
        assert_eq!(format.footer(false), b"[]\n");
    }
}
