//! Answers on standard output: tables for people; JSON, JSON lines and CSV for programs.

mod cell;
mod cells;
mod column;
mod csv;
mod digits;
mod fitted;
mod format;
mod json;
mod known_texts;
mod notes;
mod plain_run;
mod row_format;
mod rows;
mod summary;
mod table;
mod text;
mod value;

pub(crate) use cell::{Cell, all_of};
pub(crate) use column::Column;
pub(crate) use format::Format;
pub(crate) use known_texts::KnownTexts;
pub(crate) use notes::{complain, note, remark};
pub(crate) use row_format::RowFormat;
pub(crate) use rows::Rows;
pub(crate) use summary::{Summary, write_bytes, write_document, write_line, write_text};
pub(crate) use text::{counted, escaped, shortened, sized, thousands};
pub(crate) use value::{is_number, json_of};
