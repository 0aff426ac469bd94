//! Reads DynamoRIO's memory traces ("drmemtrace"), as `drrun -t drmemtrace` writes them.
//!
//! | tier | files | result |
//! |---|---|---|
//! | final | `*.trace.zip`, `*.trace.gz`, `*.trace.lz4`, `*.memtrace.sz`, plain; versions 1 to 7 | every entry, without loss |
//! | raw | `*.raw`, `*.raw.gz`, `.zlib`, `.sz`, `.lz4`; versions 2 to 8 | blocks, addresses, markers: see [`raw`](self) below |
//!
//! A final trace is a sequence of entries of twelve bytes (eight bytes for 32-bit programs). Each entry is a
//! [`Reference`](crate::reference::Reference). In a zip, the entries are in consecutive components, named
//! `chunk.0000` and so on, with four digits or, since 2025, eight.
//!
//! A raw trace was not merged with the program's binaries. So three things are missing: the sizes of
//! accesses, the distinction between loads and stores, and the instructions inside a block. From version 3
//! on, addresses whose base register did not change are also missing, unless the file states that it includes
//! them. This module records the rest: a [`BLOCK`](crate::reference::kind::BLOCK) for each block that ran,
//! and an [`ADDRESS`](crate::reference::kind::ADDRESS) for each address. With `modules.log`, it converts the
//! offsets of blocks to program counters. It misreads tagged addresses of AArch64 as other words.
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
