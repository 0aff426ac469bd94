//! Answers on standard output: tables for people; JSON, JSON lines and CSV for programs.

mod format;
mod notes;
mod rows;
mod summary;
mod table;
mod text;
mod value;

pub(crate) use format::Format;
pub(crate) use notes::{complain, note, remark};
pub(crate) use rows::{Column, Rows};
pub(crate) use summary::{Summary, write_bytes, write_document, write_line, write_text};
pub(crate) use text::{counted, escaped, megabytes};
pub(crate) use value::{all_of, is_number, json_of};
