//! LZ4's block format over `lz4_flex`: no unsafe code, a table of 16 KiB to compress, nothing to decode.

use lz4_flex::block::{CompressTable, DecompressError, compress_into_with_table, decompress_into};

use super::Purpose;
use crate::arena::Arena;
use crate::{Codec, CodecError};

/// Where earlier bytes are found by their hash.
pub(crate) struct Lz4<'m> {
    table: Option<&'m mut CompressTable>,
}

/// Blocks from this length on need positions of 32 bits.
const SMALL_MAX: usize = u16::MAX as usize;

pub(crate) fn memory_len(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Both { .. } => size_of::<CompressTable>() + align_of::<CompressTable>(),
        Purpose::Decode => 0,
    }
}

impl<'m> Lz4<'m> {
    pub(crate) fn new(purpose: Purpose, arena: &mut Arena<'m>) -> Option<Self> {
        let Purpose::Both { block_len, .. } = purpose else { return Some(Self { table: None }) };
        let table = if block_len < SMALL_MAX { CompressTable::small() } else { CompressTable::large() };
        Some(Self { table: Some(arena.place(table)?) })
    }

    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        let codec = Codec::Lz4;
        let table = self.table.as_deref_mut().ok_or(CodecError::DecoderOnly { codec })?;
        let output_len = output.len();
        compress_into_with_table(plain, output, table).map_err(|_| CodecError::Output {
            codec,
            needed: codec.stored_len_max(plain.len()),
            found: output_len,
        })
    }
}

/// Decodes `stored` into the start of `plain` and says how many bytes it holds.
pub(crate) fn decompress(stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
    let expected = plain.len();
    decompress_into(stored, plain).map_err(|error| match error {
        DecompressError::OutputTooSmall { .. } => CodecError::Longer { codec: Codec::Lz4, expected },
        other => CodecError::Damaged { codec: Codec::Lz4, detail: detail(&other) },
    })
}

fn detail(error: &DecompressError) -> &'static str {
    match error {
        DecompressError::LiteralOutOfBounds => "literals run past the end of the block",
        DecompressError::ExpectedAnotherByte => "the block ends early",
        DecompressError::OffsetOutOfBounds => "a match starts before the block",
        DecompressError::OffsetZero => "a match has distance zero",
        _ => "the block is malformed",
    }
}
