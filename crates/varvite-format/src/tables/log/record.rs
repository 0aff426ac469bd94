//! [`LogRecord`]: the head of one record of the log.
//!
//! A record begins at a multiple of 64, immediately after the previous record; the first record begins at the
//! end of the commit, whose offset the superblock states as the length of the file. A record belongs to one
//! generation of one file and to one position in its log, because it contains the checksum of the previous
//! record. So leftover records of an older log, or dropped records, never count as successors of newer
//! records.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 8 | magic `VVRECORD` |
//! | 8 | 8 | generation of the superblock that it follows |
//! | 16 | 8 | number of the record, from 1 |
//! | 24 | 8 | number of the last record that was durable, with all before it, when this one was written |
//! | 32 | 8 | checksum of the record before; in the first record, checksum of the directory |
//! | 40 | 8 | length of the payload |
//! | 48 | 8 | XXH3-64 of the payload, seeded with the number of the record |
//! | 56 | 8 | XXH3-64 of bytes 0 to 55, seeded with the file id: the checksum of the record |
//!
//! The payload follows, and zeros to the next multiple of 64.

use varvite_codec::hash;

use crate::bytes::{Fields, is_zero};

const MAGIC: [u8; 8] = *b"VVRECORD";
const HASHED: usize = 56;

/// The head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRecord {
    /// The generation of the superblock that the log follows.
    pub generation: u64,
    /// The number of the record in the log, from 1.
    pub number: u64,
    /// The number of the last record that was durable, with all records before it, when this record was
    /// written.
    pub durable: u64,
    /// The checksum of the previous record; for the first record, that of the directory.
    pub previous: u64,
    /// The length of the payload in bytes.
    pub payload_len: u64,
    /// The checksum of the payload.
    pub payload_hash: u64,
    /// The checksum of the record: that of the head, which contains the checksum of the payload.
    pub checksum: u64,
}

impl LogRecord {
    /// The size of the head in bytes; records begin at multiples of this size.
    pub const HEAD: usize = 64;
    /// The largest size of a log in bytes; readers ignore anything beyond.
    pub const LOG_MAX: u64 = 64 << 20;

    /// The start of the log of a commit that ends at `file_len`; `None` if that exceeds 64 bits.
    pub fn log_start(file_len: u64) -> Option<u64> {
        file_len.checked_next_multiple_of(Self::HEAD as u64)
    }

    /// The number of bytes of a record with a payload of this length; `None` if that exceeds 64 bits.
    pub fn stored_len(payload_len: u64) -> Option<u64> {
        payload_len.checked_add(Self::HEAD as u64)?.checked_next_multiple_of(Self::HEAD as u64)
    }

    /// The bytes of the record in the file `file_id`, and its checksum. Length and checksums are computed
    /// from the payload; those in `self` are ignored.
    pub fn to_bytes(mut self, file_id: &[u8; 16], payload: &[u8]) -> (Vec<u8>, u64) {
        self.payload_len = payload.len() as u64;
        self.payload_hash = hash(payload, self.number);
        let mut bytes = Vec::with_capacity((Self::HEAD + payload.len()).next_multiple_of(Self::HEAD));
        bytes.extend(MAGIC);
        let Self { generation, number, durable, previous, payload_len, payload_hash, .. } = self;
        for field in [generation, number, durable, previous, payload_len, payload_hash] {
            bytes.extend(field.to_le_bytes());
        }
        let checksum = hash(&bytes, seed(file_id));
        bytes.extend(checksum.to_le_bytes());
        bytes.extend_from_slice(payload);
        bytes.resize(bytes.len().next_multiple_of(Self::HEAD), 0);
        (bytes, checksum)
    }

    /// Reads a head of the file `file_id`; `None` if `bytes` do not begin with a valid head.
    pub fn from_head(bytes: &[u8], file_id: &[u8; 16]) -> Option<Self> {
        let head: &[u8; Self::HEAD] = bytes.first_chunk()?;
        if head[..8] != MAGIC {
            return None;
        }
        let mut fields = Fields::new(&head[8..]);
        let mut next = || fields.u64();
        let record = Self {
            generation: next()?,
            number: next()?,
            durable: next()?,
            previous: next()?,
            payload_len: next()?,
            payload_hash: next()?,
            checksum: next()?,
        };
        (record.checksum == hash(&head[..HASHED], seed(file_id))).then_some(record)
    }

    /// Whether this record follows the record with this number and checksum, in the log of this generation.
    pub fn follows(&self, generation: u64, number: u64, checksum: u64) -> bool {
        self.generation == generation
            && number.checked_add(1) == Some(self.number)
            && self.previous == checksum
            && self.durable < self.number
    }

    /// The payload, taken from the bytes that follow the head; `None` if its checksum differs from that in
    /// the head.
    pub fn payload<'a>(&self, after_head: &'a [u8]) -> Option<&'a [u8]> {
        let len = usize::try_from(self.payload_len).ok()?;
        let (payload, padding) = after_head.get(..len.checked_next_multiple_of(Self::HEAD)?)?.split_at(len);
        (is_zero(padding) && hash(payload, self.number) == self.payload_hash).then_some(payload)
    }
}

fn seed(file_id: &[u8; 16]) -> u64 {
    hash(file_id, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: [u8; 16] = [7; 16];

    fn record() -> LogRecord {
        LogRecord {
            generation: 3,
            number: 2,
            durable: 1,
            previous: 99,
            payload_len: 0,
            payload_hash: 0,
            checksum: 0,
        }
    }

    #[test]
    fn a_record_comes_back_only_in_its_own_file_and_place() {
        for len in [0, 1, 63, 64, 65, 1000] {
            let payload = vec![0xA5; len];
            let (bytes, checksum) = record().to_bytes(&FILE, &payload);
            assert_eq!(Some(bytes.len() as u64), LogRecord::stored_len(len as u64));
            let head = LogRecord::from_head(&bytes, &FILE).unwrap();
            assert_eq!(
                (head.checksum, head.payload(&bytes[LogRecord::HEAD..])),
                (checksum, Some(&payload[..]))
            );
            assert!(head.follows(3, 1, 99));
            assert!(!head.follows(2, 1, 99) && !head.follows(3, 0, 99) && !head.follows(3, 1, 98));
            assert_eq!(LogRecord::from_head(&bytes, &[8; 16]), None);
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let (bytes, _) = record().to_bytes(&FILE, b"varves");
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let head = LogRecord::from_head(&damaged, &FILE);
            assert!(head.is_none_or(|head| head.payload(&damaged[LogRecord::HEAD..]).is_none()), "bit {bit}");
        }
    }

    #[test]
    fn lengths_that_lie_are_no_records() {
        for payload_len in [7, 64, 65, 1 << 40, u64::MAX] {
            let (mut bytes, _) = record().to_bytes(&FILE, b"varves");
            bytes[40..48].copy_from_slice(&payload_len.to_le_bytes());
            let sum = hash(&bytes[..HASHED], seed(&FILE));
            bytes[56..64].copy_from_slice(&sum.to_le_bytes());
            let head = LogRecord::from_head(&bytes, &FILE).unwrap();
            assert_eq!(head.payload(&bytes[LogRecord::HEAD..]), None, "{payload_len}");
        }
        assert_eq!(LogRecord::stored_len(u64::MAX - 1), None);
    }
}
