//! [`FrameReader`]: decodes framed bytes.

use std::io::{self, Read};

use super::deflate::DeflateDecoder;
use super::hadoop_snappy::HadoopDecoder;
use super::input::{Input, Result};
use super::lz4::Lz4Decoder;
use super::snappy::SnappyDecoder;
use super::zstd::ZstdDecoder;
use super::{Expansion, FrameError, FrameOptions, FrameProblem, Framing};

/// Decodes framed bytes; the plain bytes are read as from any [`io::Read`].
///
/// Memory is bounded by [`FrameOptions::buffer_len_max`] plus 200 KiB, whatever lengths the data claims. The
/// memory is taken from [`FrameOptions::allocator`] when the reader is created and when a frame needs a
/// larger window. The caller's reader gets requests for 64 KiB at a time and needs no buffer of its own.
///
/// If data has more plain bytes than [`FrameOptions::expansion`] permits, an error is returned once the limit
/// is reached.
///
/// All whole chunks before a fault are returned; after that, every call returns an error that contains a
/// [`FrameError`]. The data may consist of several successive streams of one framing.
///
/// ```
/// # use std::io::Read;
/// # use varvite_codec::frame::{FrameOptions, FrameReader, Framing};
/// let gzip = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\x2b\x4b\x2c\x2a\x4b\x05\0\x8d\x85\xe2\x20\x05\0\0\0";
/// let mut plain = String::new();
/// FrameReader::new(Framing::Gzip, &gzip[..], &FrameOptions::default())?.read_to_string(&mut plain)?;
/// assert_eq!(plain, "varve");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FrameReader<R> {
    input: Input<R>,
    decoder: Decoder,
    plain_len: u64,
    plain_len_max: u64,
    expansion: Expansion,
    failed: bool,
}

enum Decoder {
    Snappy(SnappyDecoder),
    Hadoop(HadoopDecoder),
    Lz4(Lz4Decoder),
    Deflate(DeflateDecoder),
    Zstd(ZstdDecoder),
}

impl<R: Read> FrameReader<R> {
    /// Creates a reader of `framing`, without reading anything.
    ///
    /// # Errors
    /// [`FrameProblem::Codec`] if the allocator has no memory.
    pub fn new(framing: Framing, read: R, options: &FrameOptions) -> Result<Self> {
        let failure = |error: crate::CodecError| FrameError {
            format: framing.name(),
            offset: 0,
            problem: error.into(),
        };
        let decoder = match framing {
            Framing::Snappy => SnappyDecoder::new(false, options).map(Decoder::Snappy),
            Framing::SnappyUnchecked => SnappyDecoder::new(true, options).map(Decoder::Snappy),
            Framing::HadoopSnappy => HadoopDecoder::new(options).map(Decoder::Hadoop),
            Framing::Lz4 => Ok(Decoder::Lz4(Lz4Decoder::new(options))),
            Framing::Zlib | Framing::Gzip => DeflateDecoder::new(framing, options).map(Decoder::Deflate),
            Framing::Zstd => Ok(Decoder::Zstd(ZstdDecoder::new(options))),
        };
        let decoder = decoder.map_err(failure)?;
        let input = Input::new(read, framing.name(), &options.allocator)?;
        let FrameOptions { plain_len_max, expansion, .. } = *options;
        Ok(Self { input, decoder, plain_len: 0, plain_len_max, expansion, failed: false })
    }

    /// Writes the next plain bytes to the start of `output`, and returns their number; 0 at the end of the
    /// data.
    ///
    /// # Errors
    /// A [`FrameError`] for data that is invalid or ends early. Every later call fails too.
    pub fn read_plain(&mut self, output: &mut [u8]) -> Result<usize> {
        if self.failed {
            let detail = "an earlier error ended this stream";
            return Err(self.input.error(FrameProblem::Damaged { detail }));
        }
        let result = self.decode(output);
        self.failed = result.is_err();
        result
    }

    fn decode(&mut self, output: &mut [u8]) -> Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        let len = match &mut self.decoder {
            Decoder::Snappy(decoder) => decoder.read(&mut self.input, output),
            Decoder::Hadoop(decoder) => decoder.read(&mut self.input, output),
            Decoder::Lz4(decoder) => decoder.read(&mut self.input, output),
            Decoder::Deflate(decoder) => decoder.read(&mut self.input, output),
            Decoder::Zstd(decoder) => decoder.read(&mut self.input, output),
        }?;
        self.plain_len += len as u64;
        if self.plain_len > self.plain_len_max {
            let (what, found, max) = ("plain bytes in the stream", self.plain_len, self.plain_len_max);
            return Err(self.input.error(FrameProblem::TooLong { what, found, max }));
        }
        let expansion = self.expansion.check(self.plain_len, self.input.read_len());
        expansion.map_err(|error| self.input.error(error))?;
        Ok(len)
    }

    /// The number of framed bytes that were decoded.
    pub fn offset(&self) -> u64 {
        self.input.offset()
    }

    /// Returns the caller's reader. Up to 64 KiB that were read but not decoded are lost.
    pub fn into_inner(self) -> R {
        self.input.into_inner()
    }
}

impl<R: Read> Read for FrameReader<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_plain(output)?)
    }
}
