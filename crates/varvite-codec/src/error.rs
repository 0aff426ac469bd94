//! The reason why a block could not be coded, in fields; nothing here is allocated.

use thiserror::Error;

use crate::Codec;

/// The reason why a block could not be coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The stored bytes are not those of the codec.
    #[error("the {codec} block does not decode: {detail}")]
    Damaged {
        /// The codec.
        codec: Codec,
        /// The message of the codec's library.
        detail: &'static str,
    },
    /// The block decodes to fewer bytes than were promised.
    #[error("the {codec} block decodes to {found} bytes, expected {expected}")]
    Length {
        /// The codec.
        codec: Codec,
        /// Bytes promised.
        expected: usize,
        /// Bytes found.
        found: usize,
    },
    /// The block decodes to more bytes than were promised.
    #[error("the {codec} block decodes to more than the expected {expected} bytes")]
    Longer {
        /// The codec.
        codec: Codec,
        /// Bytes promised.
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
    /// The block is longer than the workspace was made for.
    #[error("a block of {found} bytes exceeds the {max} bytes of this {codec} workspace")]
    TooLong {
        /// The codec.
        codec: Codec,
        /// Bytes in the block.
        found: usize,
        /// Bytes that the workspace was made for.
        max: usize,
    },
    /// The output is too small for the codec's largest result.
    #[error(
        "the output has {found} bytes; {codec} may need {needed} for this block (see Codec::stored_len_max)"
    )]
    Output {
        /// The codec.
        codec: Codec,
        /// Bytes that always suffice.
        needed: usize,
        /// Bytes of the output.
        found: usize,
    },
    /// The codec has no such level.
    #[error("{codec} has no level {level}; its levels are {min} to {max}")]
    Level {
        /// The codec.
        codec: Codec,
        /// The requested level.
        level: i32,
        /// Lowest level there is.
        min: i32,
        /// Highest level there is.
        max: i32,
    },
    /// The memory for the workspace is smaller than [`crate::workspace_size`].
    #[error("the workspace for {codec} has {found} bytes and needs {needed}")]
    Workspace {
        /// The codec.
        codec: Codec,
        /// Bytes needed.
        needed: usize,
        /// Bytes given.
        found: usize,
    },
    /// The caller's allocator returned null.
    #[error("the allocator returned no memory for {bytes} bytes")]
    OutOfMemory {
        /// The requested bytes.
        bytes: usize,
    },
    /// The workspace was made for decoding alone.
    #[error("this {codec} workspace was made for decoding; make one with BlockCodec::allocate to compress")]
    DecoderOnly {
        /// The codec.
        codec: Codec,
    },
    /// The codec was left out when this crate was built.
    #[error("this build has no {codec}; enable the cargo feature '{feature}'")]
    NotBuilt {
        /// The codec.
        codec: Codec,
        /// The feature that brings it.
        feature: &'static str,
    },
}
