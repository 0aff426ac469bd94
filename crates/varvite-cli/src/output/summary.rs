//! Writes answers that are not rows: the summary of a command, or a document.

use std::io::{self, Write};
use std::path::Path;

use serde_json::{Map, Value as Json};

use varvite_show::{Column, Format, escaped};

use super::stdout::{begin_rows, stdout};

/// The result of a command: a sentence for users, and fields for programs.
pub(crate) struct Summary<'a> {
    /// The sentence.
    pub(crate) sentence: String,
    /// The names and values of the fields.
    pub(crate) fields: Vec<(&'a str, Json)>,
}

impl Summary<'_> {
    /// Writes the summary to standard output. The sentence becomes one line, even if names of files in it
    /// contain line breaks, but keeps line breaks at its end.
    pub(crate) fn write(self, format: Format) -> io::Result<()> {
        let sentence = self.sentence.trim_end_matches('\n');
        let breaks = &self.sentence[sentence.len()..];
        let line = format!("{}{breaks}", escaped(sentence));
        Summary { sentence: line, ..self }.write_lines(format)
    }

    /// Writes the summary as [`Self::write`] does, but keeps all line breaks of the sentence.
    pub(crate) fn write_lines(self, format: Format) -> io::Result<()> {
        match format {
            Format::Table => write_line(&self.sentence),
            Format::Csv => {
                let columns = self.fields.iter().map(|(name, _)| Column::text(*name)).collect();
                let mut rows = begin_rows(format, columns)?;
                rows.push(self.fields.into_iter().map(|(_, value)| value).collect())?;
                rows.finish()
            }
            Format::Json | Format::Jsonl => {
                let fields = self.fields.into_iter().map(|(name, value)| (name.to_owned(), value));
                let fields = Json::Object(fields.collect::<Map<_, _>>());
                write_document(&format!("{fields:#}"), format)
            }
        }
    }
}

/// The name of a file on one line, with control characters escaped.
pub(crate) fn shown(path: &Path) -> String {
    escaped(&path.to_string_lossy()).into_owned()
}

/// Writes one or several lines to standard output, with control characters escaped.
pub(crate) fn write_line(line: &str) -> io::Result<()> {
    let mut out = stdout();
    for line in line.split('\n') {
        writeln!(out, "{}", escaped(line))?;
    }
    out.flush()
}

/// Writes bytes unchanged to standard output.
pub(crate) fn write_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(bytes)?;
    out.flush()
}

/// Writes lines to standard output. The lines may contain texts of a graph or a plan, so control characters
/// are escaped.
pub(crate) fn write_text(text: &str) -> io::Result<()> {
    let mut out = stdout();
    for line in text.lines() {
        writeln!(out, "{}", escaped(line.trim_end()))?;
    }
    out.flush()
}

/// Writes a JSON document to standard output. In the format JSON lines, it becomes one line; otherwise it is
/// unchanged.
pub(crate) fn write_document(text: &str, format: Format) -> io::Result<()> {
    let mut out = stdout();
    if format == Format::Jsonl {
        let document: Json = serde_json::from_str(text)?;
        writeln!(out, "{document}")?;
    } else {
        writeln!(out, "{}", text.trim_end())?;
    }
    out.flush()
}
