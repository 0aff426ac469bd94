//! Fields of CSV (RFC 4180). Null is an empty field, and an empty text is `""`, so that readers can tell them apart.

use std::io::{self, Write};

use super::cell::Cell;

/// Writes the field of a cell.
pub(super) fn write_field(out: &mut impl Write, cell: &Cell<'_>) -> io::Result<()> {
    match cell {
        cell if cell.is_null() => Ok(()),
        cell => write_text(out, &cell.plain()),
    }
}

/// Writes a text: in quotes where it is empty, or holds what would end a field.
pub(super) fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    if !text.is_empty() && !text.contains([',', '"', '\n', '\r']) {
        return out.write_all(text.as_bytes());
    }
    out.write_all(b"\"")?;
    for (number, part) in text.split('"').enumerate() {
        out.write_all(if number == 0 { b"" } else { b"\"\"" })?;
        out.write_all(part.as_bytes())?;
    }
    out.write_all(b"\"")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(cell: Cell<'_>) -> String {
        let mut out = Vec::new();
        write_field(&mut out, &cell).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn null_and_empty_text_differ() {
        assert_eq!([written(Cell::Null), written("".into())], ["", "\"\""]);
        assert_eq!(written(json!(null).into()), "");
    }

    #[test]
    fn a_reader_gets_every_text_back() {
        for text in ["", "plain", "a,b", "\"", "say \"no\"", "two\nlines", "\r", " blank ", "größe"] {
            let line = format!("{},x\n", written(text.into()));
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
            assert_eq!(reader.records().next().unwrap().unwrap(), vec![text, "x"]);
        }
        assert_eq!(written("plain".into()), "plain");
        assert_eq!(written("say \"no\"".into()), "\"say \"\"no\"\"\"");
    }

    #[test]
    fn anything_else_is_json() {
        assert_eq!(written(7u32.into()), "7");
        assert_eq!(written(json!(["a", 1]).into()), "\"[\"\"a\"\",1]\"");
    }
}
