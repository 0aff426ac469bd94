//! One codec, set up once in memory that the caller chose. It then compresses or decodes any number of blocks
//! without allocating.

use core::mem::MaybeUninit;

use crate::allocator::{Allocation, Allocator};
use crate::engine::{Engine, Purpose, memory_len};
use crate::{Codec, CodecError};

/// The size of the memory for a [`BlockCodec`] of `codec` at `level`, for blocks of up to `block_len` bytes.
///
/// # Errors
/// [`CodecError::Level`] for a level that the codec does not have, [`CodecError::NotBuilt`] for a codec that
/// this build does not include.
pub fn workspace_size(codec: Codec, level: i32, block_len: usize) -> Result<usize, CodecError> {
    memory_len(codec, Purpose::Both { level, block_len })
}

/// The size of the memory for a [`BlockCodec`] that only decodes.
///
/// # Errors
/// [`CodecError::NotBuilt`] for a codec that this build does not include.
pub fn decoder_workspace_size(codec: Codec) -> Result<usize, CodecError> {
    memory_len(codec, Purpose::Decode)
}

/// A codec with its workspace.
///
/// Creating the codec initializes its memory. After that, compressing and decoding allocate nothing, whatever
/// the codec. The codec may be moved between threads, but only one thread may use it at a time.
///
/// ```
/// # use std::mem::MaybeUninit;
/// # use varvite_codec::{BlockCodec, Codec, workspace_size};
/// let mut memory = vec![MaybeUninit::uninit(); workspace_size(Codec::Lz4, 0, 1 << 16)?];
/// let mut lz4 = BlockCodec::in_memory(Codec::Lz4, 0, 1 << 16, &mut memory)?;
/// let mut stored = [0; 100];
/// let stored_len = lz4.compress(b"varve upon varve upon varve", &mut stored)?;
/// let mut plain = [0; 27];
/// lz4.decompress(&stored[..stored_len], &mut plain)?;
/// assert_eq!(&plain, b"varve upon varve upon varve");
/// # Ok::<(), varvite_codec::CodecError>(())
/// ```
pub struct BlockCodec<'m> {
    codec: Codec,
    purpose: Purpose,
    // Declared before its memory, so that the engine is dropped first.
    engine: Engine<'m>,
    _memory: Option<Allocation>,
}

impl<'m> BlockCodec<'m> {
    /// A codec for blocks of up to `block_len` bytes, in the caller's memory.
    ///
    /// # Errors
    /// [`CodecError::Workspace`] if `memory` is smaller than [`workspace_size`], and the errors of that
    /// function.
    pub fn in_memory(
        codec: Codec,
        level: i32,
        block_len: usize,
        memory: &'m mut [MaybeUninit<u8>],
    ) -> Result<Self, CodecError> {
        Self::set_up(codec, Purpose::Both { level, block_len }, memory)
    }

    /// A codec that only decodes, in the caller's memory.
    ///
    /// # Errors
    /// [`CodecError::Workspace`] if `memory` is smaller than [`decoder_workspace_size`], and the errors of
    /// that function.
    pub fn decoder_in_memory(codec: Codec, memory: &'m mut [MaybeUninit<u8>]) -> Result<Self, CodecError> {
        Self::set_up(codec, Purpose::Decode, memory)
    }

    fn set_up(codec: Codec, purpose: Purpose, memory: &'m mut [MaybeUninit<u8>]) -> Result<Self, CodecError> {
        let engine = Engine::new(codec, purpose, memory)?;
        Ok(Self { codec, purpose, engine, _memory: None })
    }
}

impl BlockCodec<'static> {
    /// A codec for blocks of up to `block_len` bytes, in memory of `allocator`. The allocator is called once
    /// now, and once when the codec is dropped.
    ///
    /// # Errors
    /// [`CodecError::OutOfMemory`], and the errors of [`workspace_size`].
    pub fn allocate(
        codec: Codec,
        level: i32,
        block_len: usize,
        allocator: &Allocator,
    ) -> Result<Self, CodecError> {
        Self::set_up_with(codec, Purpose::Both { level, block_len }, allocator)
    }

    /// A codec that only decodes, in memory of `allocator`.
    ///
    /// # Errors
    /// [`CodecError::OutOfMemory`], and the errors of [`decoder_workspace_size`].
    pub fn allocate_decoder(codec: Codec, allocator: &Allocator) -> Result<Self, CodecError> {
        Self::set_up_with(codec, Purpose::Decode, allocator)
    }

    fn set_up_with(codec: Codec, purpose: Purpose, allocator: &Allocator) -> Result<Self, CodecError> {
        let mut memory = allocator.allocate(memory_len(codec, purpose)?)?;
        // SAFETY: called once; only the engine uses the slice, and the order of the fields drops the engine
        // before the memory.
        let slice = unsafe { memory.detach() };
        let engine = Engine::new(codec, purpose, slice)?;
        Ok(Self { codec, purpose, engine, _memory: Some(memory) })
    }
}

impl BlockCodec<'_> {
    /// The codec of this workspace.
    pub fn codec(&self) -> Codec {
        self.codec
    }

    /// Stores `plain` at the start of `output` and returns the number of stored bytes.
    /// [`Codec::stored_len_max`] bytes always suffice.
    ///
    /// # Errors
    /// [`CodecError::TooLong`], [`CodecError::Output`] or [`CodecError::DecoderOnly`]; the content of
    /// `output` is then unspecified, and the codec can be used for the next block.
    pub fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        let Purpose::Both { block_len: max, .. } = self.purpose else {
            return Err(CodecError::DecoderOnly { codec: self.codec });
        };
        if plain.len() > max {
            return Err(CodecError::TooLong { codec: self.codec, found: plain.len(), max });
        }
        self.engine.compress(plain, output)
    }

    /// Decodes `stored` into `plain`. Whatever the bytes of `stored`, nothing but `plain` is written and the
    /// time is bounded.
    ///
    /// # Errors
    /// [`CodecError::Damaged`]; [`CodecError::Length`] or [`CodecError::Longer`] if the block has fewer or
    /// more bytes than `plain`. The content of `plain` is then unspecified, and the codec can be used for the
    /// next block.
    pub fn decompress(&mut self, stored: &[u8], plain: &mut [u8]) -> Result<(), CodecError> {
        let expected = plain.len();
        let found = self.engine.decompress(stored, plain)?;
        if found != expected {
            return Err(CodecError::Length { codec: self.codec, expected, found });
        }
        Ok(())
    }
}
