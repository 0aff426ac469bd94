//! Answers on standard output: tables for people; JSON, JSON lines and CSV for programs.

mod cell;
mod column;
mod csv;
mod format;
mod notes;
mod rows;
mod summary;
mod table;
mod text;
mod value;

pub(crate) use cell::{Cell, all_of};
pub(crate) use column::Column;
pub(crate) use format::Format;
pub(crate) use notes::{complain, note, remark};
pub(crate) use rows::Rows;
pub(crate) use summary::{Summary, write_bytes, write_document, write_line, write_text};
pub(crate) use text::{counted, escaped, megabytes, shortened, thousands};
pub(crate) use value::{is_number, json_of};
