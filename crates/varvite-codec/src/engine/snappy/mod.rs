//! Snappy's block format, implemented here from its description, because the existing crates take memory from
//! the global allocator.
//!
//! The implementation has no unsafe code, and needs a table of 32 KiB for compression and no memory for
//! decoding. A block starts with its plain length. Elements follow, and each begins with a tag:
//!
//! | low bits of the tag | element | high six bits of the tag | bytes after the tag |
//! |---|---|---|---|
//! | 0 | literal | length - 1, or 59 + the number of bytes of length - 1 | length - 1 if it is not in the tag, plain bytes |
//! | 1 | copy of 4 to 11 bytes | three bits of length - 4, three of the distance | low byte of the distance |
//! | 2 | copy of 1 to 64 bytes | length - 1 | distance in two bytes |
//! | 3 | copy of 1 to 64 bytes | length - 1 | distance in four bytes |

mod compress;
mod decompress;

use compress::TABLE_LEN;
pub(super) use decompress::decompress;
#[cfg(feature = "frame")]
pub(crate) use decompress::plain_len;

use super::Purpose;
use crate::arena::Arena;
use crate::{Codec, CodecError};

const LITERAL: u8 = 0;
const COPY_ONE: u8 = 1;
const COPY_TWO: u8 = 2;
const COPY_FOUR: u8 = 3;

/// The table that finds earlier bytes by their hash.
pub(crate) struct Snappy<'m> {
    table: Option<&'m mut [u16]>,
}

pub(crate) fn memory_len(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Both { .. } => (TABLE_LEN + 1) * size_of::<u16>(),
        Purpose::Decode => 0,
    }
}

impl<'m> Snappy<'m> {
    pub(crate) fn new(purpose: Purpose, arena: &mut Arena<'m>) -> Option<Self> {
        match purpose {
            Purpose::Both { .. } => Some(Self { table: Some(arena.zeros(TABLE_LEN)?) }),
            Purpose::Decode => Some(Self { table: None }),
        }
    }

    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        let codec = Codec::Snappy;
        let table = self.table.as_deref_mut().ok_or(CodecError::DecoderOnly { codec })?;
        let needed = codec.stored_len_max(plain.len());
        if output.len() < needed {
            return Err(CodecError::Output { codec, needed, found: output.len() });
        }
        if u32::try_from(plain.len()).is_err() {
            return Err(CodecError::Compress { codec, detail: "a block holds less than 4 GiB" });
        }
        Ok(compress::compress(table, plain, output))
    }
}
