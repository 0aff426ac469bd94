//! Writes answers to standard output, in the formats of `varvite_show`, and notes to standard error.

mod bar;
mod format;
mod notes;
mod stdout;
mod summary;

pub(crate) use bar::bar;
pub(crate) use format::formats;
pub(crate) use notes::{complain, note, note_places, remark};
pub(crate) use stdout::{Rows, begin_rows, sink, stdout};
pub(crate) use summary::{Summary, shown, write_bytes, write_document, write_line, write_text};
pub(crate) use varvite_show::{
    Cell, Column, Format, counted, escaped, escaped_code, shortened, sized, thousands,
};
