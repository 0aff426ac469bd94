//! One zlib stream, or successive gzip members.
//!
//! A gzip file may end in zeros, because tapes and some archivers append them; any other bytes after the last
//! member are an error.

use std::io::Read;

use super::input::{Input, Result};
use super::{FrameOptions, FrameProblem, Framing};
use crate::CodecError;
use crate::allocated::{Allocated, Borrowing};
use crate::arena::Arena;
use crate::engine::zlib::{ALIGN, DEFLATE_LEN, Deflater, INFLATE_LEN, Inflater, Step, Wrapper};

/// An inflater and its memory.
pub(super) struct Inflating;

impl Borrowing for Inflating {
    type In<'m> = Inflater<'m>;
}

/// A deflater and its memory.
pub(super) struct Deflating;

impl Borrowing for Deflating {
    type In<'m> = Deflater<'m>;
}

/// The library's message for a checksum that does not match.
const SUM_MISMATCH: &str = "incorrect data check";

pub(super) fn inflater(
    wrapper: Wrapper,
    options: &FrameOptions,
) -> std::result::Result<Allocated<Inflating>, CodecError> {
    let len = INFLATE_LEN + ALIGN;
    let made =
        Allocated::new(&options.allocator, len, |memory| Inflater::new(wrapper, &mut Arena::new(memory)))?;
    made.ok_or(CodecError::Workspace { codec: crate::Codec::Zlib, needed: len, found: len })
}

pub(super) fn deflater(
    wrapper: Wrapper,
    level: i32,
    options: &FrameOptions,
) -> std::result::Result<Allocated<Deflating>, CodecError> {
    let len = DEFLATE_LEN + ALIGN;
    let made = Allocated::new(&options.allocator, len, |memory| {
        Deflater::new(wrapper, level, &mut Arena::new(memory))
    })?;
    made.ok_or(CodecError::Workspace { codec: crate::Codec::Zlib, needed: len, found: len })
}

/// The current position in the stream.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the first member, or between two.
    Between { members: u64 },
    /// Inside a member, which begins at offset `begin`.
    Inside { begin: u64, members: u64 },
    /// After a zlib stream, or in the zeros after the last member.
    Behind,
}

pub(super) struct DeflateDecoder {
    is_gzip: bool,
    inflater: Allocated<Inflating>,
    place: Place,
}

impl DeflateDecoder {
    pub(super) fn new(framing: Framing, options: &FrameOptions) -> std::result::Result<Self, CodecError> {
        let is_gzip = framing == Framing::Gzip;
        let wrapper = if is_gzip { Wrapper::Gzip } else { Wrapper::Zlib };
        Ok(Self { is_gzip, inflater: inflater(wrapper, options)?, place: Place::Between { members: 0 } })
    }

    pub(super) fn read<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8]) -> Result<usize> {
        loop {
            match self.place {
                Place::Between { members } if input.is_at_end()? => {
                    return if members > 0 {
                        Ok(0)
                    } else {
                        Err(truncated(input, input.offset(), self.is_gzip))
                    };
                }
                Place::Between { members } => self.start(input, members)?,
                Place::Inside { begin, members } => {
                    let step = self.step(input, output, begin)?;
                    if step.ended {
                        let members = members + 1;
                        self.place = if self.is_gzip { Place::Between { members } } else { Place::Behind };
                    }
                    if step.produced > 0 {
                        return Ok(step.produced);
                    }
                }
                Place::Behind => {
                    self.only_zeros_follow(input)?;
                    return Ok(0);
                }
            }
        }
    }

    fn start<R: Read>(&mut self, input: &mut Input<R>, members: u64) -> Result<()> {
        let begin = input.offset();
        let seen = input.peek(2)?;
        let found = std::array::from_fn(|at| seen.get(at).copied().unwrap_or_default());
        if members > 0 && found[0] == 0 {
            self.place = Place::Behind;
            return Ok(());
        }
        if self.is_gzip && found[..2] != [0x1F, 0x8B] && seen.len() > 1 {
            let expected =
                if members > 0 { "another gzip member (1f 8b), or the end" } else { "a gzip member (1f 8b)" };
            return Err(input.error(FrameProblem::NotThisFormat { expected, found }));
        }
        self.inflater.get().reset();
        self.place = Place::Inside { begin, members };
        Ok(())
    }

    fn step<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8], begin: u64) -> Result<Step> {
        let seen = input.peek(1)?;
        let is_end = seen.is_empty();
        match self.inflater.get().step(seen, output) {
            Ok(step) if is_end && !step.ended && step.produced == 0 => {
                Err(truncated(input, begin, self.is_gzip))
            }
            Ok(step) => {
                input.consume(step.consumed);
                Ok(step)
            }
            Err(SUM_MISMATCH) => {
                let detail = "the checksum at the end does not match the plain bytes";
                Err(input.error_at(begin, FrameProblem::Damaged { detail }))
            }
            Err(detail) => Err(input.error(FrameProblem::Damaged { detail })),
        }
    }

    fn only_zeros_follow<R: Read>(&self, input: &mut Input<R>) -> Result<()> {
        while !input.is_at_end()? {
            let seen = input.peek(1)?;
            let zeros = if self.is_gzip { seen.iter().take_while(|byte| **byte == 0).count() } else { 0 };
            if zeros == 0 {
                return Err(
                    input.error(FrameProblem::Damaged { detail: "bytes follow the end of the stream" })
                );
            }
            input.consume(zeros);
        }
        Ok(())
    }
}

fn truncated<R: Read>(input: &Input<R>, begin: u64, is_gzip: bool) -> super::FrameError {
    let what = if is_gzip { "gzip member" } else { "zlib stream" };
    input.error_at(begin, FrameProblem::Truncated { what, missing: 1 })
}
