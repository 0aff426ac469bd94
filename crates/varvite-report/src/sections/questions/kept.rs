//! [`Kept`]: rows as lines of JSON, in limited memory.

use std::cell::RefCell;
use std::io::{self, Write};

use varvite::pipeline::Run;
use varvite_show::{Shown, Sink};
use varvite_text::AnswerOutput;

use super::row::Row;

/// The most bytes of the rows of a question.
const BYTES_MAX: usize = 4 << 20;

/// The beginning of an answer: a line for each row.
#[derive(Default)]
pub(super) struct Kept {
    lines: RefCell<Vec<u8>>,
}

impl Kept {
    pub(super) fn sink(&self) -> Sink<'_> {
        Sink::new(Lines(self))
    }

    /// Whether the answer is longer than what is kept.
    pub(super) fn is_full(&self) -> bool {
        self.lines.borrow().len() >= BYTES_MAX
    }

    /// The rows; a row of which only a part is kept is left out.
    pub(super) fn rows(&self) -> Vec<Row> {
        let lines = self.lines.borrow();
        lines.split(|byte| *byte == b'\n').filter_map(Row::of_line).collect()
    }

    /// Keeps bytes. Once no more is kept, this fails, which ends the run.
    fn push(&self, bytes: &[u8]) -> io::Result<()> {
        let mut lines = self.lines.borrow_mut();
        let more = bytes.len().min(BYTES_MAX - lines.len());
        lines.extend_from_slice(&bytes[..more]);
        if more < bytes.len() { Err(io::Error::other("no more is kept")) } else { Ok(()) }
    }
}

impl AnswerOutput for Kept {
    fn rows(&self) -> Sink<'_> {
        self.sink()
    }

    /// Keeps a value as a row of one column.
    fn value(&self, text: &str) -> io::Result<()> {
        let value = serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::from(text));
        self.push(format!("{}\n", serde_json::json!({ "value": value })).as_bytes())
    }

    fn end_of_rows(&self, _: &Run, _: Option<Shown>) {}
}

struct Lines<'k>(&'k Kept);

impl Write for Lines<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
