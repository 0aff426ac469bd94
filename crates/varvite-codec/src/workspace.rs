//! [`Workspace`]: all codecs, for callers that have a heap and many kinds of blocks.

use std::vec::Vec;

use crate::{Allocator, BlockCodec, Codec, CodecError, Coding};

/// The state of codecs that is reused between blocks. Each thread needs its own.
///
/// A workspace keeps a [`BlockCodec`] for each codec. A `BlockCodec` is created at first use, and replaced if
/// a later block is longer or has another level.
#[derive(Default)]
pub struct Workspace {
    compressors: [Option<Compressor>; Codec::ALL.len()],
    decompressors: [Option<BlockCodec<'static>>; Codec::ALL.len()],
}

struct Compressor {
    level: i32,
    block_len_max: usize,
    codec: BlockCodec<'static>,
}

/// The least block length for which a compressor is created, so that a sequence of short blocks, each longer
/// than the last, does not create one for each block.
const BLOCK_LEN_MIN: usize = 64 << 10;

impl Workspace {
    /// An empty workspace; codecs are created at first use.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `output` with the stored form of `plain`.
    ///
    /// # Errors
    /// [`CodecError::OutOfMemory`], [`CodecError::Level`] for a level that the codec does not have, or
    /// [`CodecError::NotBuilt`] for a codec that this build does not include.
    pub fn compress(
        &mut self,
        coding: impl Into<Coding>,
        plain: &[u8],
        output: &mut Vec<u8>,
    ) -> Result<(), CodecError> {
        let coding = coding.into();
        output.clear();
        output.resize(coding.codec.stored_len_max(plain.len()), 0);
        let stored = self.compressor(coding, plain.len())?.compress(plain, output)?;
        output.truncate(stored);
        Ok(())
    }

    /// Fills `plain` with the decoded bytes of `stored`.
    ///
    /// # Errors
    /// [`CodecError::Damaged`], [`CodecError::Length`] or [`CodecError::Longer`]; the content of `plain` is
    /// then unspecified. Also the errors of [`Workspace::compress`].
    pub fn decompress(&mut self, codec: Codec, stored: &[u8], plain: &mut [u8]) -> Result<(), CodecError> {
        let slot = &mut self.decompressors[codec as usize];
        if slot.is_none() {
            *slot = Some(BlockCodec::allocate_decoder(codec, &Allocator::global())?);
        }
        slot.as_mut().expect("made above").decompress(stored, plain)
    }

    fn compressor(&mut self, coding: Coding, len: usize) -> Result<&mut BlockCodec<'static>, CodecError> {
        let Coding { codec, level } = coding;
        let slot = &mut self.compressors[codec as usize];
        if slot.as_ref().is_none_or(|made| len > made.block_len_max || level != made.level) {
            let block_len_max = len.next_power_of_two().max(BLOCK_LEN_MIN);
            let codec = BlockCodec::allocate(codec, level, block_len_max, &Allocator::global())?;
            *slot = Some(Compressor { level, block_len_max, codec });
        }
        Ok(&mut slot.as_mut().expect("made above").codec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_codec() -> impl Strategy<Value = Codec> {
        proptest::sample::select(built())
    }

    /// The codecs with which this build can compress.
    fn built() -> Vec<Codec> {
        let compresses = |codec: &Codec| crate::workspace_size(*codec, codec.default_level(), 1).is_ok();
        Codec::ALL.into_iter().filter(compresses).collect()
    }

    proptest! {
        #[test]
        fn what_was_compressed_comes_back(plain in proptest::collection::vec(0u8..4, 0..5000), codec in any_codec()) {
            let mut workspace = Workspace::new();
            let mut stored = Vec::new();
            workspace.compress(codec, &plain, &mut stored).unwrap();
            let mut back = vec![0; plain.len()];
            workspace.decompress(codec, &stored, &mut back).unwrap();
            prop_assert_eq!(back, plain);
        }

        #[test]
        fn no_bytes_make_a_decoder_panic(stored in proptest::collection::vec(any::<u8>(), 0..300), codec in any_codec()) {
            let mut plain = vec![0; 200];
            let _ = Workspace::new().decompress(codec, &stored, &mut plain);
        }
    }

    #[test]
    fn a_block_of_another_length_is_refused() {
        for codec in built() {
            let mut workspace = Workspace::new();
            let mut stored = Vec::new();
            workspace.compress(codec, b"twelve bytes", &mut stored).unwrap();
            let longer = workspace.decompress(codec, &stored, &mut [0; 13]).unwrap_err();
            assert_eq!(longer, CodecError::Length { codec, expected: 13, found: 12 });
            let shorter = workspace.decompress(codec, &stored, &mut [0; 11]).unwrap_err();
            assert_eq!(shorter, CodecError::Longer { codec, expected: 11 });
        }
    }
}
