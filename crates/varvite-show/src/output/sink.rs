//! [`Sink`]: the target of rows.

use std::fmt;
use std::io::{BufWriter, Write};

use super::receiver::RowReceiver;

/// The size in bytes of the writer's buffer.
const BUFFER_BYTES: usize = 1 << 16;

/// The target of rows: a writer and, for tables, the width that lines must fit; or a receiver of cells.
///
/// The sink buffers up to 64 KiB of text, so a writer needs no buffer of its own.
pub struct Sink<'w> {
    pub(super) target: Target<'w>,
    /// The width in terminal columns. `None` for no width: then only long texts are cut.
    pub(super) width: Option<u16>,
    pub(super) has_bold_titles: bool,
}

/// The target of text, or of cells.
pub(super) enum Target<'w> {
    Text(Out<'w>),
    Cells(Box<dyn RowReceiver + 'w>),
}

/// The buffered writer.
pub(super) type Out<'w> = BufWriter<Box<dyn Write + 'w>>;

impl<'w> Sink<'w> {
    /// Makes a sink without a width: tables are as wide as their cells need, and texts in them are cut after
    /// 100 characters.
    pub fn new(writer: impl Write + 'w) -> Self {
        let writer: Box<dyn Write + 'w> = Box::new(writer);
        Self::of(Target::Text(BufWriter::with_capacity(BUFFER_BYTES, writer)))
    }

    /// Makes a sink that passes cells to a receiver, row by row, on the thread that writes the answer.
    pub fn of_receiver(receiver: impl RowReceiver + 'w) -> Self {
        Self::of(Target::Cells(Box::new(receiver)))
    }

    fn of(target: Target<'w>) -> Self {
        Self { target, width: None, has_bold_titles: false }
    }

    /// Makes tables fit this width, in terminal columns, with one line per row. Zero means no width;
    /// terminals whose width is unknown report zero.
    #[must_use]
    pub fn with_width(self, width: u16) -> Self {
        Self { width: Some(width).filter(|width| *width > 0), ..self }
    }

    /// Makes the titles of tables bold, by escape sequences of terminals. Only tables with a width have bold
    /// titles.
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
