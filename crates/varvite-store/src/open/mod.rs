//! The modules of an open file.
//!
//! - `store`, `open_file`, `failures`: the file, and errors that no call could return.
//! - `reopen`: a newer commit of the same file.
//! - `segment_reader`, `segment_blocks`: reading the bytes of a segment; `tail`: the columns of a log, in
//!   memory.
//! - `verify`: the check of every byte.

pub(crate) mod failures;
pub(crate) mod open_file;
pub(crate) mod reopen;
pub(crate) mod segment_blocks;
pub(crate) mod segment_reader;
pub(crate) mod store;
pub(crate) mod tail;
pub(crate) mod verify;
