//! Block codecs, byte filters and checksums, and other programs' framings.
//!
//! A block lies in the caller's buffers: no I/O, and no state between blocks apart from a workspace that the
//! caller keeps. A block that does not decode to exactly the promised length is an error; nothing in a block
//! can make the output grow past the caller's buffer. [`BlockCodec`] does all of it in memory that the caller
//! gives, without a heap and without `malloc`:
//!
//! | codec | feature | behind it | memory for both ways | to decode |
//! |---|---|---|---|---|
//! | none | | | 0 | 0 |
//! | lz4, level 0 | `lz4` | `lz4_flex`: Rust, no unsafe code | 16 KiB | 0 |
//! | lz4, other levels | `lz4-hc` | `lz4-sys`: C | 16 KiB below 0, 256 KiB above | 0 |
//! | snappy | `snappy` | here: Rust, no unsafe code | 32 KiB | 0 |
//! | zlib, gzip | `zlib` | `zlib-rs`: Rust | 472 KiB | 56 KiB |
//! | zstd | `zstd` | `zstd-sys`: C | by level and block, 1.1 MiB at level 3 and 256 KiB; [`workspace_size`] tells | 94 KiB |
//! | zstd, decoding alone | `zstd-rust` without `zstd` | `ruzstd`: Rust | | from the program's allocator |
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
//! The feature `std` (on unless turned off, as are all others but `zstd-rust`) adds [`Filter`] and
//! [`Workspace`], and lets the processor compute CRC-32C; without it the crate needs `core` alone. The
//! feature `frame` adds the module [`frame`] for other programs' files. The decoders of lz4 and snappy, the
//! two for recording, are free of unsafe code.
//!
//! This crate does not depend on files, segments and columns. Those are `varvite-format`'s.
//!
//! - `codec`, `error`: codecs by number, name and level; why a block could not be coded.
//! - `block`: [`BlockCodec`], one codec in memory that the caller chose, block after block without an
//!   allocation.
//! - `allocator`, `arena`, `allocated`: two functions and a context that allocate memory; a region of it,
//!   used in pieces; a value with the memory that holds it.
//! - `engine`: the libraries behind the codecs, one module each, all of the same shape.
//! - `workspace`, `filter`: every codec at its default level, on the heap; delta and byte planes.
//! - `checksum`: XXH3-64, seeded with a place; CRC-32C.
//! - `frame`: other programs' framings, read and written over a stream, one module each; `input` has the
//!   offset for errors, `zip` has the components of an archive.
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
