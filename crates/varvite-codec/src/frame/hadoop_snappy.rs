//! Snappy as Hadoop's codec frames it: blocks, each of one or more pieces.
//!
//! | size | field |
//! |---|---|
//! | 4 | plain length of the block, big-endian |
//! | 4 | stored length of a piece, big-endian |
//! | .. | the piece: one Snappy block; more pieces follow until the plain length is reached |
//!
//! There is no magic number, no checksum and no end mark.

use std::io::Read;

use super::input::{Input, Plain, Result, grow};
use super::snappy::snappy_len;
use super::{FrameOptions, FrameProblem};
use crate::{Allocator, BlockCodec, Buffer, Codec, CodecError};

pub(super) struct HadoopDecoder {
    allocator: Allocator,
    len_max: usize,
    /// The number of plain bytes of the current block that are still to come.
    left: usize,
    codec: BlockCodec<'static>,
    stored: Option<Buffer>,
    plain: Option<Plain>,
}

impl HadoopDecoder {
    pub(super) fn new(options: &FrameOptions) -> std::result::Result<Self, CodecError> {
        let allocator = options.allocator;
        let codec = BlockCodec::allocate_decoder(Codec::Snappy, &allocator)?;
        Ok(Self { allocator, len_max: options.buffer_len_max, left: 0, codec, stored: None, plain: None })
    }

    pub(super) fn read<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8]) -> Result<usize> {
        loop {
            if let Some(plain) = self.plain.as_mut().filter(|plain| !plain.is_empty()) {
                return Ok(plain.give(output));
            }
            if self.left > 0 {
                self.piece(input)?;
            } else if input.is_at_end()? {
                return Ok(0);
            } else {
                self.left = self.len(input, "block", self.len_max)?;
            }
        }
    }

    fn len<R: Read>(&self, input: &mut Input<R>, what: &'static str, max: usize) -> Result<usize> {
        let begin = input.offset();
        let len = u32::from_be_bytes(input.array(what)?);
        if len as usize > max {
            let (found, max) = (u64::from(len), max as u64);
            return Err(input.error_at(begin, FrameProblem::TooLong { what, found, max }));
        }
        Ok(len as usize)
    }

    fn piece<R: Read>(&mut self, input: &mut Input<R>) -> Result<()> {
        let begin = input.offset();
        let stored_len = self.len(input, "piece", Codec::Snappy.stored_len_max(self.left))?;
        grow(&mut self.stored, stored_len, &self.allocator).map_err(|error| input.error_at(begin, error))?;
        let stored = &mut self.stored.as_mut().expect("grown above")[..stored_len];
        input.exact(stored, "piece")?;
        let plain_len = snappy_len(stored, self.left).map_err(|problem| input.error_at(begin, problem))?;
        if plain_len == 0 {
            let detail = "an empty piece in a block that is not complete";
            return Err(input.error_at(begin, FrameProblem::Damaged { detail }));
        }
        self.decode(stored_len, plain_len).map_err(|error| input.error_at(begin, error))?;
        self.left -= plain_len;
        Ok(())
    }

    fn decode(&mut self, stored_len: usize, plain_len: usize) -> std::result::Result<(), CodecError> {
        if self.plain.as_mut().is_none_or(|plain| plain.room().len() < plain_len) {
            self.plain = Some(Plain::new(self.allocator.zeros(plain_len.next_power_of_two())?));
        }
        let plain = self.plain.as_mut().expect("made above");
        let stored = &self.stored.as_ref().expect("the piece is in it")[..stored_len];
        self.codec.decompress(stored, &mut plain.room()[..plain_len])?;
        plain.set(0..plain_len);
        Ok(())
    }
}

/// The plain length of the blocks that a writer makes, which is Hadoop's default.
pub(super) const BLOCK_LEN: usize = 256 << 10;

pub(super) struct HadoopEncoder {
    codec: BlockCodec<'static>,
}

impl HadoopEncoder {
    pub(super) fn new(options: &FrameOptions) -> std::result::Result<Self, CodecError> {
        Ok(Self { codec: BlockCodec::allocate(Codec::Snappy, 0, BLOCK_LEN, &options.allocator)? })
    }

    /// The largest stored size of a block, in bytes.
    pub(super) fn stored_len_max() -> usize {
        8 + Codec::Snappy.stored_len_max(BLOCK_LEN)
    }

    /// Writes a block of one piece.
    pub(super) fn chunk(
        &mut self,
        plain: &[u8],
        output: &mut [u8],
    ) -> std::result::Result<usize, CodecError> {
        let len = self.codec.compress(plain, &mut output[8..])?;
        output[..4].copy_from_slice(&(plain.len() as u32).to_be_bytes());
        output[4..8].copy_from_slice(&(len as u32).to_be_bytes());
        Ok(8 + len)
    }
}
