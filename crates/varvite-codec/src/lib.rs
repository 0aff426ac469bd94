//! Block codecs, byte filters and checksums.
//!
//! Everything here works on one block in the caller's buffers: no I/O, and no state between blocks apart from
//! the [`Workspace`] that the caller keeps. A block that does not decode to exactly the promised length is an
//! error; nothing in a block can make the output grow past the caller's buffer.
//!
//! What this crate does not know: files, segments, columns. Those are `varvite-format`'s.
#![forbid(unsafe_code)]

mod checksum;
mod codec;
mod filter;

pub use checksum::{BlockAddress, block_hash, hash};
pub use codec::{Codec, CodecError, Workspace};
pub use filter::Filter;
