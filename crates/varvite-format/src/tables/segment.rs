//! Segments: ranges of the file that hold the bytes of columns, in blocks, each with a checksum.
//!
//! ```text
//! segment = blocks, then the block table
//! table   = for each block: 0 u64 XXH3-64 of the stored bytes, seeded with file, segment and block
//!                           8 u32 stored length
//! ```
//!
//! Blocks follow each other without gaps, so that a segment with codec `none` can be read in place.

use varvite_codec::{BlockAddress, Codec, Filter, block_hash};

use crate::bytes::{Fields, u32_at, u64_at};
use crate::{Fault, FormatError, Part, Result, SegmentId};

/// The plain size of a block in segments that are read in place, in bytes.
pub const PLAIN_BLOCK: u32 = 64 << 10;
/// The plain size of a block in segments that are decoded, in bytes: 64 Ki values of four bytes.
const CODEC_BLOCK: u32 = 256 << 10;
/// The largest plain size of a block that a reader accepts.
const BLOCK_MAX: u32 = 16 << 20;
/// The largest number of plain bytes for one stored byte; Zstandard stays below it even for constant data.
const RATIO_MAX: u64 = 1 << 15;
/// The alignment of segments in bytes, so that values of every width are aligned.
pub const SEGMENT_ALIGN: u64 = 64;
/// The size of a block's entry in the block table, in bytes.
const ENTRY: usize = 12;
/// The number that replaces the block number when the block table itself is hashed.
const TABLE: u32 = u32::MAX;

/// One row of the segment table.
///
/// | offset | size | field |
/// |---|---|---|
/// | 0 | 8 | offset of the first block in the file, a multiple of 64 |
/// | 8 | 8 | stored bytes of all blocks; the block table follows them |
/// | 16 | 8 | plain bytes |
/// | 24 | 8 | XXH3-64 of the block table, seeded with file and segment |
/// | 32 | 4 | plain bytes of each block but the last, which may be shorter |
/// | 36 | 1 | codec: 0 none, 1 lz4, 2 zstd |
/// | 37 | 2 | filter: width of a value in bytes; flags 1 delta, 2 planes |
/// | 39 | 1 | zero |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SegmentRow {
    /// The offset of the first block in the file.
    pub offset: u64,
    /// The number of stored bytes of all blocks.
    pub stored_len: u64,
    /// The number of bytes after decoding.
    pub plain_len: u64,
    /// The checksum of the block table.
    pub table_hash: u64,
    /// The number of plain bytes of each block but the last.
    pub block_len: u32,
    /// The codec of blocks.
    pub codec: Codec,
    /// The filter that is applied to blocks before the codec.
    pub filter: Filter,
}

/// The codec with this number; `None` if graph files do not use it.
fn stored_codec(number: u8) -> Option<Codec> {
    [Codec::None, Codec::Lz4, Codec::Zstd].into_iter().find(|codec| *codec as u8 == number)
}

impl SegmentRow {
    /// The size of a row in the file, in bytes.
    pub const SIZE: usize = 40;

    /// The number of plain bytes of a block in a new segment.
    pub fn block_len_of(codec: Codec) -> u32 {
        match codec {
            Codec::None => PLAIN_BLOCK,
            _ => CODEC_BLOCK,
        }
    }

    /// The number of blocks.
    pub fn blocks(&self) -> u64 {
        self.plain_len.div_ceil(u64::from(self.block_len))
    }

    /// The number of plain bytes of block `number`; 0 after the last block.
    pub fn plain_block_len(&self, number: u64) -> usize {
        let start = number.saturating_mul(u64::from(self.block_len));
        self.plain_len.saturating_sub(start).min(u64::from(self.block_len)) as usize
    }

    /// The offset of the block table in the file.
    pub fn table_offset(&self) -> u64 {
        self.offset + self.stored_len
    }

    /// The size of the block table in bytes.
    pub fn table_len(&self) -> u64 {
        self.blocks() * ENTRY as u64
    }

    /// The offset of the first byte after the segment.
    pub fn end(&self) -> u64 {
        self.table_offset() + self.table_len()
    }

    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        for field in [self.offset, self.stored_len, self.plain_len, self.table_hash] {
            output.extend(field.to_le_bytes());
        }
        output.extend(self.block_len.to_le_bytes());
        output.push(self.codec as u8);
        output.extend(self.filter.to_numbers());
        output.push(0);
    }

    /// Reads row `number`. Its bytes must lie in the range `start..end` of the file. Also returns the offset
    /// of the first byte after the segment.
    #[inline]
    pub(crate) fn read(bytes: &[u8; Self::SIZE], number: u32, start: u64, end: u64) -> Result<(Self, u64)> {
        let part = || Part::Row("segment", number);
        let short = || {
            FormatError::damaged(
                part(),
                Fault::TooFew { what: "bytes", least: Self::SIZE as u64, found: bytes.len() as u64 },
            )
        };
        let mut fields = Fields::new(bytes);
        let mut next = || fields.u64().ok_or_else(short);
        let (offset, stored_len, plain_len, table_hash) = (next()?, next()?, next()?, next()?);
        let block_len = fields.u32().ok_or_else(short)?;
        let [codec, width, flags, zero]: [u8; 4] = fields.take().ok_or_else(short)?;
        let codec = stored_codec(codec).ok_or_else(|| {
            FormatError::damaged(part(), Fault::Unknown { what: "codec", found: codec.into() })
        })?;
        let filter = Filter::from_numbers([width, flags]).ok_or_else(|| {
            let found = u16::from_le_bytes([width, flags]).into();
            FormatError::damaged(part(), Fault::Unknown { what: "filter", found })
        })?;
        let row = Self { offset, stored_len, plain_len, table_hash, block_len, codec, filter };
        if block_len == 0 || block_len > BLOCK_MAX {
            let (most, found) = (BLOCK_MAX.into(), Some(block_len.into()));
            let fault = Fault::Number { what: "block length", at: None, least: 1, most, found };
            return Err(FormatError::damaged(part(), fault));
        }
        if zero != 0 {
            return Err(FormatError::damaged(part(), Fault::NotZero));
        }
        if !offset.is_multiple_of(SEGMENT_ALIGN) {
            return Err(FormatError::damaged(part(), Fault::Multiple { of: SEGMENT_ALIGN, found: offset }));
        }
        let plain = codec == Codec::None && stored_len == plain_len && filter.is_none();
        let coded = codec != Codec::None && plain_len <= stored_len.saturating_mul(RATIO_MAX);
        if !plain && !coded {
            return Err(FormatError::damaged(part(), row.length_fault()));
        }
        // The division in `blocks` is most of the cost of reading a row.
        let blocks = row.blocks();
        let row_end = (|| {
            let table = blocks.checked_mul(ENTRY as u64).filter(|_| blocks < u64::from(TABLE))?;
            offset.checked_add(stored_len)?.checked_add(table)
        })();
        match row_end.filter(|row_end| start <= offset && *row_end <= end) {
            Some(row_end) => Ok((row, row_end)),
            None => {
                let found = offset..offset.saturating_add(stored_len);
                Err(FormatError::damaged(part(), Fault::Range { within: start..end, found }))
            }
        }
    }

    /// The fault of a row whose lengths are impossible for its codec.
    #[cold]
    fn length_fault(&self) -> Fault {
        let (what, found) = ("plain bytes", self.plain_len);
        if self.codec != Codec::None {
            let most = self.stored_len.saturating_mul(RATIO_MAX);
            Fault::TooMany { what, most, found }
        } else if self.stored_len != self.plain_len {
            Fault::Count { what, expected: self.stored_len, found }
        } else {
            Fault::Unexpected { what: "filter without a codec" }
        }
    }
}

/// The checked block table of a segment.
#[derive(Clone, Debug)]
pub struct BlockTable {
    file_id: [u8; 16],
    segment: u32,
    row: SegmentRow,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    hash: u64,
    offset: u64,
    stored_len: u32,
}

impl BlockTable {
    /// Reads the block table of `segment` from `bytes`.
    ///
    /// # Errors
    /// Damage, if the checksum of the bytes differs from that in the row, or the lengths do not add up.
    pub fn read(bytes: &[u8], file_id: [u8; 16], segment: u32, row: SegmentRow) -> Result<Self> {
        let part = || Part::BlockTable(SegmentId(segment));
        let found = block_hash(bytes, BlockAddress { file: file_id, segment, block: TABLE });
        if found != row.table_hash || bytes.len() as u64 != row.table_len() {
            let fault = Fault::Checksum { expected: row.table_hash, found };
            return Err(FormatError::damaged_at(part(), row.table_offset(), fault));
        }
        let mut entries = Vec::with_capacity(bytes.len() / ENTRY);
        let mut offset = 0u64;
        for entry in bytes.as_chunks::<ENTRY>().0 {
            let hash = u64_at(entry, 0).unwrap_or_default();
            let stored_len = u32_at(entry, 8).unwrap_or_default();
            entries.push(Entry { hash, offset, stored_len });
            offset += u64::from(stored_len);
        }
        let out_of_place = |(number, entry): (usize, &Entry)| {
            let expected = row.plain_block_len(number as u64) as u64;
            row.codec == Codec::None && u64::from(entry.stored_len) != expected
        };
        if let Some(number) = entries.iter().enumerate().position(out_of_place) {
            let expected = row.plain_block_len(number as u64) as u64;
            let found = entries[number].stored_len.into();
            let part = Part::Block(SegmentId(segment), number as u32);
            let fault = Fault::Count { what: "bytes", expected, found };
            return Err(FormatError::damaged_at(part, row.table_offset(), fault));
        }
        if offset != row.stored_len {
            let fault = Fault::Count { what: "bytes in blocks", expected: row.stored_len, found: offset };
            return Err(FormatError::damaged_at(part(), row.table_offset(), fault));
        }
        Ok(Self { file_id, segment, row, entries })
    }

    /// The fault of a request for block `number`, which does not exist.
    pub fn no_such_block(&self, number: usize) -> Fault {
        Fault::NoSuch { what: "block", number: number as u64, count: self.len() as u64 }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if there is no block.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The offset of block `number` in the file, and its stored length; `None` if there is no such block.
    pub fn block(&self, number: usize) -> Option<(u64, usize)> {
        let entry = self.entries.get(number)?;
        Some((self.row.offset + entry.offset, entry.stored_len as usize))
    }

    /// Checks the stored bytes of block `number`.
    ///
    /// # Errors
    /// Damage, with the offset of the block in the file.
    pub fn check(&self, number: usize, stored: &[u8]) -> Result<()> {
        let part = || Part::Block(SegmentId(self.segment), number as u32);
        let entry = self
            .entries
            .get(number)
            .ok_or_else(|| FormatError::damaged(part(), self.no_such_block(number)))?;
        let address = BlockAddress { file: self.file_id, segment: self.segment, block: number as u32 };
        let found = block_hash(stored, address);
        if found == entry.hash {
            return Ok(());
        }
        let fault = Fault::Checksum { expected: entry.hash, found };
        Err(FormatError::damaged_at(part(), self.row.offset + entry.offset, fault))
    }
}

/// Builds the block table of a new segment.
#[derive(Clone, Debug)]
pub struct BlockTableBuilder {
    file_id: [u8; 16],
    segment: u32,
    blocks: u32,
    bytes: Vec<u8>,
}

impl BlockTableBuilder {
    /// An empty table for `segment` of the file `file_id`.
    pub fn new(file_id: [u8; 16], segment: u32) -> Self {
        Self { file_id, segment, blocks: 0, bytes: Vec::new() }
    }

    /// Adds the next block in its stored form.
    pub fn push(&mut self, stored: &[u8]) {
        let address = BlockAddress { file: self.file_id, segment: self.segment, block: self.blocks };
        self.bytes.extend(block_hash(stored, address).to_le_bytes());
        self.bytes.extend((stored.len() as u32).to_le_bytes());
        self.blocks += 1;
    }

    /// The bytes of the table and their checksum.
    pub fn finish(self) -> (Vec<u8>, u64) {
        let address = BlockAddress { file: self.file_id, segment: self.segment, block: TABLE };
        let sum = block_hash(&self.bytes, address);
        (self.bytes, sum)
    }
}
