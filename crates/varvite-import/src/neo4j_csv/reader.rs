//! [`CsvReader`]: splits bytes into fields.
//!
//! A field is quoted if it begins with a quote. Within a quoted field, a quote is written twice, and line
//! ends belong to the field. Rows end with a line feed; a carriage return before it is not part of the row.
//! Empty lines are skipped. No library is used, because this reader distinguishes `""` from an empty field
//! and records the line of every field.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use memchr::{memchr, memchr_iter, memchr2};
use varvite_codec::frame::Expansion;

use super::format::CsvFormat;
use super::record::{FieldEnd, Record};
use crate::text::{TextError, TextFault, TextPosition, TextSource};

/// Largest length of a row in bytes; a longer row probably lacks a closing quote.
const ROW_MAX: usize = 64 << 20;

/// Reads the rows of a file.
pub(super) struct CsvReader {
    path: PathBuf,
    source: TextSource,
    format: CsvFormat,
    /// The current line.
    line: u64,
    record: Record,
}

/// The position of the reader in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the first byte of a field.
    Start,
    /// In a field without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// After a quote that closes the field, unless another quote follows.
    Closed,
    /// After the closing quote and a carriage return.
    Returned,
}

/// A row that is being read.
struct Row {
    bytes: Vec<u8>,
    fields: Vec<FieldEnd>,
    state: State,
    is_quoted: bool,
    /// The line in which the field starts.
    line: u64,
}

impl CsvReader {
    /// Opens a file.
    pub(super) fn open(path: &Path, format: CsvFormat, expansion: Expansion) -> Result<Self, TextError> {
        let source = TextSource::open(path, expansion).map_err(|error| TextError::io(path, error))?;
        Self::over(path, source, format)
    }

    /// Makes a reader of a source, whose name in errors is `path`.
    pub(super) fn over(path: &Path, source: TextSource, format: CsvFormat) -> Result<Self, TextError> {
        let mut reader = Self { path: path.to_owned(), source, format, line: 1, record: Record::default() };
        // A byte order mark has no meaning in UTF-8.
        let is_marked = reader.fill()?.starts_with(b"\xef\xbb\xbf");
        reader.source.consume(if is_marked { 3 } else { 0 });
        Ok(reader)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn source(&self) -> &TextSource {
        &self.source
    }

    /// The row that was read last.
    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    /// Reads the next row; returns false at the end of the file.
    pub(super) fn read(&mut self) -> Result<bool, TextError> {
        loop {
            self.pass_line_feeds()?;
            let is_found = self.read_line()?;
            if !is_found || !self.record.is_blank() {
                return Ok(is_found);
            }
        }
    }

    fn fill(&mut self) -> Result<&[u8], TextError> {
        self.source.fill_buf().map_err(|error| TextError::io(&self.path, error))
    }

    /// Skips empty lines. A compressed file may have a great many; reading each as a row would take thirty
    /// times as long.
    fn pass_line_feeds(&mut self) -> Result<(), TextError> {
        while self.format.quote != b'\n' {
            let chunk = self.fill()?;
            let (count, is_more) = match chunk.iter().position(|byte| *byte != b'\n') {
                Some(count) => (count, false),
                None => (chunk.len(), !chunk.is_empty()),
            };
            self.source.consume(count);
            self.line += count as u64;
            if !is_more {
                break;
            }
        }
        Ok(())
    }

    fn read_line(&mut self) -> Result<bool, TextError> {
        let (bytes, fields) = self.record.take();
        let mut row = Row { bytes, fields, state: State::Start, is_quoted: false, line: self.line };
        let mut is_begun = false;
        loop {
            let chunk = self.source.fill_buf().map_err(|error| TextError::io(&self.path, error))?;
            if chunk.is_empty() {
                if !is_begun {
                    return Ok(false);
                }
                if row.state == State::Quoted {
                    return Err(self.fault(&row, TextFault::OpenQuote));
                }
                row.end_line();
                break;
            }
            is_begun = true;
            match row.take(chunk, self.format, &mut self.line) {
                Ok((used, is_over)) => {
                    self.source.consume(used);
                    if is_over {
                        break;
                    }
                }
                Err(fault) => return Err(self.fault(&row, fault)),
            }
            if row.bytes.len() > ROW_MAX {
                return Err(self.fault(&row, TextFault::TooLong { what: "a row", limit: ROW_MAX }));
            }
        }
        let filled = self.record.fill(row.bytes, row.fields);
        let not_text = |(index, line)| {
            TextError::at(&self.path, TextPosition::column(line, index, ""), TextFault::NotUtf8)
        };
        filled.map(|()| true).map_err(not_text)
    }

    /// The error for a fault in the current field.
    fn fault(&self, row: &Row, fault: TextFault) -> TextError {
        TextError::at(&self.path, TextPosition::column(row.line, row.fields.len(), ""), fault)
    }
}

impl Row {
    /// Consumes bytes of the row; returns their number, and whether the row is complete.
    fn take(&mut self, chunk: &[u8], format: CsvFormat, line: &mut u64) -> Result<(usize, bool), TextFault> {
        let mut at = 0;
        while at < chunk.len() {
            let rest = &chunk[at..];
            match self.state {
                State::Start if rest[0] == format.quote => {
                    (self.is_quoted, self.state) = (true, State::Quoted);
                    at += 1;
                }
                State::Start => self.state = State::Plain,
                State::Plain => {
                    let end = memchr2(format.delimiter, b'\n', rest).unwrap_or(rest.len());
                    self.bytes.extend_from_slice(&rest[..end]);
                    at += end;
                    if end < rest.len() {
                        at += 1;
                        if rest[end] == b'\n' {
                            return Ok(self.end_row(at, line));
                        }
                        self.end_field(*line);
                    }
                }
                State::Quoted => {
                    let end = memchr(format.quote, rest).unwrap_or(rest.len());
                    self.bytes.extend_from_slice(&rest[..end]);
                    *line += memchr_iter(b'\n', &rest[..end]).count() as u64;
                    at += end;
                    if end < rest.len() {
                        at += 1;
                        self.state = State::Closed;
                    }
                }
                State::Closed if rest[0] == format.quote => {
                    self.bytes.push(format.quote);
                    self.state = State::Quoted;
                    at += 1;
                }
                State::Closed if rest[0] == format.delimiter => {
                    self.end_field(*line);
                    at += 1;
                }
                State::Closed if rest[0] == b'\r' => {
                    self.state = State::Returned;
                    at += 1;
                }
                State::Closed | State::Returned if rest[0] == b'\n' => return Ok(self.end_row(at + 1, line)),
                State::Closed | State::Returned => {
                    let start = &rest[..rest.len().min(4)];
                    let found = String::from_utf8_lossy(start).chars().next();
                    return Err(TextFault::AfterQuote { found: found.unwrap_or('\u{fffd}') });
                }
            }
        }
        Ok((at, false))
    }

    fn end_row(&mut self, used: usize, line: &mut u64) -> (usize, bool) {
        self.end_line();
        *line += 1;
        (used, true)
    }

    /// Ends the last field of a line, and removes the carriage return before the line feed.
    fn end_line(&mut self) {
        if !self.is_quoted && self.bytes.len() > self.fields.last().map_or(0, |field| field.end) {
            self.bytes.pop_if(|byte| *byte == b'\r');
        }
        self.end_field(self.line);
    }

    /// Ends a field; the next one starts in `next_line`.
    fn end_field(&mut self, next_line: u64) {
        let Self { is_quoted, line, .. } = *self;
        self.fields.push(FieldEnd { end: self.bytes.len(), is_quoted, line });
        (self.is_quoted, self.state, self.line) = (false, State::Start, next_line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(text: &[u8]) -> CsvReader {
        CsvReader::over(Path::new("t.csv"), TextSource::of(text), CsvFormat::default()).unwrap()
    }

    fn rows(text: &str) -> Vec<Vec<String>> {
        let (mut reader, mut rows) = (reader(text.as_bytes()), Vec::new());
        while reader.read().unwrap() {
            rows.push(reader.record().fields().map(|field| field.text.to_owned()).collect());
        }
        rows
    }

    fn error(text: &[u8]) -> String {
        let mut reader = reader(text);
        loop {
            match reader.read() {
                Ok(is_found) => assert!(is_found, "no error"),
                Err(error) => return error.to_string(),
            }
        }
    }

    #[test]
    fn fields_are_told_apart() {
        let check = |text, expected: &[&[&str]]| assert_eq!(rows(text), expected, "{text:?}");
        check("", &[]);
        check("a,b\nc,d\n", &[&["a", "b"], &["c", "d"]]);
        check("a,b\r\n\r\n\nc,d", &[&["a", "b"], &["c", "d"]]);
        check(",\n\"\"\n", &[&["", ""], &[""]]);
        check("a,\n,b", &[&["a", ""], &["", "b"]]);
        check("\"a,\"\"b\"\"\",\"c\nd\"\r\ne\n", &[&["a,\"b\"", "c\nd"], &["e"]]);
        check("a\"b,c\n", &[&["a\"b", "c"]]);
        check("\u{feff}é,\"ü\"", &[&["é", "ü"]]);
        check("a\rb,c\r\n\"d\r\"\r\n", &[&["a\rb", "c"], &["d\r"]]);
    }

    #[test]
    fn nothing_is_no_quoted_text() {
        let mut reader = reader(b",\"\",a\n");
        assert!(reader.read().unwrap());
        assert_eq!(
            reader.record().fields().map(|field| field.is_absent()).collect::<Vec<_>>(),
            [true, false, false]
        );
    }

    #[test]
    fn lines_are_counted_in_quotes_too() {
        let mut reader = reader(b"a,\"b\n\n\",c\nd,e\n\nf,\"g\"\n");
        let mut lines = Vec::new();
        while reader.read().unwrap() {
            lines.push(reader.record().fields().map(|field| field.line).collect::<Vec<_>>());
        }
        assert_eq!(lines, [vec![1, 1, 3], vec![4, 4], vec![6, 6]]);
    }

    #[test]
    fn errors_have_their_place() {
        let check = |text: &[u8], place: &str, what: &str| {
            let message = error(text);
            assert!(message.starts_with(&format!("t.csv: {place}: ")) && message.contains(what), "{message}");
        };
        check(b"a\nb,\"c\nd", "line 2, column 2", "never closed");
        check(b"\"a\" ,b", "line 1, column 1", "followed by ' '");
        check(b"a,b\nc,\xff\n", "line 2, column 2", "not UTF-8");
        check(b"\"a\"\rb", "line 1, column 1", "followed by 'b'");
    }

    /// The reader returns the fields of any table as they were written, wherever the buffer ends.
    #[test]
    fn what_is_written_is_read() {
        use proptest::prelude::*;
        let field = proptest::string::string_regex("[a,\"\n\ré]{0,4}").unwrap();
        let table = proptest::collection::vec(proptest::collection::vec(field, 2..4), 0..6);
        proptest!(|(table in table)| {
            let line = |row: &Vec<String>| {
                let fields = row.iter().map(|field| format!("\"{}\"", field.replace('"', "\"\"")));
                fields.collect::<Vec<_>>().join(",") + "\n"
            };
            prop_assert_eq!(rows(&table.iter().map(line).collect::<String>()), table);
        });
    }
}
