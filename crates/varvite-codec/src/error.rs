//! Errors of codecs, with fields and without allocation.

use thiserror::Error;

use crate::Codec;

/// The reason why a block could not be compressed or decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The stored bytes are not valid for the codec.
    #[error("the {codec} block does not decode: {detail}")]
    Damaged {
        /// The codec.
        codec: Codec,
        /// The message of the codec's library.
        detail: &'static str,
    },
    /// The block decodes to fewer bytes than expected.
    #[error("the {codec} block decodes to {found} bytes, expected {expected}")]
    Length {
        /// The codec.
        codec: Codec,
        /// The expected number of bytes.
        expected: usize,
        /// The number of decoded bytes.
        found: usize,
    },
    /// The block decodes to more bytes than expected.
    #[error("the {codec} block decodes to more than the expected {expected} bytes")]
    Longer {
        /// The codec.
        codec: Codec,
        /// The expected number of bytes.
        expected: usize,
    },
    /// The library refused to compress.
    #[error("{codec} could not compress a block: {detail}")]
    Compress {
        /// The codec.
        codec: Codec,
        /// The message of the codec's library.
        detail: &'static str,
    },
    /// The block is longer than the blocks for which the workspace was made.
    #[error("a block of {found} bytes exceeds the {max} bytes of this {codec} workspace")]
    TooLong {
        /// The codec.
        codec: Codec,
        /// The length of the block in bytes.
        found: usize,
        /// The length for which the workspace was made, in bytes.
        max: usize,
    },
    /// The output is too small for the codec's largest result.
    #[error(
        "the output has {found} bytes; {codec} may need {needed} for this block (see Codec::stored_len_max)"
    )]
    Output {
        /// The codec.
        codec: Codec,
        /// The number of bytes that always suffices.
        needed: usize,
        /// The length of the output in bytes.
        found: usize,
    },
    /// The codec does not have the requested level.
    #[error("{codec} has no level {level}; its levels are {min} to {max}")]
    Level {
        /// The codec.
        codec: Codec,
        /// The requested level.
        level: i32,
        /// The lowest level.
        min: i32,
        /// The highest level.
        max: i32,
    },
    /// The memory for the workspace is smaller than [`crate::workspace_size`].
    #[error("the workspace for {codec} has {found} bytes and needs {needed}")]
    Workspace {
        /// The codec.
        codec: Codec,
        /// The required number of bytes.
        needed: usize,
        /// The length of the given memory in bytes.
        found: usize,
    },
    /// The caller's allocator returned null.
    #[error("the allocator returned no memory for {bytes} bytes")]
    OutOfMemory {
        /// The requested number of bytes.
        bytes: usize,
    },
    /// The workspace was made only for decoding.
    #[error("this {codec} workspace was made for decoding; make one with BlockCodec::allocate to compress")]
    DecoderOnly {
        /// The codec.
        codec: Codec,
    },
    /// This build does not include the codec.
    #[error("this build has no {codec}; enable the cargo feature '{feature}'")]
    NotBuilt {
        /// The codec.
        codec: Codec,
        /// The cargo feature that includes the codec.
        feature: &'static str,
    },
}
