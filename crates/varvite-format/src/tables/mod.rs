//! The tables of a file, as bytes and as checked types.
//!
//! - `header`, `superblock`: pages at fixed offsets. `directory`, `continued`, `rows`, `changes`, `names`,
//!   `segment`: the directory and its tables.
//! - `claims`: all limits of the claims of a directory, in proportion to the length of its file.
//! - `log`: records after the commit: their heads, and the operations in them.

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
