//! One module for each library that implements a codec. All have the same functions: the size of the memory,
//! the set-up in that memory, compressing, and decoding.
//!
//! An engine lives in memory that outlives it. The engine is never dropped, so it must not own anything
//! outside that memory.

#[cfg(feature = "zlib")]
mod deflate;
#[cfg(feature = "lz4")]
pub(crate) mod lz4;
#[cfg(feature = "lz4-hc")]
mod lz4_c;
#[cfg(feature = "snappy")]
pub(crate) mod snappy;
#[cfg(feature = "zlib")]
pub(crate) mod zlib;
#[cfg(feature = "zstd")]
mod zstd;
#[cfg(feature = "zstd-rust")]
#[cfg_attr(feature = "zstd", allow(dead_code, reason = "the C library decodes where it is built"))]
mod zstd_rust;
#[cfg(feature = "frame")]
pub(crate) mod zstd_stream;

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::arena::Arena;
use crate::{Codec, CodecError};

/// The purpose of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Compressing and decoding, for blocks of up to `block_len` bytes at `level`.
    Both { level: i32, block_len: usize },
    /// Only decoding.
    Decode,
}

/// A codec, set up in memory.
pub(crate) enum Engine<'m> {
    None(PhantomData<&'m mut [MaybeUninit<u8>]>),
    #[cfg(feature = "lz4")]
    Lz4(lz4::Lz4<'m>),
    #[cfg(feature = "zstd")]
    Zstd(zstd::Zstd<'m>),
    #[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
    ZstdRust(std::boxed::Box<zstd_rust::ZstdRust>),
    #[cfg(feature = "snappy")]
    Snappy(snappy::Snappy<'m>),
    #[cfg(feature = "zlib")]
    Deflate(deflate::Deflate<'m>),
}

/// The size of the memory that [`Engine::new`] needs, for any alignment of the memory.
pub(crate) fn memory_len(codec: Codec, purpose: Purpose) -> Result<usize, CodecError> {
    if let Purpose::Both { level, .. } = purpose {
        check_level(codec, level)?;
    }
    match codec {
        left_out if !codec.is_built() => Err(not_built(left_out)),
        #[cfg(feature = "lz4")]
        Codec::Lz4 => Ok(lz4::memory_len(purpose)),
        #[cfg(feature = "zstd")]
        Codec::Zstd => Ok(zstd::memory_len(purpose)),
        #[cfg(not(feature = "zstd"))]
        Codec::Zstd if purpose != Purpose::Decode => Err(not_built(codec)),
        #[cfg(feature = "snappy")]
        Codec::Snappy => Ok(snappy::memory_len(purpose)),
        #[cfg(feature = "zlib")]
        Codec::Zlib | Codec::Gzip => Ok(deflate::memory_len(purpose)),
        _ => Ok(0),
    }
}

fn check_level(codec: Codec, level: i32) -> Result<(), CodecError> {
    let levels = codec.levels();
    if levels.contains(&level) {
        return Ok(());
    }
    Err(CodecError::Level { codec, level, min: *levels.start(), max: *levels.end() })
}

fn not_built(codec: Codec) -> CodecError {
    let feature = if codec == Codec::Gzip { "zlib" } else { codec.name() };
    CodecError::NotBuilt { codec, feature }
}

impl<'m> Engine<'m> {
    /// Sets a codec up in `memory`.
    pub(crate) fn new(
        codec: Codec,
        purpose: Purpose,
        memory: &'m mut [MaybeUninit<u8>],
    ) -> Result<Self, CodecError> {
        let (needed, found) = (memory_len(codec, purpose)?, memory.len());
        let mut arena = Arena::new(memory);
        Self::place(codec, purpose, &mut arena).ok_or(CodecError::Workspace { codec, needed, found })
    }

    #[allow(unused_variables, reason = "a build without codecs places nothing")]
    fn place(codec: Codec, purpose: Purpose, arena: &mut Arena<'m>) -> Option<Self> {
        match codec {
            #[cfg(feature = "lz4")]
            Codec::Lz4 => lz4::Lz4::new(purpose, arena).map(Self::Lz4),
            #[cfg(feature = "zstd")]
            Codec::Zstd => zstd::Zstd::new(purpose, arena).map(Self::Zstd),
            #[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
            Codec::Zstd => Some(Self::ZstdRust(std::boxed::Box::new(zstd_rust::ZstdRust::new()))),
            #[cfg(feature = "snappy")]
            Codec::Snappy => snappy::Snappy::new(purpose, arena).map(Self::Snappy),
            #[cfg(feature = "zlib")]
            Codec::Zlib | Codec::Gzip => deflate::Deflate::new(codec, purpose, arena).map(Self::Deflate),
            // Codecs that this build does not include were refused before.
            _ => Some(Self::None(PhantomData)),
        }
    }

    /// Stores `plain` at the start of `output` and returns the number of stored bytes.
    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        match self {
            Self::None(_) => copy(plain, output),
            #[cfg(feature = "lz4")]
            Self::Lz4(lz4) => lz4.compress(plain, output),
            #[cfg(feature = "zstd")]
            Self::Zstd(zstd) => zstd.compress(plain, output),
            #[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
            Self::ZstdRust(_) => Err(CodecError::DecoderOnly { codec: Codec::Zstd }),
            #[cfg(feature = "snappy")]
            Self::Snappy(snappy) => snappy.compress(plain, output),
            #[cfg(feature = "zlib")]
            Self::Deflate(deflate) => deflate.compress(plain, output),
        }
    }

    /// Decodes `stored` into the start of `plain` and returns the number of plain bytes.
    pub(crate) fn decompress(&mut self, stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
        match self {
            Self::None(_) => {
                let expected = plain.len();
                copy(stored, plain).map_err(|_| CodecError::Longer { codec: Codec::None, expected })
            }
            #[cfg(feature = "lz4")]
            Self::Lz4(_) => lz4::decompress(stored, plain),
            #[cfg(feature = "zstd")]
            Self::Zstd(zstd) => zstd.decompress(stored, plain),
            #[cfg(all(feature = "zstd-rust", not(feature = "zstd")))]
            Self::ZstdRust(zstd) => zstd.decompress(stored, plain),
            #[cfg(feature = "snappy")]
            Self::Snappy(_) => snappy::decompress(stored, plain),
            #[cfg(feature = "zlib")]
            Self::Deflate(deflate) => deflate.decompress(stored, plain),
        }
    }
}

fn copy(from: &[u8], to: &mut [u8]) -> Result<usize, CodecError> {
    let output = CodecError::Output { codec: Codec::None, needed: from.len(), found: to.len() };
    to.get_mut(..from.len()).ok_or(output)?.copy_from_slice(from);
    Ok(from.len())
}
