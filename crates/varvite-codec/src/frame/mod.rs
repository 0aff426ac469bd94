//! Other programs' framings of compressed bytes, read and written.
//!
//! | framing | plain bytes at once | checksum | readers take memory |
//! |---|---|---|---|
//! | snappy, snappy_nocrc | 64 KiB | CRC-32C of each chunk, or none | 200 KiB |
//! | hadoop_snappy | as long as its blocks | none | twice the longest block |
//! | lz4 | 64 KiB to 4 MiB | XXH32 of blocks, of all, both or none | twice the longest block, and 64 KiB |
//! | zlib, gzip | any | Adler-32, CRC-32 | 120 KiB |
//! | zstd | any | XXH64, or none | the window that the frame asks for, and 300 KiB |
//!
//! [`FrameReader`] and [`FrameWriter`] go over a stream from front to back, in memory that is bounded for any
//! claims of the data. [`ZipReader`] and [`ZipWriter`] are for data in many components, each of which can be
//! read alone. [`Expansion`] bounds how long the plain bytes of all may be.
//!
//! This module does not depend on the content of the plain bytes.

mod deflate;
mod error;
mod expansion;
mod framing;
mod hadoop_snappy;
mod input;
mod lz4;
mod reader;
mod snappy;
mod writer;
mod zip;
mod zstd;

pub use error::{FrameError, FrameProblem};
pub use expansion::{Expanded, Expansion};
pub use framing::Framing;
pub use reader::FrameReader;
pub use writer::FrameWriter;
pub use zip::{Component, ComponentReader, ComponentWriter, ZipReader, ZipWriter};

use crate::Allocator;

/// The allocator and the limits of readers and writers.
#[derive(Clone, Copy, Debug)]
pub struct FrameOptions {
    /// The source of memory: the program's own allocator unless changed.
    pub allocator: Allocator,
    /// Plain bytes that a whole stream may have; the first one more is an error. No limit unless changed:
    /// memory does not grow with them.
    pub plain_len_max: u64,
    /// Plain bytes that a stream, or all components of a zip file, may have for each compressed byte: 200
    /// beyond 64 MiB, unless changed.
    pub expansion: Expansion,
    /// Bytes of one block, or of the window that a frame may need. 8 MiB unless changed, the least window
    /// that Zstandard's decoders should accept.
    pub buffer_len_max: usize,
}

impl Default for FrameOptions {
    fn default() -> Self {
        Self {
            allocator: Allocator::global(),
            plain_len_max: u64::MAX,
            expansion: Expansion::default(),
            buffer_len_max: 8 << 20,
        }
    }
}
