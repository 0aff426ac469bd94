//! Rows of cells as text: tables for human readers; JSON, JSON lines and CSV for programs.

mod cell;
mod cells;
mod column;
mod csv;
mod digits;
mod fitted;
mod format;
mod json;
mod known_texts;
mod numbers;
mod plain_run;
mod receiver;
mod row_format;
mod rows;
mod sink;
mod table;
mod text;
mod value;

pub use cell::Cell;
pub use column::Column;
pub use format::Format;
pub(crate) use known_texts::KnownTexts;
pub use numbers::{counted, sized, thousands};
pub use receiver::RowReceiver;
pub(crate) use row_format::{CellFormat, RowFormat};
pub use rows::Rows;
pub use sink::Sink;
pub use text::{escaped, escaped_code, escaped_json, shortened};
pub(crate) use value::{is_number, json_of};
