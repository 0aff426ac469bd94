//! DynamoRIO's memory traces ("drmemtrace"), as written by `drrun -t drmemtrace`.
//!
//! | tier | files | what comes of them |
//! |---|---|---|
//! | final | `*.trace.zip`, `*.trace.gz`, `*.trace.lz4`, `*.memtrace.sz`, plain; versions 1 to 7 | every entry, with nothing lost |
//! | raw | `*.raw`, `*.raw.gz`, `.zlib`, `.sz`, `.lz4`; versions 2 to 8 | blocks, addresses, markers: see [`raw`](self) below |
//!
//! A final trace is a sequence of entries of twelve bytes (eight from 32-bit programs), each of which is a
//! [`Reference`](crate::reference::Reference). A zip has them in consecutive components, `chunk.0000` and so
//! on, with four digits or, since 2025, eight.
//!
//! A raw trace has not been merged with the program's binaries. It has neither sizes nor directions of
//! accesses, nor the instructions inside a block; from version 3 on, it omits addresses whose base register
//! did not change, unless the file states that it includes them. The rest is recorded: a
//! [`BLOCK`](crate::reference::kind::BLOCK) for each block that ran, an
//! [`ADDRESS`](crate::reference::kind::ADDRESS) for each address. With `modules.log`, offsets of blocks
//! become program counters. Tagged addresses of AArch64 are misread as other words.
//!
//! This module does not decode instructions.

mod entries;
mod error;
mod import;
mod modules;
mod placement;
mod words;

pub use error::DrmemtraceError;
pub use import::{DrmemtraceOptions, DrmemtraceReport, Tier, import, is_drmemtrace};
pub use modules::{Module, Modules};
pub use varvite_codec::frame::{Expanded, Expansion};
