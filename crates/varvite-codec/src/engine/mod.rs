//! One module for each library behind a codec, all of one shape: how much memory, how it is set up there,
//! and the two ways of a block.
//!
//! An engine lives in memory that outlives it and is never dropped: it must hold nothing but that memory.

mod lz4;
mod zstd;

use core::mem::MaybeUninit;

use crate::arena::Arena;
use crate::{Codec, CodecError};

/// What a workspace is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Both ways, for blocks of up to this many bytes at this level.
    Both { level: i32, block_len: usize },
    /// Decoding alone.
    Decode,
}

/// A codec, set up in memory.
pub(crate) enum Engine<'m> {
    None,
    Lz4(lz4::Lz4<'m>),
    Zstd(zstd::Zstd<'m>),
}

/// Bytes of memory that [`Engine::new`] needs, wherever the memory starts.
pub(crate) fn memory_len(codec: Codec, purpose: Purpose) -> Result<usize, CodecError> {
    if let Purpose::Both { level, .. } = purpose {
        check_level(codec, level)?;
    }
    match codec {
        Codec::None => Ok(0),
        Codec::Lz4 => Ok(lz4::memory_len(purpose)),
        Codec::Zstd => Ok(zstd::memory_len(purpose)),
    }
}

fn check_level(codec: Codec, level: i32) -> Result<(), CodecError> {
    let levels = codec.levels();
    if levels.contains(&level) {
        return Ok(());
    }
    Err(CodecError::Level { codec, level, min: *levels.start(), max: *levels.end() })
}

impl<'m> Engine<'m> {
    /// Sets the codec up in `memory`.
    pub(crate) fn new(
        codec: Codec,
        purpose: Purpose,
        memory: &'m mut [MaybeUninit<u8>],
    ) -> Result<Self, CodecError> {
        let (needed, found) = (memory_len(codec, purpose)?, memory.len());
        let mut arena = Arena::new(memory);
        let engine = match codec {
            Codec::None => Some(Self::None),
            Codec::Lz4 => lz4::Lz4::new(purpose, &mut arena).map(Self::Lz4),
            Codec::Zstd => zstd::Zstd::new(purpose, &mut arena).map(Self::Zstd),
        };
        engine.ok_or(CodecError::Workspace { codec, needed, found })
    }

    /// Stores `plain` at the start of `output` and says in how many bytes.
    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        match self {
            Self::None => copy(plain, output),
            Self::Lz4(lz4) => lz4.compress(plain, output),
            Self::Zstd(zstd) => zstd.compress(plain, output),
        }
    }

    /// Decodes `stored` into the start of `plain` and says how many bytes it holds.
    pub(crate) fn decompress(&mut self, stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
        match self {
            Self::None => {
                let expected = plain.len();
                copy(stored, plain).map_err(|_| CodecError::Longer { codec: Codec::None, expected })
            }
            Self::Lz4(_) => lz4::decompress(stored, plain),
            Self::Zstd(zstd) => zstd.decompress(stored, plain),
        }
    }
}

fn copy(from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    let output = CodecError::Output { codec: Codec::None, needed: from.len(), found: to.len() };
    to.get_mut(..from.len()).ok_or(output)?.copy_from_slice(from);
    Ok(from.len())
}
