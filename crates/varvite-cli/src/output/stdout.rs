//! Opens standard output for an answer.

use std::io::{self, BufWriter, StdoutLock};

use varvite_show::{Column, Format, Sink};

/// Size of the buffer of standard output.
const BUFFER_BYTES: usize = 1 << 16;

/// Writes rows to standard output.
pub(crate) type Rows = varvite_show::Rows<'static>;

/// Begins an answer with rows.
pub(crate) fn begin_rows(format: Format, columns: Vec<Column>) -> io::Result<Rows> {
    Rows::begin(sink(), format, columns)
}

/// Standard output for rows. If it is a terminal, tables fit the terminal's width.
pub(crate) fn sink() -> Sink<'static> {
    let sink = Sink::new(io::stdout().lock());
    let width = console::Term::stdout().size_checked().map(|(_, columns)| columns);
    match width {
        Some(width) if wants_colour() => sink.with_width(width).with_bold_titles(),
        Some(width) => sink.with_width(width),
        None => sink,
    }
}

/// Buffered standard output for anything but rows.
pub(crate) fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock())
}

/// Whether the user and the terminal allow colour; see <https://no-color.org>.
fn wants_colour() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}
