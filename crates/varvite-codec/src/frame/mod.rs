//! Readers and writers of other programs' framings of compressed bytes.
//!
//! | framing | plain bytes of a chunk | checksum | memory of a reader |
//! |---|---|---|---|
//! | snappy, snappy_nocrc | 64 KiB | CRC-32C of each chunk, or none | 200 KiB |
//! | hadoop_snappy | as long as its blocks | none | twice the longest block |
//! | lz4 | 64 KiB to 4 MiB | XXH32 of blocks, of the content, of both, or none | twice the longest block, and 64 KiB |
//! | zlib, gzip | any | Adler-32, CRC-32 | 120 KiB |
//! | zstd | any | XXH64, or none | the window of the frame, and 300 KiB |
//!
//! [`FrameReader`] and [`FrameWriter`] process a stream from front to back. Their memory is bounded, whatever
//! lengths the data claims. [`ZipReader`] and [`ZipWriter`] are for data in many components that can be read
//! one by one. [`Expansion`] limits the total plain length.
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
    /// The allocator; by default the global one of the program.
    pub allocator: Allocator,
    /// The largest permitted number of plain bytes of a whole stream. By default there is no limit, because
    /// memory does not grow with the length of the stream.
    pub plain_len_max: u64,
    /// The limit of plain bytes in proportion to the compressed bytes of a stream, or of all components of a
    /// zip file. By default, 200 plain bytes are permitted for each compressed byte, and 64 MiB in any case.
    pub expansion: Expansion,
    /// The largest size of a block, or of the window of a frame, in bytes. By default 8 MiB, the least window
    /// that every decoder of Zstandard should accept.
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
