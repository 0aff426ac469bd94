//! The header of a chunk: its kind, its position in its thread, and its checksums.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | sync word, by which a reader finds the next chunk after damage |
//! | 8 | 1 | kind: 1 records, 2 index, 3 end, 4 modules |
//! | 9 | 1 | codec of the content |
//! | 10 | 1 | form of the records: 0 the split of the trace, 1 runs |
//! | 11 | 1 | zero |
//! | 12 | 4 | number of records |
//! | 16 | 4 | bytes of the records |
//! | 20 | 4 | bytes before compression: marks and split records |
//! | 24 | 4 | stored bytes |
//! | 28 | 4 | bytes of marks |
//! | 32 | 8 | thread |
//! | 40 | 8 | number of the chunk within its thread |
//! | 48 | 8 | ordinal of the first record within the thread |
//! | 56 | 8 | time of the first record |
//! | 64 | 8 | time of the last record |
//! | 72 | 8 | checksum of the stored content, seeded with trace, kind, thread and number |
//! | 80 | 8 | checksum of bytes 0 to 79, seeded with the trace |

use varvite_codec::{Codec, hash};

use crate::bytes::{put, u32_at, u64_at};

/// The size of a chunk's header in bytes.
pub(crate) const CHUNK_HEADER_LEN: usize = 88;
/// The sync word at the start of every chunk. It is not ASCII, and a copy that converts line ends changes it.
pub(crate) const SYNC: [u8; 8] = *b"\x8aVVCK\r\n\x1a";
/// The thread number of chunks that belong to no thread.
pub(crate) const NO_THREAD: u64 = u64::MAX;

/// The kind of content that a chunk has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Records = 1,
    Index = 2,
    End = 3,
    Modules = 4,
}

/// The form of the records in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As the split of the trace says.
    Split = 0,
    /// As runs, in a trace of references.
    Runs = 1,
}

/// The header of a block of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkHeader {
    pub(crate) kind: Kind,
    /// The compression of the content.
    pub codec: Codec,
    pub(crate) form: Form,
    /// The number of records.
    pub records: u32,
    /// The size of the records in bytes.
    pub plain_len: u32,
    /// The size of the content before compression, in bytes.
    pub split_len: u32,
    /// The stored size of the content in bytes, without this header.
    pub stored_len: u32,
    pub(crate) marks_len: u32,
    /// The thread of the records.
    pub thread: u64,
    /// The number of the block in its thread.
    pub number: u64,
    /// The ordinal of the first record in the thread.
    pub first_ordinal: u64,
    /// The time of the first record.
    pub first_time: u64,
    /// The time of the last record.
    pub last_time: u64,
    pub(crate) checksum: u64,
}

/// The reason why bytes are not a valid header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadHeader {
    Sync { found: u64 },
    Checksum { expected: u64, found: u64 },
    Number { what: &'static str, expected: u64, found: u64 },
}

impl ChunkHeader {
    /// The header as bytes; `seed` is the seed of the trace.
    pub(crate) fn to_bytes(self, seed: u64) -> [u8; CHUNK_HEADER_LEN] {
        let mut bytes = [0; CHUNK_HEADER_LEN];
        put(&mut bytes, 0, &SYNC);
        put(&mut bytes, 8, &[self.kind as u8, self.codec as u8, self.form as u8]);
        let lengths = [self.records, self.plain_len, self.split_len, self.stored_len, self.marks_len];
        for (index, length) in lengths.into_iter().enumerate() {
            put(&mut bytes, 12 + 4 * index, &length.to_le_bytes());
        }
        let places =
            [self.thread, self.number, self.first_ordinal, self.first_time, self.last_time, self.checksum];
        for (index, place) in places.into_iter().enumerate() {
            put(&mut bytes, 32 + 8 * index, &place.to_le_bytes());
        }
        let sum = hash(&bytes[..80], seed);
        put(&mut bytes, 80, &sum.to_le_bytes());
        bytes
    }

    /// Reads a header.
    pub(crate) fn from_bytes(bytes: &[u8; CHUNK_HEADER_LEN], seed: u64) -> Result<Self, BadHeader> {
        if bytes[..8] != SYNC {
            return Err(BadHeader::Sync { found: u64_at(bytes, 0) });
        }
        let (expected, found) = (u64_at(bytes, 80), hash(&bytes[..80], seed));
        if expected != found {
            return Err(BadHeader::Checksum { expected, found });
        }
        let number = |what, expected, found| BadHeader::Number { what, expected, found };
        let kind = match bytes[8] {
            1 => Kind::Records,
            2 => Kind::Index,
            3 => Kind::End,
            4 => Kind::Modules,
            other => return Err(number("kind of chunk", 4, other.into())),
        };
        let codec = Codec::from_number(bytes[9]).ok_or(number("codec", 0, bytes[9].into()))?;
        let form = match bytes[10] {
            0 => Form::Split,
            1 if kind == Kind::Records => Form::Runs,
            other => return Err(number("form of records", 1, other.into())),
        };
        Ok(Self {
            kind,
            codec,
            form,
            records: u32_at(bytes, 12),
            plain_len: u32_at(bytes, 16),
            split_len: u32_at(bytes, 20),
            stored_len: u32_at(bytes, 24),
            marks_len: u32_at(bytes, 28),
            thread: u64_at(bytes, 32),
            number: u64_at(bytes, 40),
            first_ordinal: u64_at(bytes, 48),
            first_time: u64_at(bytes, 56),
            last_time: u64_at(bytes, 64),
            checksum: u64_at(bytes, 72),
        })
    }

    /// The header of a chunk without records.
    pub(crate) fn of_table(kind: Kind, number: u64, content: &[u8], seed: u64) -> Self {
        let len = content.len() as u32;
        let header = Self {
            kind,
            codec: Codec::None,
            form: Form::Split,
            records: 0,
            plain_len: len,
            split_len: len,
            stored_len: len,
            marks_len: 0,
            thread: NO_THREAD,
            number,
            first_ordinal: 0,
            first_time: 0,
            last_time: 0,
            checksum: 0,
        };
        Self { checksum: header.content_hash(content, seed), ..header }
    }

    /// The checksum of stored bytes, seeded with the trace, kind, thread and number of this chunk.
    pub(crate) fn content_hash(&self, stored: &[u8], seed: u64) -> u64 {
        let mut place = [0; 24];
        put(&mut place, 0, &(self.kind as u64).to_le_bytes());
        put(&mut place, 8, &self.thread.to_le_bytes());
        put(&mut place, 16, &self.number.to_le_bytes());
        hash(stored, hash(&place, seed))
    }

    /// The size of the chunk in the trace, with its header.
    pub(crate) fn chunk_len(&self) -> u64 {
        CHUNK_HEADER_LEN as u64 + u64::from(self.stored_len)
    }

    /// The ordinal of the last record, plus one. It saturates at a value that no recorder reaches.
    pub(crate) fn next_ordinal(&self) -> u64 {
        self.first_ordinal.saturating_add(self.records.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_header_is_checked() {
        let header = ChunkHeader {
            records: 3,
            thread: 7,
            first_ordinal: 9,
            first_time: 4,
            last_time: 5,
            ..ChunkHeader::of_table(Kind::Records, 2, b"content", 1)
        };
        let bytes = header.to_bytes(1);
        assert_eq!(ChunkHeader::from_bytes(&bytes, 1), Ok(header));
        assert!(ChunkHeader::from_bytes(&bytes, 2).is_err(), "another trace");
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(ChunkHeader::from_bytes(&changed, 1).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_checked_header_of_an_unknown_kind_is_refused() {
        let mut bytes = ChunkHeader::of_table(Kind::Records, 0, b"", 1).to_bytes(1);
        bytes[8] = 9;
        let sum = hash(&bytes[..80], 1);
        put(&mut bytes, 80, &sum.to_le_bytes());
        let expected = BadHeader::Number { what: "kind of chunk", expected: 4, found: 9 };
        assert_eq!(ChunkHeader::from_bytes(&bytes, 1), Err(expected));
    }
}
