//! An open file.
//!
//! - `store`, `open_file`, `failures`: the file, and errors that occurred without a caller to get them.
//! - `reopen`: the same file, later.
//! - `segment_reader`, `segment_blocks`: the way to the bytes of a segment; `tail`: columns of a log, in
//!   memory.
//! - `verify`: reads every byte.

pub(crate) mod failures;
pub(crate) mod open_file;
pub(crate) mod reopen;
pub(crate) mod segment_blocks;
pub(crate) mod segment_reader;
pub(crate) mod store;
pub(crate) mod tail;
pub(crate) mod verify;
