//! Block codecs, byte filters and checksums.
//!
//! Everything here works on one block in the caller's buffers: no I/O, and no state between blocks apart from
//! a workspace that the caller keeps. A block that does not decode to exactly the promised length is an
//! error; nothing in a block can make the output grow past the caller's buffer.
//!
//! What this crate does not know: files, segments, columns. Those are `varvite-format`'s.
#![cfg_attr(not(feature = "std"), no_std)]

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
#[cfg(feature = "std")]
mod workspace;

pub use allocator::{AllocFn, Allocator, Buffer, FreeFn};
pub use block::{BlockCodec, decoder_workspace_size, workspace_size};
pub use checksum::{BlockAddress, Checksum, block_hash, crc32c, hash};
pub use codec::Codec;
pub use error::CodecError;
#[cfg(feature = "std")]
pub use filter::Filter;
#[cfg(feature = "std")]
pub use workspace::Workspace;
