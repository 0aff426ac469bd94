//! Snappy's framing format (`framing_format.txt` of 2013), extended by DynamoRIO's chunk types without a
//! checksum.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 1 | chunk type |
//! | 1 | 3 | length of the data |
//! | 4 | .. | data |
//!
//! | chunk type | data |
//! |---|---|
//! | 0xff | `sNaPpY`; starts each stream |
//! | 0x00, 0x01 | masked CRC-32C of the plain bytes; then one Snappy block (0x00) or plain bytes (0x01), up to 64 KiB plain |
//! | 0x02, 0x03 | as 0x00 and 0x01, without the CRC: types of DynamoRIO |
//! | 0x80 to 0xfe | any bytes, which readers skip |
//!
//! The format has no end mark, so data that was cut between two chunks seems complete.

use std::io::Read;

use super::input::{Input, Plain, Result};
use super::{FrameOptions, FrameProblem};
use crate::{BlockCodec, Buffer, Codec, CodecError, crc32c};

const STREAM_START: u8 = 0xFF;
const NAME: &[u8; 6] = b"sNaPpY";
const COMPRESSED: u8 = 0;
const STORED: u8 = 1;
const COMPRESSED_UNCHECKED: u8 = 2;
const STORED_UNCHECKED: u8 = 3;

/// The largest number of plain bytes of a chunk.
pub(super) const CHUNK_LEN_MAX: usize = 1 << 16;

const HEADER_LEN: usize = 4;
const SUM_LEN: usize = 4;

/// The checksum in its stored form. It is masked, because a checksum of data that contains checksums is weak.
fn masked(plain: &[u8]) -> u32 {
    crc32c(plain).rotate_right(15).wrapping_add(0xA282_EAD8)
}

pub(super) struct SnappyDecoder {
    takes_unchecked: bool,
    is_started: bool,
    codec: BlockCodec<'static>,
    stored: Buffer,
    plain: Plain,
}

impl SnappyDecoder {
    pub(super) fn new(
        takes_unchecked: bool,
        options: &FrameOptions,
    ) -> std::result::Result<Self, CodecError> {
        Ok(Self {
            takes_unchecked,
            is_started: false,
            codec: BlockCodec::allocate_decoder(Codec::Snappy, &options.allocator)?,
            stored: options.allocator.zeros(Codec::Snappy.stored_len_max(CHUNK_LEN_MAX))?,
            plain: Plain::new(options.allocator.zeros(CHUNK_LEN_MAX)?),
        })
    }

    pub(super) fn read<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8]) -> Result<usize> {
        while self.plain.is_empty() {
            if input.is_at_end()? {
                return Ok(0);
            }
            self.chunk(input)?;
        }
        Ok(self.plain.give(output))
    }

    fn chunk<R: Read>(&mut self, input: &mut Input<R>) -> Result<()> {
        let begin = input.offset();
        let [kind, len @ ..] = input.array::<HEADER_LEN>("chunk header")?;
        let len = usize::from(len[0]) | usize::from(len[1]) << 8 | usize::from(len[2]) << 16;
        if !self.is_started && kind != STREAM_START {
            let (expected, found) =
                ("the chunk 'sNaPpY' at the start", [kind, len as u8, (len >> 8) as u8, (len >> 16) as u8]);
            return Err(input.error_at(begin, FrameProblem::NotThisFormat { expected, found }));
        }
        match kind {
            STREAM_START => self.stream_start(input, begin, len),
            COMPRESSED | STORED => self.data(input, begin, kind == COMPRESSED, true, len),
            COMPRESSED_UNCHECKED | STORED_UNCHECKED if self.takes_unchecked => {
                self.data(input, begin, kind == COMPRESSED_UNCHECKED, false, len)
            }
            0x80.. => input.skip(len as u64, "chunk to be skipped"),
            _ => {
                let hint = match kind {
                    COMPRESSED_UNCHECKED | STORED_UNCHECKED => {
                        "; DynamoRIO's chunks without a checksum are read as snappy_nocrc"
                    }
                    _ => "",
                };
                Err(input.error_at(begin, FrameProblem::UnknownChunk { kind, hint }))
            }
        }
    }

    fn stream_start<R: Read>(&mut self, input: &mut Input<R>, begin: u64, len: usize) -> Result<()> {
        if len != NAME.len() || input.array::<6>("stream identifier")? != *NAME {
            let detail = "the stream identifier is not 'sNaPpY'";
            return Err(input.error_at(begin, FrameProblem::Damaged { detail }));
        }
        self.is_started = true;
        Ok(())
    }

    fn data<R: Read>(
        &mut self,
        input: &mut Input<R>,
        begin: u64,
        is_compressed: bool,
        is_checked: bool,
        len: usize,
    ) -> Result<()> {
        let what = if is_compressed { "compressed chunk" } else { "plain chunk" };
        let sum_len = if is_checked { SUM_LEN } else { 0 };
        let body_len = len.checked_sub(sum_len);
        let detail = "a chunk has no room for its checksum";
        let body_len = body_len.ok_or_else(|| input.error_at(begin, FrameProblem::Damaged { detail }))?;
        let max = if is_compressed { self.stored.len() } else { CHUNK_LEN_MAX };
        if body_len > max {
            let (found, max) = (body_len as u64, max as u64);
            return Err(input.error_at(begin, FrameProblem::TooLong { what, found, max }));
        }
        let mut sum = [0; SUM_LEN];
        input.exact(&mut sum[..sum_len], what)?;
        let plain_len = self.body(input, begin, is_compressed, body_len, what)?;
        let (expected, found) = (u32::from_le_bytes(sum), masked(&self.plain.room()[..plain_len]));
        if is_checked && expected != found {
            let what = "a chunk's plain bytes";
            return Err(input.error_at(begin, FrameProblem::Checksum { what, expected, found }));
        }
        self.plain.set(0..plain_len);
        Ok(())
    }

    /// Decodes the body of a chunk into the buffer of plain bytes, and returns the number of plain bytes.
    fn body<R: Read>(
        &mut self,
        input: &mut Input<R>,
        begin: u64,
        is_compressed: bool,
        len: usize,
        what: &'static str,
    ) -> Result<usize> {
        if !is_compressed {
            input.exact(&mut self.plain.room()[..len], what)?;
            return Ok(len);
        }
        let stored = &mut self.stored[..len];
        input.exact(stored, what)?;
        let room = self.plain.room();
        let decoded = snappy_len(stored, room.len()).and_then(|plain_len| {
            self.codec.decompress(stored, &mut room[..plain_len]).map_err(FrameProblem::from)?;
            Ok(plain_len)
        });
        decoded.map_err(|problem| input.error_at(begin, problem))
    }
}

/// Reads the plain length at the start of a Snappy block. Fails if the length exceeds `max`.
pub(super) fn snappy_len(stored: &[u8], max: usize) -> std::result::Result<usize, FrameProblem> {
    let (len, _) = crate::engine::snappy::plain_len(stored)?;
    if len > max {
        return Err(FrameProblem::TooLong {
            what: "plain bytes of a chunk",
            found: len as u64,
            max: max as u64,
        });
    }
    Ok(len)
}

pub(super) struct SnappyEncoder {
    is_checked: bool,
    codec: BlockCodec<'static>,
}

impl SnappyEncoder {
    pub(super) fn new(is_checked: bool, options: &FrameOptions) -> std::result::Result<Self, CodecError> {
        let codec = BlockCodec::allocate(Codec::Snappy, 0, CHUNK_LEN_MAX, &options.allocator)?;
        Ok(Self { is_checked, codec })
    }

    /// The largest stored size of a chunk, in bytes.
    pub(super) fn stored_len_max() -> usize {
        HEADER_LEN + SUM_LEN + Codec::Snappy.stored_len_max(CHUNK_LEN_MAX)
    }

    pub(super) fn start(&self, output: &mut [u8]) -> usize {
        output[..4].copy_from_slice(&[STREAM_START, NAME.len() as u8, 0, 0]);
        output[4..10].copy_from_slice(NAME);
        10
    }

    /// Writes one chunk. As in the reference implementation, the chunk is stored plain if compression saves
    /// less than an eighth.
    pub(super) fn chunk(
        &mut self,
        plain: &[u8],
        output: &mut [u8],
    ) -> std::result::Result<usize, CodecError> {
        let sum_len = if self.is_checked { SUM_LEN } else { 0 };
        let body = HEADER_LEN + sum_len;
        let mut body_len = self.codec.compress(plain, &mut output[body..])?;
        let is_stored = body_len >= plain.len() - plain.len() / 8;
        if is_stored {
            body_len = plain.len();
            output[body..body + body_len].copy_from_slice(plain);
        }
        let len = sum_len + body_len;
        let kind = u8::from(is_stored) + if self.is_checked { COMPRESSED } else { COMPRESSED_UNCHECKED };
        output[..HEADER_LEN].copy_from_slice(&[kind, len as u8, (len >> 8) as u8, (len >> 16) as u8]);
        output[HEADER_LEN..body].copy_from_slice(&masked(plain).to_le_bytes()[..sum_len]);
        Ok(body + body_len)
    }
}
