//! Tables of nodes and relationships, in the form of `neo4j-admin database import`.
//!
//! A group of files is one table. Its header is the first line of the first file, with columns `:ID`,
//! `:LABEL`, `:START_ID`, `:END_ID`, `:TYPE` and `name:type`. Nodes are read before relationships, which
//! refer to them by id. Only ids and labels stay in memory; all other data is in the draft.
//!
//! Reading order, each importing only those before it: `format`, `record` and `reader` (bytes become fields),
//! `value_kind` and `header` (the columns of a table), `cell` (the value of a field), `table` (the files of a
//! group), `rows` (rows become nodes and edges), `files` (the files that match a pattern), `import`.

mod cell;
mod files;
mod format;
mod header;
mod import;
mod reader;
mod record;
mod rows;
mod table;
mod value_kind;

pub use files::files_of_list;
pub use format::CsvFormat;
pub use header::IdType;
pub use import::{CsvGroup, CsvImport, CsvReport};
