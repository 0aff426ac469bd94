//! Decoding of Zstandard in Rust by `ruzstd`, for builds without C.
//!
//! Unlike the other engines, this one takes memory from the global allocator: the window of the frame, and
//! about a mebibyte more.

use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::FrameDecoderError;

use crate::{Codec, CodecError};

/// The largest accepted window. The specification asks decoders to accept at least this length, and no block
/// is written with a larger window.
const WINDOW_LEN_MAX: u64 = 8 << 20;

pub(crate) struct ZstdRust {
    decoder: FrameDecoder,
}

impl ZstdRust {
    pub(crate) fn new() -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW_LEN_MAX);
        Self { decoder }
    }

    pub(crate) fn decompress(&mut self, stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
        let len = self.decoder.decode_all(stored, plain).map_err(|error| failure(&error, plain.len()))?;
        let stored_sum = self.decoder.get_checksum_from_data();
        if stored_sum.is_some() && stored_sum != self.decoder.get_calculated_checksum() {
            let detail = "the frame's checksum does not match its bytes";
            return Err(CodecError::Damaged { codec: Codec::Zstd, detail });
        }
        Ok(len)
    }
}

/// Converts the library's error for a block that should have `expected` bytes.
fn failure(error: &FrameDecoderError, expected: usize) -> CodecError {
    let codec = Codec::Zstd;
    let detail = match error {
        FrameDecoderError::TargetTooSmall => return CodecError::Longer { codec, expected },
        FrameDecoderError::WindowSizeTooBig { .. } => "the frame needs a window of more than 8 MiB",
        FrameDecoderError::DictNotProvided { .. } => "the frame needs a dictionary",
        FrameDecoderError::ReadFrameHeaderError(_) | FrameDecoderError::FrameHeaderError(_) => {
            "there is no frame"
        }
        _ => "the frame is malformed or ends early",
    };
    CodecError::Damaged { codec, detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `varve upon varve upon varve`, compressed by the reference library with a checksum.
    const STORED: &[u8] = include_bytes!("../../tests/golden/varves.zst");

    #[test]
    fn a_frame_of_the_reference_library_is_read() {
        let mut plain = [0; 27];
        assert_eq!(ZstdRust::new().decompress(STORED, &mut plain), Ok(27));
        assert_eq!(&plain, b"varve upon varve upon varve");
    }

    #[test]
    fn other_lengths_and_other_bytes_are_refused() {
        let (codec, mut rust) = (Codec::Zstd, ZstdRust::new());
        assert_eq!(rust.decompress(STORED, &mut [0; 26]), Err(CodecError::Longer { codec, expected: 26 }));
        assert_eq!(rust.decompress(STORED, &mut [0; 28]), Ok(27));
        for cut in 1..STORED.len() {
            let cut_off = rust.decompress(&STORED[..cut], &mut [0; 27]);
            assert!(matches!(cut_off, Err(CodecError::Damaged { .. })), "{cut} bytes: {cut_off:?}");
        }
        let mut damaged = STORED.to_vec();
        *damaged.last_mut().unwrap() ^= 1;
        let detail = "the frame's checksum does not match its bytes";
        assert_eq!(rust.decompress(&damaged, &mut [0; 27]), Err(CodecError::Damaged { codec, detail }));
        assert!(rust.decompress(b"PK\x03\x04 and so on", &mut [0; 27]).is_err());
    }
}
