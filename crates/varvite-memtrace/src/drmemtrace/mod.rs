//! DynamoRIO's memory traces ("drmemtrace"), as `drrun -t drmemtrace` leaves them.
//!
//! | tier | files | what comes of them |
//! |---|---|---|
//! | final | `*.trace.zip`, `*.trace.gz`, `*.trace.lz4`, `*.memtrace.sz`, plain; versions 1 to 7 | every entry, with nothing lost |
//! | raw | `*.raw`, `*.raw.gz`, `.zlib`, `.sz`, `.lz4`; versions 2 to 8 | blocks, addresses, markers: see [`raw`](self) below |
//!
//! A final trace is a row of entries, twelve bytes each (eight from 32-bit programs), which are
//! [`Reference`](crate::reference::Reference)s as they are. A zip has them in components that follow each
//! other, `chunk.0000` and so on, with four digits or, since 2025, eight.
//!
//! A raw trace is not yet merged with the program's binaries, and has neither sizes nor directions of
//! accesses, nor the instructions inside a block; from version 3 on, it omits addresses whose base register
//! did not change, unless the file declares that it has them. The rest is kept: a
//! [`BLOCK`](crate::reference::kind::BLOCK) for each block that ran, an
//! [`ADDRESS`](crate::reference::kind::ADDRESS) for each address. With `modules.log`, places of blocks become
//! program counters. Tagged addresses of AArch64 are read as other words.
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
