//! The block codecs: none, LZ4 (block format) and Zstandard (one frame).
//!
//! The plain length of a block is never taken from the block: the caller knows it, and decoding must give exactly
//! that many bytes.

use thiserror::Error;

/// How the bytes of a block are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Codec {
    /// As they are.
    None = 0,
    /// LZ4 block format, without a frame.
    Lz4 = 1,
    /// One Zstandard frame.
    Zstd = 2,
}

impl Codec {
    /// The codec with this number in a file, if there is one.
    pub fn from_number(number: u8) -> Option<Self> {
        match number {
            0 => Some(Self::None),
            1 => Some(Self::Lz4),
            2 => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }
}

/// Why a block could not be coded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The stored bytes are not what the codec writes.
    #[error("the {codec} block does not decode: {detail}")]
    Damaged {
        /// Name of the codec.
        codec: &'static str,
        /// What the codec's library said.
        detail: String,
    },
    /// The block decodes to fewer bytes than the file promises.
    #[error("the {codec} block holds {found} bytes where {expected} were promised")]
    Length {
        /// Name of the codec.
        codec: &'static str,
        /// Bytes promised.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// The library refused to compress.
    #[error("{codec} could not compress a block: {detail}")]
    Compress {
        /// Name of the codec.
        codec: &'static str,
        /// What the codec's library said.
        detail: String,
    },
}

/// Codec state that is worth keeping between blocks; one for each thread.
#[derive(Default)]
pub struct Workspace {
    compressor: Option<zstd::bulk::Compressor<'static>>,
    decompressor: Option<zstd::bulk::Decompressor<'static>>,
}

/// Level of new Zstandard blocks: the knee of its curve for columns (see codecs.md of the research notes).
const ZSTD_LEVEL: i32 = 3;

impl Workspace {
    /// An empty workspace; contexts are made at first use.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `output` with the stored form of `plain`.
    ///
    /// # Errors
    /// [`CodecError::Compress`] if the library fails, which is a lack of memory.
    pub fn compress(&mut self, codec: Codec, plain: &[u8], output: &mut Vec<u8>) -> Result<(), CodecError> {
        output.clear();
        match codec {
            Codec::None => output.extend_from_slice(plain),
            Codec::Lz4 => {
                output.resize(lz4_flex::block::get_maximum_output_size(plain.len()), 0);
                let stored = lz4_flex::block::compress_into(plain, output)
                    .map_err(|error| CodecError::Compress { codec: "lz4", detail: error.to_string() })?;
                output.truncate(stored);
            }
            Codec::Zstd => {
                output.reserve(zstd::zstd_safe::compress_bound(plain.len()));
                self.compressor()?
                    .compress_to_buffer(plain, output)
                    .map_err(|error| CodecError::Compress { codec: "zstd", detail: error.to_string() })?;
            }
        }
        Ok(())
    }

    /// Fills `plain` with the decoded bytes of `stored`.
    ///
    /// # Errors
    /// [`CodecError::Damaged`] or [`CodecError::Length`]; `plain` is then unspecified.
    pub fn decompress(&mut self, codec: Codec, stored: &[u8], plain: &mut [u8]) -> Result<(), CodecError> {
        let expected = plain.len();
        let found = match codec {
            Codec::None => {
                if stored.len() == expected {
                    plain.copy_from_slice(stored);
                }
                stored.len()
            }
            Codec::Lz4 => lz4_flex::block::decompress_into(stored, plain)
                .map_err(|error| CodecError::Damaged { codec: "lz4", detail: error.to_string() })?,
            Codec::Zstd => self
                .decompressor()?
                .decompress_to_buffer(stored, plain)
                .map_err(|error| CodecError::Damaged { codec: "zstd", detail: error.to_string() })?,
        };
        if found != expected {
            return Err(CodecError::Length { codec: codec.name(), expected, found });
        }
        Ok(())
    }

    fn compressor(&mut self) -> Result<&mut zstd::bulk::Compressor<'static>, CodecError> {
        if self.compressor.is_none() {
            let made = zstd::bulk::Compressor::new(ZSTD_LEVEL)
                .map_err(|error| CodecError::Compress { codec: "zstd", detail: error.to_string() })?;
            self.compressor = Some(made);
        }
        Ok(self.compressor.as_mut().expect("made above"))
    }

    fn decompressor(&mut self) -> Result<&mut zstd::bulk::Decompressor<'static>, CodecError> {
        if self.decompressor.is_none() {
            let made = zstd::bulk::Decompressor::new()
                .map_err(|error| CodecError::Damaged { codec: "zstd", detail: error.to_string() })?;
            self.decompressor = Some(made);
        }
        Ok(self.decompressor.as_mut().expect("made above"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_compressed_comes_back(plain in proptest::collection::vec(0u8..4, 0..5000), number in 0u8..3) {
            let codec = Codec::from_number(number).unwrap();
            let mut workspace = Workspace::new();
            let mut stored = Vec::new();
            workspace.compress(codec, &plain, &mut stored).unwrap();
            let mut back = vec![0; plain.len()];
            workspace.decompress(codec, &stored, &mut back).unwrap();
            prop_assert_eq!(back, plain);
        }

        #[test]
        fn no_bytes_make_a_decoder_panic(stored in proptest::collection::vec(any::<u8>(), 0..300), number in 0u8..3) {
            let codec = Codec::from_number(number).unwrap();
            let mut plain = vec![0; 200];
            let _ = Workspace::new().decompress(codec, &stored, &mut plain);
        }
    }

    #[test]
    fn a_block_of_another_length_is_refused() {
        for codec in [Codec::None, Codec::Lz4, Codec::Zstd] {
            let mut workspace = Workspace::new();
            let mut stored = Vec::new();
            workspace.compress(codec, b"twelve bytes", &mut stored).unwrap();
            assert!(workspace.decompress(codec, &stored, &mut [0; 13]).is_err(), "{codec:?} longer");
            assert!(workspace.decompress(codec, &stored, &mut [0; 11]).is_err(), "{codec:?} shorter");
        }
    }
}
