//! [`FrameWriter`]: writes plain bytes in a framing.

use std::io::{self, Write};

use super::deflate::{Deflating, deflater};
use super::hadoop_snappy::HadoopEncoder;
use super::lz4::Lz4Encoder;
use super::snappy::SnappyEncoder;
use super::zstd::{Encoding, encoder};
use super::{FrameError, FrameOptions, FrameProblem, Framing, hadoop_snappy, lz4, snappy};
use crate::allocated::Allocated;
use crate::engine::zlib::Wrapper;
use crate::{Buffer, CodecError};

type Result<T> = std::result::Result<T, FrameError>;

/// The size of the plain and of the stored buffer, in bytes, for framings without chunks.
const STREAM_LEN: usize = 64 << 10;

/// Writes plain bytes in a framing, as an [`io::Write`].
///
/// [`FrameWriter::finish`] writes the end; if the writer is dropped before that, the data is incomplete. All
/// memory is taken from [`FrameOptions::allocator`] when the writer is created. Chunks hold 64 KiB for
/// Snappy, and 256 KiB for Hadoop's Snappy and for LZ4; [`Write::flush`] ends a chunk early. The blocks of
/// LZ4 are independent, with one checksum over all of them.
///
/// ```
/// # use std::io::{Read, Write};
/// # use varvite_codec::frame::{FrameOptions, FrameReader, FrameWriter, Framing};
/// let options = FrameOptions::default();
/// let mut writer = FrameWriter::new(Framing::Lz4, 0, Vec::new(), &options)?;
/// writer.write_all(b"varve upon varve")?;
/// let framed = writer.finish()?;
/// let mut plain = String::new();
/// FrameReader::new(Framing::Lz4, &framed[..], &options)?.read_to_string(&mut plain)?;
/// assert_eq!(plain, "varve upon varve");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct FrameWriter<W> {
    write: W,
    format: &'static str,
    encoder: Encoder,
    is_started: bool,
    failed: bool,
    /// The plain bytes of the unfinished chunk.
    plain: Buffer,
    plain_len: usize,
    stored: Buffer,
    offset: u64,
}

enum Encoder {
    Snappy(SnappyEncoder),
    Hadoop(HadoopEncoder),
    Lz4(Lz4Encoder),
    Deflate(Allocated<Deflating>),
    Zstd(Allocated<Encoding>),
}

impl Encoder {
    fn new(framing: Framing, level: i32, options: &FrameOptions) -> std::result::Result<Self, CodecError> {
        // This refuses levels that the codec does not have.
        crate::workspace_size(framing.codec(), level, 0)?;
        match framing {
            Framing::Snappy => SnappyEncoder::new(true, options).map(Self::Snappy),
            Framing::SnappyUnchecked => SnappyEncoder::new(false, options).map(Self::Snappy),
            Framing::HadoopSnappy => HadoopEncoder::new(options).map(Self::Hadoop),
            Framing::Lz4 => Lz4Encoder::new(level, options).map(Self::Lz4),
            Framing::Zlib => deflater(Wrapper::Zlib, level, options).map(Self::Deflate),
            Framing::Gzip => deflater(Wrapper::Gzip, level, options).map(Self::Deflate),
            Framing::Zstd => encoder(level, options).map(Self::Zstd),
        }
    }

    /// The plain length of a chunk, and its largest stored length.
    fn lens(&self) -> (usize, usize) {
        match self {
            Self::Snappy(_) => (snappy::CHUNK_LEN_MAX, SnappyEncoder::stored_len_max()),
            Self::Hadoop(_) => (hadoop_snappy::BLOCK_LEN, HadoopEncoder::stored_len_max()),
            Self::Lz4(_) => (lz4::BLOCK_LEN, Lz4Encoder::stored_len_max()),
            Self::Deflate(_) | Self::Zstd(_) => (STREAM_LEN, STREAM_LEN),
        }
    }
}

impl<W: Write> FrameWriter<W> {
    /// Creates a writer of `framing` at a level of [`Framing::codec`], without writing anything.
    ///
    /// # Errors
    /// [`FrameProblem::Codec`] for a level that the codec does not have, and if the allocator has no memory.
    pub fn new(framing: Framing, level: i32, write: W, options: &FrameOptions) -> Result<Self> {
        let format = framing.name();
        let made = Encoder::new(framing, level, options).and_then(|encoder| {
            let (plain_len, stored_len) = encoder.lens();
            Ok((encoder, options.allocator.zeros(plain_len)?, options.allocator.zeros(stored_len)?))
        });
        let (encoder, plain, stored) =
            made.map_err(|error| FrameError { format, offset: 0, problem: error.into() })?;
        let (is_started, failed) = (false, false);
        Ok(Self { write, format, encoder, is_started, failed, plain, plain_len: 0, stored, offset: 0 })
    }

    /// Adds all of `plain`, and writes the chunks that are full.
    ///
    /// # Errors
    /// [`FrameProblem::Io`] from the caller's writer; after that, all calls fail.
    pub fn write_plain(&mut self, mut plain: &[u8]) -> Result<()> {
        while !plain.is_empty() {
            let len = plain.len().min(self.plain.len() - self.plain_len);
            self.plain[self.plain_len..self.plain_len + len].copy_from_slice(&plain[..len]);
            self.plain_len += len;
            plain = &plain[len..];
            if self.plain_len == self.plain.len() {
                self.guarded(|writer| writer.chunk(false))?;
            }
        }
        Ok(())
    }

    /// Writes the buffered bytes and the end, flushes, and returns the caller's writer.
    ///
    /// # Errors
    /// As for [`FrameWriter::write_plain`].
    pub fn finish(mut self) -> Result<W> {
        self.guarded(|writer| {
            writer.chunk(true)?;
            if let Encoder::Lz4(lz4) = &mut writer.encoder {
                let len = lz4.end(&mut writer.stored);
                writer.put(len)?;
            }
            writer.write.flush().map_err(|error| writer.error(FrameProblem::Io(error)))
        })?;
        Ok(self.write)
    }

    /// Runs `work`, or fails if an earlier call failed, because the data is then incomplete.
    fn guarded(&mut self, work: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        if self.failed {
            return Err(self.error(FrameProblem::Damaged { detail: "an earlier error ended this stream" }));
        }
        let result = work(self);
        self.failed = result.is_err();
        result
    }

    fn chunk(&mut self, is_last: bool) -> Result<()> {
        self.start()?;
        let plain = &self.plain[..self.plain_len];
        let stored = &mut self.stored;
        let len = match &mut self.encoder {
            Encoder::Deflate(_) | Encoder::Zstd(_) => return self.stream(is_last),
            _ if plain.is_empty() => return Ok(()),
            Encoder::Snappy(snappy) => snappy.chunk(plain, stored),
            Encoder::Hadoop(hadoop) => hadoop.chunk(plain, stored),
            Encoder::Lz4(lz4) => lz4.chunk(plain, stored),
        };
        self.plain_len = 0;
        let len = len.map_err(|error| self.error(error))?;
        self.put(len)
    }

    fn start(&mut self) -> Result<()> {
        if self.is_started {
            return Ok(());
        }
        self.is_started = true;
        let len = match &mut self.encoder {
            Encoder::Snappy(snappy) => snappy.start(&mut self.stored),
            Encoder::Lz4(lz4) => lz4.start(&mut self.stored),
            Encoder::Hadoop(_) | Encoder::Deflate(_) | Encoder::Zstd(_) => 0,
        };
        self.put(len)
    }

    /// Passes the plain bytes to a framing that makes its own chunks.
    fn stream(&mut self, is_last: bool) -> Result<()> {
        let mut from = 0;
        loop {
            let (plain, stored) = (&self.plain[from..self.plain_len], &mut self.stored[..]);
            let step = match &mut self.encoder {
                Encoder::Deflate(deflater) => deflater
                    .get()
                    .step(plain, stored, is_last)
                    .map(|step| (step.consumed, step.produced, step.ended)),
                Encoder::Zstd(encoder) => encoder
                    .get()
                    .step(plain, stored, is_last)
                    .map(|step| (step.consumed, step.produced, step.left == 0)),
                _ => return Ok(()),
            };
            let (consumed, produced, is_ended) =
                step.map_err(|detail| self.error(FrameProblem::Damaged { detail }))?;
            from += consumed;
            self.put(produced)?;
            let is_done = if is_last { is_ended } else { from == self.plain_len && produced < STREAM_LEN };
            if is_done {
                self.plain_len = 0;
                return Ok(());
            }
        }
    }

    /// Writes the first `len` stored bytes.
    fn put(&mut self, len: usize) -> Result<()> {
        let written = self.write.write_all(&self.stored[..len]);
        written.map_err(|error| self.error(FrameProblem::Io(error)))?;
        self.offset += len as u64;
        Ok(())
    }

    fn error(&self, problem: impl Into<FrameProblem>) -> FrameError {
        FrameError { format: self.format, offset: self.offset, problem: problem.into() }
    }
}

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, plain: &[u8]) -> io::Result<usize> {
        self.write_plain(plain)?;
        Ok(plain.len())
    }

    /// Ends the current chunk, if the framing has chunks, and flushes the caller's writer.
    fn flush(&mut self) -> io::Result<()> {
        self.guarded(|writer| writer.chunk(false))?;
        self.write.flush()
    }
}
