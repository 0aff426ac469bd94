//! Block codecs, byte filters and checksums, and other programs' framings.
//!
//! Blocks are in the caller's buffers: there is no I/O, and no state between blocks apart from a workspace
//! that the caller keeps. A block that does not decode to exactly the expected length is an error, and no
//! block can make a decoder write past the caller's buffer. [`BlockCodec`] works in memory that the caller
//! provides, without a heap and without `malloc`:
//!
//! | codec | feature | implementation | memory to compress and decode | memory to decode |
//! |---|---|---|---|---|
//! | none | | | 0 | 0 |
//! | lz4, level 0 | `lz4` | `lz4_flex`: Rust, no unsafe code | 16 KiB | 0 |
//! | lz4, other levels | `lz4-hc` | `lz4-sys`: C | 16 KiB for levels below 0, 256 KiB above 0 | 0 |
//! | snappy | `snappy` | this crate: Rust, no unsafe code | 32 KiB | 0 |
//! | zlib, gzip | `zlib` | `zlib-rs`: Rust | 472 KiB | 56 KiB |
//! | zstd | `zstd` | `zstd-sys`: C | by level and block length, as [`workspace_size`] returns: 1.1 MiB for level 3 and blocks of 256 KiB | 94 KiB |
//! | zstd, only decoding | `zstd-rust` without `zstd` | `ruzstd`: Rust | | from the global allocator |
//!
//! ```
//! use varvite_codec::{Codec, Workspace};
//!
//! let (mut workspace, mut stored, mut plain) = (Workspace::new(), Vec::new(), vec![0; 27]);
//! workspace.compress(Codec::Zstd, b"varve upon varve upon varve", &mut stored)?;
//! workspace.decompress(Codec::Zstd, &stored, &mut plain)?;
//! assert_eq!(plain, b"varve upon varve upon varve");
//! # Ok::<(), varvite_codec::CodecError>(())
//! ```
//!
//! All features but `zstd-rust` are on by default. The feature `std` adds [`Filter`] and [`Workspace`], and
//! uses the processor's instructions for CRC-32C; without it the crate needs only `core`. The feature `frame`
//! adds the module [`frame`] for other programs' files. The decoders of lz4 and snappy, which are the codecs
//! for recording, have no unsafe code.
//!
//! This crate does not depend on files, segments and columns, which `varvite-format` defines.
//!
//! - `codec`, `error`: the codecs with their numbers, names and levels; the errors of compressing or decoding
//!   a block.
//! - `block`: [`BlockCodec`], one codec in memory that the caller chose; it compresses and decodes blocks
//!   without allocating.
//! - `allocator`: two functions and a context that allocate memory; `arena`: a region of memory, used in
//!   pieces; `allocated`: a value with the memory that contains it.
//! - `engine`: the libraries that implement the codecs, one module each, with the same functions.
//! - `workspace`: all codecs, with memory on the heap; `filter`: differences and byte planes.
//! - `checksum`: XXH3-64, seeded with the address of a block; CRC-32C.
//! - `frame`: readers and writers of other programs' framings, one module each. Within it, `input` keeps the
//!   offset for errors, and `zip` reads and writes the components of an archive.
//! - `protobuf`: fields of messages of protocol buffers, which profiles and indexes of code consist of.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "frame")]
mod allocated;
mod allocator;
#[allow(dead_code, reason = "a build without codecs has no use for it")]
mod arena;
mod block;
mod checksum;
mod codec;
mod engine;
mod error;
#[cfg(feature = "std")]
mod filter;
#[cfg(feature = "frame")]
pub mod frame;
#[cfg(feature = "std")]
pub mod protobuf;
#[cfg(feature = "std")]
mod workspace;

pub use allocator::{AllocFn, Allocator, Buffer, FreeFn};
pub use block::{BlockCodec, decoder_workspace_size, workspace_size};
pub use checksum::{BlockAddress, Checksum, block_hash, crc32c, hash};
pub use codec::{Codec, Coding};
pub use error::CodecError;
#[cfg(feature = "std")]
pub use filter::Filter;
#[cfg(feature = "std")]
pub use workspace::Workspace;
