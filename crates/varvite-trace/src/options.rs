//! Options of a recorder.

use varvite_codec::Codec;

use crate::error::{Result, TraceError};
use crate::schema::Schema;

/// The least value of [`Options::block_len`].
pub(crate) const BLOCK_LEN_MIN: u32 = 256;
/// The largest value of [`Options::block_len`].
pub(crate) const BLOCK_LEN_MAX: u32 = 16 << 20;

/// A trace may have `PLAIN_PER_BYTE` bytes of records for each of its own bytes, plus `PLAIN_MIN`. For
/// comparison, a block of 256 KiB of equal records takes 160 bytes.
const PLAIN_PER_BYTE: u64 = 4096;
const PLAIN_MIN: u64 = 64 << 20;

/// The maximum number of bytes of records in `bytes` bytes of a trace.
pub(crate) fn limit_of_plain(bytes: u64) -> u64 {
    bytes.saturating_mul(PLAIN_PER_BYTE).saturating_add(PLAIN_MIN)
}

/// Options of a recorder.
#[derive(Clone, Debug)]
pub struct Options {
    /// The schema of records.
    pub schema: Schema,
    /// The codec of blocks. LZ4 is fast enough to record a running program; Zstandard is better for traces
    /// that are stored.
    pub codec: Codec,
    /// The level of the codec, one of [`Codec::levels`].
    pub level: i32,
    /// The maximum number of bytes of records in a block, from 256 to 16 MiB. A seek decodes one block, so it
    /// is faster if blocks are small, but small blocks compress less.
    pub block_len: u32,
    /// The identity of the trace, which distinguishes its blocks from those of other traces. This crate
    /// generates no random numbers: choose an id that no other trace has.
    pub id: [u8; 16],
}

impl Options {
    /// Options with LZ4 compression and blocks of 256 KiB.
    pub fn new(schema: Schema, id: [u8; 16]) -> Self {
        Self { schema, codec: Codec::Lz4, level: Codec::Lz4.default_level(), block_len: 256 << 10, id }
    }

    /// The same options with another codec, at that codec's default level.
    pub fn with_codec(self, codec: Codec) -> Self {
        Self { codec, level: codec.default_level(), ..self }
    }

    pub(crate) fn check(&self) -> Result<()> {
        self.schema.check()?;
        let (found, limits) = (self.block_len, [BLOCK_LEN_MIN, BLOCK_LEN_MAX]);
        let refuse = |limit: u32| TraceError::Options {
            what: "blocks of so many bytes",
            found: found.into(),
            limit: limit.into(),
        };
        match limits {
            [least, _] if found < least => Err(refuse(least)),
            [_, most] if found > most => Err(refuse(most)),
            _ if self.schema.fields_len() > found as usize => Err(refuse(found)),
            _ => Ok(()),
        }
    }
}
