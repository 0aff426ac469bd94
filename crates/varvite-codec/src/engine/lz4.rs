//! LZ4's block format. `lz4_flex` does level 0 and all decoding: it has no unsafe code, and needs a table of
//! 16 KiB for compression and no memory for decoding. The C library, if it is built, does the other levels.

use lz4_flex::block::{CompressTable, DecompressError, compress_into_with_table, decompress_into};

use super::Purpose;
#[cfg(feature = "lz4-hc")]
use super::lz4_c;
use crate::arena::Arena;
use crate::{Codec, CodecError};

pub(crate) enum Lz4<'m> {
    /// The hash table that finds earlier occurrences of bytes.
    Compress(&'m mut CompressTable),
    #[cfg(feature = "lz4-hc")]
    CompressInC(lz4_c::Compressor<'m>),
    Decode,
}

/// The longest block whose positions fit in 16 bits.
const SMALL_MAX: usize = u16::MAX as usize;

pub(crate) fn memory_len(purpose: Purpose) -> usize {
    match purpose {
        #[cfg(feature = "lz4-hc")]
        Purpose::Both { level, .. } if level != 0 => lz4_c::memory_len(level),
        Purpose::Both { .. } => size_of::<CompressTable>() + align_of::<CompressTable>(),
        Purpose::Decode => 0,
    }
}

impl<'m> Lz4<'m> {
    pub(crate) fn new(purpose: Purpose, arena: &mut Arena<'m>) -> Option<Self> {
        match purpose {
            #[cfg(feature = "lz4-hc")]
            Purpose::Both { level, .. } if level != 0 => {
                Some(Self::CompressInC(lz4_c::Compressor::new(level, arena)?))
            }
            Purpose::Both { block_len, .. } if block_len < SMALL_MAX => {
                Some(Self::Compress(arena.place(CompressTable::small())?))
            }
            Purpose::Both { .. } => Some(Self::Compress(arena.place(CompressTable::large())?)),
            Purpose::Decode => Some(Self::Decode),
        }
    }

    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        let codec = Codec::Lz4;
        let (needed, found) = (codec.stored_len_max(plain.len()), output.len());
        match self {
            Self::Compress(table) => compress_into_with_table(plain, output, table)
                .map_err(|_| CodecError::Output { codec, needed, found }),
            #[cfg(feature = "lz4-hc")]
            Self::CompressInC(compressor) => compressor.compress(plain, output),
            Self::Decode => Err(CodecError::DecoderOnly { codec }),
        }
    }
}

/// Decodes `stored` into the start of `plain` and returns the number of plain bytes.
pub(crate) fn decompress(stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
    let expected = plain.len();
    decompress_into(stored, plain).map_err(|error| failure(&error, expected))
}

/// Converts the library's error for a block that should have `expected` bytes.
pub(crate) fn failure(error: &DecompressError, expected: usize) -> CodecError {
    match error {
        DecompressError::OutputTooSmall { .. } => CodecError::Longer { codec: Codec::Lz4, expected },
        other => CodecError::Damaged { codec: Codec::Lz4, detail: detail(other) },
    }
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
