//! Successive LZ4 frames (`lz4_Frame_format.md` 1.6).
//!
//! | size | field |
//! |---|---|
//! | 4 | magic 0x184D2204; all numbers are little-endian |
//! | 1 | version 01 in the top bits, then flags: independent blocks, block checksums, content size, content checksum, reserved, dictionary id |
//! | 1 | bits 4 to 6: 4, 5, 6 or 7 for blocks of up to 64 KiB, 256 KiB, 1 MiB or 4 MiB |
//! | 0 or 8 | content size |
//! | 1 | second byte of the XXH32 of the fields from the flags on |
//! | .. | blocks: length (high bit: stored plain), data, checksum of the data if its flag is set; a length of 0 ends the blocks |
//! | 0 or 4 | XXH32 of the content |
//!
//! Linked blocks may copy from the 64 KiB before them, which may span several blocks.

use std::io::Read;

use lz4_flex::block::decompress_into_with_dict;
use xxhash_rust::xxh32::{Xxh32, xxh32};

use super::input::{Input, Plain, Result, grow};
use super::{FrameOptions, FrameProblem};
use crate::{Allocator, BlockCodec, Buffer, Codec, CodecError};

const MAGIC: u32 = 0x184D_2204;
const MAGIC_LEGACY: u32 = 0x184C_2102;
/// The magic numbers of frames that readers skip, the same as those of Zstandard.
const MAGIC_SKIPPABLE: std::ops::RangeInclusive<u32> = 0x184D_2A50..=0x184D_2A5F;

const VERSION: u8 = 0b0100_0000;
const VERSION_MASK: u8 = 0b1100_0000;
const INDEPENDENT: u8 = 1 << 5;
const BLOCK_SUMS: u8 = 1 << 4;
const CONTENT_SIZE: u8 = 1 << 3;
const CONTENT_SUM: u8 = 1 << 2;
const RESERVED: u8 = 1 << 1;
const DICTIONARY: u8 = 1;

const STORED_PLAIN: u32 = 1 << 31;

/// The longest distance of a copy in a linked block.
const HISTORY_LEN: usize = 64 << 10;

/// The header of a frame, and the reader's position in the frame.
struct Frame {
    begin: u64,
    flags: u8,
    block_len_max: usize,
    content_size: Option<u64>,
    content_len: u64,
    content_sum: Xxh32,
    /// The number of bytes of history in the window.
    history_len: usize,
}

impl Frame {
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

pub(super) struct Lz4Decoder {
    allocator: Allocator,
    len_max: usize,
    frame: Option<Frame>,
    stored: Option<Buffer>,
    /// The history, followed by the current block.
    window: Option<Plain>,
}

impl Lz4Decoder {
    pub(super) fn new(options: &FrameOptions) -> Self {
        let (allocator, len_max) = (options.allocator, options.buffer_len_max);
        Self { allocator, len_max, frame: None, stored: None, window: None }
    }

    pub(super) fn read<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8]) -> Result<usize> {
        loop {
            if let Some(window) = self.window.as_mut().filter(|window| !window.is_empty()) {
                return Ok(window.give(output));
            }
            if self.frame.is_some() {
                self.block(input)?;
            } else if input.is_at_end()? {
                return Ok(0);
            } else {
                self.frame_start(input)?;
            }
        }
    }

    fn frame_start<R: Read>(&mut self, input: &mut Input<R>) -> Result<()> {
        let begin = input.offset();
        let found = input.array("frame header")?;
        match u32::from_le_bytes(found) {
            MAGIC => self.header(input, begin),
            magic if MAGIC_SKIPPABLE.contains(&magic) => {
                let len = u32::from_le_bytes(input.array("frame header")?);
                input.skip(u64::from(len), "skippable frame")
            }
            MAGIC_LEGACY => {
                Err(input.error_at(begin, FrameProblem::Unsupported { what: "the legacy frame of lz4 -l" }))
            }
            _ => {
                let expected = "an LZ4 frame (04 22 4d 18)";
                Err(input.error_at(begin, FrameProblem::NotThisFormat { expected, found }))
            }
        }
    }

    fn header<R: Read>(&mut self, input: &mut Input<R>, begin: u64) -> Result<()> {
        // Fields of the header: flags, block length, content size.
        let mut fields = [0; 10];
        input.exact(&mut fields[..2], "frame header")?;
        let [flags, block_code, ..] = fields;
        let len = if flags & CONTENT_SIZE != 0 { 10 } else { 2 };
        input.exact(&mut fields[2..len], "frame header")?;
        let [sum] = input.array("frame header")?;
        let problem = header_problem(flags, block_code).or_else(|| {
            let (expected, found) = (u32::from(sum), xxh32(&fields[..len], 0) >> 8 & 0xFF);
            let what = "a frame header";
            (expected != found).then_some(FrameProblem::Checksum { what, expected, found })
        });
        if let Some(problem) = problem {
            return Err(input.error_at(begin, problem));
        }
        let block_len_max = 1 << (8 + 2 * (block_code >> 4));
        if block_len_max > self.len_max {
            let (what, found, max) = ("blocks of a frame", block_len_max as u64, self.len_max as u64);
            return Err(input.error_at(begin, FrameProblem::TooLong { what, found, max }));
        }
        self.make_room(block_len_max).map_err(|error| input.error_at(begin, error))?;
        let content_size = fields[2..].first_chunk().map(|size| u64::from_le_bytes(*size));
        self.frame = Some(Frame {
            begin,
            flags,
            block_len_max,
            content_size: content_size.filter(|_| len == 10),
            content_len: 0,
            content_sum: Xxh32::new(0),
            history_len: 0,
        });
        Ok(())
    }

    fn make_room(&mut self, block_len_max: usize) -> std::result::Result<(), CodecError> {
        grow(&mut self.stored, block_len_max, &self.allocator)?;
        let needed = HISTORY_LEN + block_len_max;
        if self.window.as_mut().is_none_or(|window| window.room().len() < needed) {
            self.window = Some(Plain::new(self.allocator.zeros(needed)?));
        }
        Ok(())
    }

    fn block<R: Read>(&mut self, input: &mut Input<R>) -> Result<()> {
        let (Some(frame), Some(stored), Some(window)) = (&mut self.frame, &mut self.stored, &mut self.window)
        else {
            return Ok(());
        };
        let begin = input.offset();
        let len = u32::from_le_bytes(input.array("block length")?);
        if len == 0 {
            return self.frame_end(input);
        }
        let (is_plain, len) = (len & STORED_PLAIN != 0, (len & !STORED_PLAIN) as usize);
        if len > frame.block_len_max {
            let (what, found, max) = ("stored bytes of a block", len as u64, frame.block_len_max as u64);
            return Err(input.error_at(begin, FrameProblem::TooLong { what, found, max }));
        }
        let stored = &mut stored[..len];
        input.exact(stored, "block")?;
        if frame.has(BLOCK_SUMS) {
            let (expected, found) = (u32::from_le_bytes(input.array("block checksum")?), xxh32(stored, 0));
            if expected != found {
                let what = "a block";
                return Err(input.error_at(begin, FrameProblem::Checksum { what, expected, found }));
            }
        }
        let plain_len =
            decode(frame, window, stored, is_plain).map_err(|error| input.error_at(begin, error))?;
        frame.content_len += plain_len as u64;
        Ok(())
    }

    fn frame_end<R: Read>(&mut self, input: &mut Input<R>) -> Result<()> {
        let Some(frame) = self.frame.take() else { return Ok(()) };
        if frame.has(CONTENT_SUM) {
            let (expected, found) =
                (u32::from_le_bytes(input.array("content checksum")?), frame.content_sum.digest());
            if expected != found {
                let what = "a frame's plain bytes";
                return Err(input.error_at(frame.begin, FrameProblem::Checksum { what, expected, found }));
            }
        }
        if frame.content_size.is_some_and(|size| size != frame.content_len) {
            let detail = "the frame does not hold as many plain bytes as its header says";
            return Err(input.error_at(frame.begin, FrameProblem::Damaged { detail }));
        }
        Ok(())
    }
}

fn header_problem(flags: u8, block_code: u8) -> Option<FrameProblem> {
    if flags & VERSION_MASK != VERSION {
        return Some(FrameProblem::Unsupported { what: "a frame of another version than 01" });
    }
    if flags & DICTIONARY != 0 {
        return Some(FrameProblem::Unsupported { what: "a frame that needs a dictionary" });
    }
    let is_reserved = flags & RESERVED != 0 || block_code & 0x8F != 0 || block_code >> 4 < 4;
    is_reserved.then_some(FrameProblem::Damaged {
        detail: "the frame header has bits that must be zero, or no block length",
    })
}

/// Decodes a block into the window, after the history, and returns the number of plain bytes.
fn decode(
    frame: &mut Frame,
    window: &mut Plain,
    stored: &[u8],
    is_plain: bool,
) -> std::result::Result<usize, CodecError> {
    let (history, block) = window.room().split_at_mut(HISTORY_LEN);
    let block = &mut block[..frame.block_len_max];
    let history = &mut history[HISTORY_LEN - frame.history_len..];
    let len = if is_plain {
        block[..stored.len()].copy_from_slice(stored);
        stored.len()
    } else if history.is_empty() {
        crate::engine::lz4::decompress(stored, block)?
    } else {
        decompress_into_with_dict(stored, block, history)
            .map_err(|error| crate::engine::lz4::failure(&error, frame.block_len_max))?
    };
    if frame.has(CONTENT_SUM) {
        frame.content_sum.update(&block[..len]);
    }
    if !frame.has(INDEPENDENT) {
        frame.history_len = (frame.history_len + len).min(HISTORY_LEN);
        // The last bytes of history and block become the history of the next block. The block itself stays
        // where it is, for the reader.
        window.room().copy_within(len..len + HISTORY_LEN, 0);
    }
    window.set(HISTORY_LEN..HISTORY_LEN + len);
    Ok(len)
}

pub(super) const BLOCK_LEN: usize = 256 << 10;
const BLOCK_CODE: u8 = 5 << 4;
const FLAGS: u8 = VERSION | INDEPENDENT | CONTENT_SUM;

pub(super) struct Lz4Encoder {
    codec: BlockCodec<'static>,
    content_sum: Xxh32,
}

impl Lz4Encoder {
    pub(super) fn new(level: i32, options: &FrameOptions) -> std::result::Result<Self, CodecError> {
        let codec = BlockCodec::allocate(Codec::Lz4, level, BLOCK_LEN, &options.allocator)?;
        Ok(Self { codec, content_sum: Xxh32::new(0) })
    }

    /// The largest number of bytes of output for a block.
    pub(super) fn stored_len_max() -> usize {
        4 + Codec::Lz4.stored_len_max(BLOCK_LEN)
    }

    pub(super) fn start(&mut self, output: &mut [u8]) -> usize {
        let fields = [FLAGS, BLOCK_CODE];
        output[..4].copy_from_slice(&MAGIC.to_le_bytes());
        output[4..6].copy_from_slice(&fields);
        output[6] = (xxh32(&fields, 0) >> 8) as u8;
        7
    }

    pub(super) fn chunk(
        &mut self,
        plain: &[u8],
        output: &mut [u8],
    ) -> std::result::Result<usize, CodecError> {
        self.content_sum.update(plain);
        let stored_len = self.codec.compress(plain, &mut output[4..])?;
        let (len, flag) = if stored_len < plain.len() {
            (stored_len, 0)
        } else {
            output[4..4 + plain.len()].copy_from_slice(plain);
            (plain.len(), STORED_PLAIN)
        };
        output[..4].copy_from_slice(&(len as u32 | flag).to_le_bytes());
        Ok(4 + len)
    }

    pub(super) fn end(&mut self, output: &mut [u8]) -> usize {
        output[..4].fill(0);
        output[4..8].copy_from_slice(&self.content_sum.digest().to_le_bytes());
        8
    }
}
