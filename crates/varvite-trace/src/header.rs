//! The header of a trace describes the trace's records. It is written once, at the beginning.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 16 | magic |
//! | 16 | 4 | format version |
//! | 20 | 4 | length of this header |
//! | 24 | 16 | id of the trace |
//! | 40 | 4 | maximum number of bytes of records in a block |
//! | 44 | 1 | record length: 0 fixed, 1 variable |
//! | 45 | 1 | split: 0 none, 1 fields, 2 references |
//! | 46 | 1 | clock |
//! | 47 | 1 | number of fields |
//! | 48 | 8 | anchors of the references split |
//! | 56 | 32 | content: a word, padded with zeros |
//! | 88 | 24 each | fields: name (16), width (1), flags (1, bit 0: differences), zero (6) |
//! | end - 8 | 8 | checksum of all bytes before it, seed 0 |

use varvite_codec::hash;

use crate::bytes::{array_at, put, u32_at, u64_at};
use crate::error::{Result, TraceError};
use crate::options::{BLOCK_LEN_MAX, Options};
use crate::schema::{CONTENT_MAX, Clock, FIELDS_MAX, Field, RecordLen, Schema, Split};

/// The format version that this crate writes.
pub const FORMAT_VERSION: u32 = 3;
/// The first format version whose traces may have modules.
pub(crate) const MODULES_VERSION: u32 = 2;
/// The first format version whose traces may have blocks of runs.
pub(crate) const RUNS_VERSION: u32 = 3;
/// The first bytes of every trace.
pub(crate) const MAGIC: [u8; 16] = *b"\x89VVTRACE\r\n\x1a\n\0\0\0\0";
/// The size of the header before the fields, in bytes.
pub(crate) const HEADER_FIXED_LEN: usize = 88;
/// The size of a field's description, in bytes.
pub(crate) const FIELD_LEN: usize = 24;
const CHECKSUM_LEN: usize = 8;

/// The header of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceHeader {
    /// The identity of the trace.
    pub id: [u8; 16],
    /// The maximum number of bytes of records in a block.
    pub block_len: u32,
    /// The schema of the records.
    pub schema: Schema,
    pub(crate) version: u32,
}

impl TraceHeader {
    pub(crate) fn of(options: &Options) -> Self {
        let (schema, version) = (options.schema.clone(), FORMAT_VERSION);
        Self { id: options.id, block_len: options.block_len, schema, version }
    }

    /// The format version of the trace.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The seed of this trace's checksums.
    pub(crate) fn seed(&self) -> u64 {
        hash(&self.id, 0)
    }

    /// The size of the header in bytes.
    pub(crate) fn len(&self) -> usize {
        HEADER_FIXED_LEN + FIELD_LEN * self.schema.fields.len() + CHECKSUM_LEN
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len()];
        let schema = &self.schema;
        let (split, anchors) = match schema.split {
            Split::None => (0, 0),
            Split::Fields => (1, 0),
            Split::References { anchors } => (2, anchors),
        };
        put(&mut bytes, 0, &MAGIC);
        put(&mut bytes, 16, &self.version.to_le_bytes());
        put(&mut bytes, 20, &(self.len() as u32).to_le_bytes());
        put(&mut bytes, 24, &self.id);
        put(&mut bytes, 40, &self.block_len.to_le_bytes());
        let small = [u8::from(schema.is_variable()), split, schema.clock.number(), schema.fields.len() as u8];
        put(&mut bytes, 44, &small);
        put(&mut bytes, 48, &anchors.to_le_bytes());
        put(&mut bytes, 56, schema.content.as_bytes());
        for (index, field) in schema.fields.iter().enumerate() {
            let at = HEADER_FIXED_LEN + FIELD_LEN * index;
            put(&mut bytes, at, &field.name);
            put(&mut bytes, at + 16, &[field.width, u8::from(field.delta)]);
        }
        let end = bytes.len() - CHECKSUM_LEN;
        let sum = hash(&bytes[..end], 0);
        put(&mut bytes, end, &sum.to_le_bytes());
        bytes
    }

    /// The size of the header that begins with `fixed`, its first [`HEADER_FIXED_LEN`] bytes. Also checks the
    /// magic and the version.
    pub(crate) fn len_of(fixed: &[u8]) -> Result<usize> {
        if fixed.len() < HEADER_FIXED_LEN || fixed[..16] != MAGIC {
            return Err(TraceError::NotATrace { found: fixed[..fixed.len().min(16)].to_vec() });
        }
        let version = u32_at(fixed, 16);
        if version > FORMAT_VERSION {
            return Err(TraceError::TooNew { found: version, newest: FORMAT_VERSION });
        }
        let (least, most) = (HEADER_FIXED_LEN + CHECKSUM_LEN, HEADER_FIXED_LEN + FIELD_LEN * FIELDS_MAX + 8);
        let len = u32_at(fixed, 20) as usize;
        if version == 0 || !(least..=most).contains(&len) {
            return Err(damaged("length of the header", most as u64, len as u64));
        }
        Ok(len)
    }

    /// Reads a header from exactly as many bytes as [`TraceHeader::len_of`] returned.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let end = bytes.len() - CHECKSUM_LEN;
        let (expected, found) = (u64_at(bytes, end), hash(&bytes[..end], 0));
        if expected != found {
            return Err(TraceError::Checksum { block: 0, offset: 0, part: "header", expected, found });
        }
        let fields = usize::from(bytes[47]);
        if end != HEADER_FIXED_LEN + FIELD_LEN * fields {
            return Err(damaged("number of fields", (end / FIELD_LEN) as u64, fields as u64));
        }
        let number = |what, at: usize| damaged(what, 0, bytes[at].into());
        let len = match bytes[44] {
            0 => RecordLen::Fixed,
            1 => RecordLen::Variable,
            _ => return Err(number("record length", 44)),
        };
        let split = match bytes[45] {
            0 => Split::None,
            1 => Split::Fields,
            2 => Split::References { anchors: u64_at(bytes, 48) },
            _ => return Err(number("split", 45)),
        };
        let clock = Clock::from_number(bytes[46]).ok_or(number("clock", 46))?;
        let schema =
            Schema { content: content_of(bytes), len, fields: fields_of(bytes, fields), split, clock };
        schema.check()?;
        let block_len = u32_at(bytes, 40);
        if block_len > BLOCK_LEN_MAX {
            return Err(damaged("bytes of a block", BLOCK_LEN_MAX.into(), block_len.into()));
        }
        Ok(Self { id: array_at(bytes, 24), block_len, schema, version: u32_at(bytes, 16) })
    }
}

fn content_of(bytes: &[u8]) -> String {
    let content = &bytes[56..56 + CONTENT_MAX];
    let end = content.iter().position(|byte| *byte == 0).unwrap_or(CONTENT_MAX);
    content[..end].iter().map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '?' }).collect()
}

fn fields_of(bytes: &[u8], count: usize) -> Vec<Field> {
    let field = |index| {
        let at = HEADER_FIXED_LEN + FIELD_LEN * index;
        Field { name: array_at(bytes, at), width: bytes[at + 16], delta: bytes[at + 17] & 1 != 0 }
    };
    (0..count).map(field).collect()
}

fn damaged(what: &'static str, expected: u64, found: u64) -> TraceError {
    TraceError::Damaged { block: 0, offset: 0, what, expected, found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comes_back_and_every_bit_of_it_is_checked() {
        let schema = Schema::of_references("references", 1 << 10).with_clock(Clock::UnixMicroseconds);
        let header = TraceHeader::of(&Options::new(schema, [7; 16]));
        let bytes = header.to_bytes();
        assert_eq!(TraceHeader::len_of(&bytes).unwrap(), bytes.len());
        assert_eq!(TraceHeader::from_bytes(&bytes).unwrap(), header);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let is_sound = TraceHeader::len_of(&changed)
                .is_ok_and(|len| len == changed.len() && TraceHeader::from_bytes(&changed).is_ok());
            assert!(!is_sound, "bit {bit}");
        }
    }
}
