//! Successive Zstandard frames (RFC 8878), including skippable frames.
//!
//! The header of a frame states the length of the window. Memory for the window is taken at the start of the
//! frame; a frame with a window longer than [`FrameOptions::buffer_len_max`] is refused.

use std::io::Read;

use super::input::{Input, Result};
use super::{FrameOptions, FrameProblem};
use crate::CodecError;
use crate::allocated::{Allocated, Borrowing};
use crate::arena::Arena;
use crate::engine::zstd_stream::{self, Decoder, Encoder, HEADER_LEN_MAX, Header};

struct Decoding;

impl Borrowing for Decoding {
    type In<'m> = Decoder<'m>;
}

pub(super) struct Encoding;

impl Borrowing for Encoding {
    type In<'m> = Encoder<'m>;
}

pub(super) struct ZstdDecoder {
    options: FrameOptions,
    /// The decoder, and the longest window that it supports.
    decoder: Option<(usize, Allocated<Decoding>)>,
    /// The offset of the current frame; `None` between frames.
    frame: Option<u64>,
    /// The least number of bytes that must still follow in the current frame.
    left: usize,
}

impl ZstdDecoder {
    pub(super) fn new(options: &FrameOptions) -> Self {
        Self { options: *options, decoder: None, frame: None, left: 0 }
    }

    pub(super) fn read<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8]) -> Result<usize> {
        loop {
            match self.frame {
                None if input.is_at_end()? => return Ok(0),
                None => self.start(input)?,
                Some(begin) => {
                    let produced = self.step(input, output, begin)?;
                    if produced > 0 {
                        return Ok(produced);
                    }
                }
            }
        }
    }

    fn start<R: Read>(&mut self, input: &mut Input<R>) -> Result<()> {
        let begin = input.offset();
        let seen = input.peek(HEADER_LEN_MAX)?;
        let found = std::array::from_fn(|at| seen.get(at).copied().unwrap_or_default());
        let header = zstd_stream::header(seen);
        match header {
            Ok(Header::Unknown) => {
                Err(input.error(FrameProblem::Truncated { what: "frame header", missing: 1 }))
            }
            Ok(Header::Skippable) => {
                let [_, len] = [input.array::<4>("frame header")?, input.array::<4>("frame header")?];
                input.skip(u64::from(u32::from_le_bytes(len)), "skippable frame")
            }
            Ok(Header::Frame { dictionary, .. }) if dictionary != 0 => {
                Err(input.error(FrameProblem::Unsupported { what: "a frame that needs a dictionary" }))
            }
            Ok(Header::Frame { window_len, .. }) => self.start_frame(input, begin, window_len),
            Err(_) => {
                let expected = "a Zstandard frame (28 b5 2f fd)";
                Err(input.error(FrameProblem::NotThisFormat { expected, found }))
            }
        }
    }

    fn start_frame<R: Read>(&mut self, input: &mut Input<R>, begin: u64, window_len: u64) -> Result<()> {
        let max = self.options.buffer_len_max;
        let window_len = usize::try_from(window_len).ok().filter(|len| *len <= max).ok_or_else(|| {
            let (what, max) = ("the window of a frame", max as u64);
            input.error(FrameProblem::TooLong { what, found: window_len, max })
        })?;
        if self.decoder.as_ref().is_none_or(|(len, _)| *len < window_len) {
            let made = self.decoder(window_len).map_err(|error| input.error(error))?;
            self.decoder = Some((window_len, made));
        }
        (self.frame, self.left) = (Some(begin), 1);
        Ok(())
    }

    fn decoder(&self, window_len: usize) -> std::result::Result<Allocated<Decoding>, CodecError> {
        let len = zstd_stream::decoder_len(window_len);
        let made =
            Allocated::new(&self.options.allocator, len, |memory| Decoder::new(&mut Arena::new(memory)))?;
        made.ok_or(CodecError::Workspace { codec: crate::Codec::Zstd, needed: len, found: len })
    }

    fn step<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8], begin: u64) -> Result<usize> {
        let Some((_, decoder)) = &mut self.decoder else { return Ok(0) };
        let seen = input.peek(1)?;
        let is_end = seen.is_empty();
        let step = match decoder.get().step(seen, output) {
            Ok(step) => step,
            Err(detail) => return Err(input.error(FrameProblem::Damaged { detail })),
        };
        if is_end && step.left > 0 && step.produced == 0 {
            let missing = self.left as u64;
            return Err(input.error_at(begin, FrameProblem::Truncated { what: "frame", missing }));
        }
        self.left = step.left;
        self.frame = Some(begin).filter(|_| step.left > 0);
        input.consume(step.consumed);
        Ok(step.produced)
    }
}

pub(super) fn encoder(
    level: i32,
    options: &FrameOptions,
) -> std::result::Result<Allocated<Encoding>, CodecError> {
    let len = zstd_stream::encoder_len(level);
    let made =
        Allocated::new(&options.allocator, len, |memory| Encoder::new(level, &mut Arena::new(memory)))?;
    made.ok_or(CodecError::Workspace { codec: crate::Codec::Zstd, needed: len, found: len })
}
