//! Codecs in the caller's memory.

use std::mem::MaybeUninit;

use proptest::prelude::*;
use varvite_codec::{BlockCodec, Codec, CodecError, decoder_workspace_size, workspace_size};

use crate::counting::{Asked, global_calls_during};
use crate::sample::log_lines;

/// The lowest, default and highest level of each codec.
fn codecs_and_levels() -> impl Iterator<Item = (Codec, i32)> {
    Codec::ALL.into_iter().flat_map(|codec| {
        let levels = codec.levels();
        [*levels.start(), codec.default_level(), *levels.end()].map(|level| (codec, level))
    })
}

#[test]
fn with_its_own_allocator_a_codec_never_calls_the_global_one() {
    let plain = log_lines(100_000);
    let (mut stored, mut back) = (vec![0; 200_000], vec![0; plain.len()]);
    for (codec, level) in codecs_and_levels() {
        let asked = Asked::default();
        let allocator = asked.allocator();
        let global_calls = global_calls_during(|| {
            let mut coder = BlockCodec::allocate(codec, level, plain.len(), &allocator).unwrap();
            for len in [plain.len(), 1000, 0, plain.len()] {
                let stored_len = coder.compress(&plain[..len], &mut stored).unwrap();
                coder.decompress(&stored[..stored_len], &mut back[..len]).unwrap();
                assert_eq!(back[..len], plain[..len], "{codec} {level}");
            }
        });
        assert_eq!(global_calls, 0, "{codec} {level}");
        let once = usize::from(codec != Codec::None);
        assert_eq!(asked.counts(), (once, once), "{codec} {level}: one allocation, given back");
    }
}

#[test]
fn the_memory_that_was_asked_for_suffices_for_every_length_up_to_the_block() {
    let plain = log_lines(300_000);
    let mut stored = vec![0; 400_000];
    for (codec, level) in codecs_and_levels() {
        for block_len in [1, 4096, 16_385, 65_536, 131_073, 300_000] {
            let mut memory = vec![MaybeUninit::uninit(); workspace_size(codec, level, block_len).unwrap()];
            let mut coder = BlockCodec::in_memory(codec, level, block_len, &mut memory).unwrap();
            for len in [0, 1, 1000, 16_000, 16_384, 100_000, 131_072, block_len] {
                let plain = &plain[..len.min(block_len)];
                let stored_len = coder.compress(plain, &mut stored).unwrap();
                assert!(stored_len <= codec.stored_len_max(plain.len()), "{codec} {level} {block_len} {len}");
                let mut back = vec![0; plain.len()];
                coder.decompress(&stored[..stored_len], &mut back).unwrap();
                assert!(back == plain, "{codec} {level} {block_len} {len}");
            }
        }
    }
}

#[test]
fn a_decoder_reads_what_a_compressor_stored_and_does_not_compress() {
    let plain = log_lines(10_000);
    for codec in Codec::ALL {
        let mut stored = vec![0; codec.stored_len_max(plain.len())];
        let asked = Asked::default();
        let mut coder =
            BlockCodec::allocate(codec, codec.default_level(), 10_000, &asked.allocator()).unwrap();
        let stored_len = coder.compress(&plain, &mut stored).unwrap();
        let mut memory = vec![MaybeUninit::uninit(); decoder_workspace_size(codec).unwrap()];
        let mut decoder = BlockCodec::decoder_in_memory(codec, &mut memory).unwrap();
        let mut back = vec![0; plain.len()];
        decoder.decompress(&stored[..stored_len], &mut back).unwrap();
        assert!(back == plain, "{codec}");
        assert_eq!(decoder.compress(&plain, &mut stored), Err(CodecError::DecoderOnly { codec }));
    }
}

#[test]
fn codecs_readers_and_writers_move_between_threads() {
    fn moves<T: Send>() {}
    moves::<BlockCodec<'static>>();
    moves::<varvite_codec::Buffer>();
    moves::<varvite_codec::frame::FrameReader<std::fs::File>>();
    moves::<varvite_codec::frame::FrameWriter<std::fs::File>>();
    moves::<varvite_codec::frame::ZipReader<std::fs::File>>();
    moves::<varvite_codec::frame::ZipWriter<std::fs::File>>();
}

#[test]
fn wrong_calls_say_what_would_be_right() {
    let asked = Asked::default();
    for codec in Codec::ALL.into_iter().skip(1) {
        let needed = workspace_size(codec, codec.default_level(), 1000).unwrap();
        let mut short = vec![MaybeUninit::uninit(); needed / 2];
        let found = short.len();
        let error = BlockCodec::in_memory(codec, codec.default_level(), 1000, &mut short).err().unwrap();
        assert_eq!(error, CodecError::Workspace { codec, needed, found });
        let error = workspace_size(codec, 1000, 1000).unwrap_err();
        assert!(matches!(error, CodecError::Level { level: 1000, .. }), "{error}");
        let mut coder = BlockCodec::allocate(codec, codec.default_level(), 1000, &asked.allocator()).unwrap();
        let error = coder.compress(&[0; 1001], &mut [0; 2000]).unwrap_err();
        assert_eq!(error, CodecError::TooLong { codec, found: 1001, max: 1000 });
        let error = coder.compress(&log_lines(1000), &mut [0; 10]).unwrap_err();
        assert_eq!(error, CodecError::Output { codec, needed: codec.stored_len_max(1000), found: 10 });
        assert!(coder.compress(&log_lines(1000), &mut [0; 2000]).is_ok(), "the next block goes well");
    }
}

proptest! {
    #[test]
    fn damage_gives_an_error_or_other_bytes_and_the_next_block_goes_well(
        at in 0usize..2000, byte: u8, codec in proptest::sample::select(&Codec::ALL),
    ) {
        let plain = log_lines(5000);
        let asked = Asked::default();
        let mut coder = BlockCodec::allocate(codec, codec.default_level(), 5000, &asked.allocator()).unwrap();
        let mut stored = vec![0; codec.stored_len_max(5000)];
        let stored_len = coder.compress(&plain, &mut stored).unwrap();
        let mut damaged = stored[..stored_len].to_vec();
        damaged[at % stored_len] = byte;
        let mut back = vec![0; 5000];
        let _ = coder.decompress(&damaged, &mut back);
        let _ = coder.decompress(&damaged[..at % stored_len], &mut back);
        coder.decompress(&stored[..stored_len], &mut back).unwrap();
        prop_assert!(back == plain);
    }
}
