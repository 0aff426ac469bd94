//! The modules of an open file.
//!
//! - `store`, `open_file`, `failures`, `kept_columns`: the file, errors that no call could return, and the
//!   buffers of the file in the cache.
//! - `reopen`: a newer commit of the same file.
//! - `segment_reader`, `segment_blocks`: reading the bytes of a segment; `tail`: the columns of a log, in
//!   memory.
//! - `verify`: the check of every byte.

pub(crate) mod failures;
mod kept_columns;
pub(crate) mod open_file;
pub(crate) mod reopen;
pub(crate) mod segment_blocks;
pub(crate) mod segment_reader;
pub(crate) mod store;
pub(crate) mod tail;
pub(crate) mod verify;
