//! [`Sink`]: where rows go.

use std::fmt;
use std::io::{BufWriter, Write};

/// Bytes that wait before they go to the writer.
const BUFFER_BYTES: usize = 1 << 16;

/// The target of rows: a writer, and for tables the width that they must fit.
///
/// Up to 64 KiB wait before they go to the writer, which needs no buffer of its own.
pub struct Sink<'w> {
    pub(super) out: Out<'w>,
    /// In columns of a terminal; none: nothing is cut but long texts.
    pub(super) width: Option<u16>,
    pub(super) has_bold_titles: bool,
}

/// The writer, buffered.
pub(super) type Out<'w> = BufWriter<Box<dyn Write + 'w>>;

impl<'w> Sink<'w> {
    /// A writer without a width: tables are as wide as their cells, and texts in them are cut after 100
    /// characters.
    pub fn new(writer: impl Write + 'w) -> Self {
        let writer: Box<dyn Write + 'w> = Box::new(writer);
        Self { out: BufWriter::with_capacity(BUFFER_BYTES, writer), width: None, has_bold_titles: false }
    }

    /// Tables fit so many columns of a terminal, one line for each row. Zero, which a terminal of unknown
    /// width reports, is no width.
    #[must_use]
    pub fn with_width(self, width: u16) -> Self {
        Self { width: Some(width).filter(|width| *width > 0), ..self }
    }

    /// Titles of tables that have a width are bold, by escapes of terminals.
    #[must_use]
    pub fn with_bold_titles(self) -> Self {
        Self { has_bold_titles: true, ..self }
    }
}

impl fmt::Debug for Sink<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { width, has_bold_titles, .. } = self;
        let mut shown = formatter.debug_struct("Sink");
        shown.field("width", width).field("has_bold_titles", has_bold_titles).finish_non_exhaustive()
    }
}
