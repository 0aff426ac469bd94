//! The file's own tables, as bytes and as checked types.
//!
//! - `header`, `superblock`: pages at fixed places. `directory`, `continued`, `rows`, `changes`, `names`,
//!   `segment`: the tables behind them.
//! - `claims`: the claims of a directory, compared with the length of its file. All limits on claims are
//!   here.
//! - `log`: records behind the end of the file: their heads, and the operations in them.

pub(crate) mod changes;
pub(crate) mod claims;
pub(crate) mod continued;
pub(crate) mod directory;
pub(crate) mod header;
pub(crate) mod log;
pub(crate) mod names;
pub(crate) mod rows;
pub(crate) mod segment;
pub(crate) mod superblock;
