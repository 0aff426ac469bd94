//! Compares our Snappy with that of the crate `snap`, both in compressing and in decoding.

use proptest::prelude::*;
use varvite_codec::{Allocator, BlockCodec, Codec};

/// Pieces that repeat at different distances, with noise between them.
fn any_plain() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..40),
        (any::<u8>(), 0usize..300).prop_map(|(byte, len)| vec![byte; len]),
        (0u8..4, 0usize..3000).prop_map(|(first, len)| (0..len).map(|at| first + (at % 7) as u8).collect()),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn ours(len: usize) -> BlockCodec<'static> {
    BlockCodec::allocate(Codec::Snappy, 0, len, &Allocator::global()).expect("there is memory")
}

proptest! {
    #[test]
    fn snap_reads_what_we_store(plain in any_plain(), times in 1usize..4) {
        let plain = plain.repeat(times);
        let mut stored = vec![0; Codec::Snappy.stored_len_max(plain.len())];
        let len = ours(plain.len()).compress(&plain, &mut stored).unwrap();
        prop_assert!(snap::raw::Decoder::new().decompress_vec(&stored[..len]).unwrap() == plain);
    }

    #[test]
    fn we_read_what_snap_stores(plain in any_plain(), times in 1usize..4) {
        let plain = plain.repeat(times);
        let stored = snap::raw::Encoder::new().compress_vec(&plain).unwrap();
        let mut back = vec![0; plain.len()];
        ours(0).decompress(&stored, &mut back).unwrap();
        prop_assert!(back == plain);
    }

    #[test]
    fn any_bytes_decode_as_snap_decodes_them(stored in proptest::collection::vec(any::<u8>(), 0..60), len in 0u8..120) {
        let stored = [&[len][..], &stored].concat();
        let theirs = snap::raw::Decoder::new().decompress_vec(&stored).ok();
        let mut back = vec![0; usize::from(len)];
        let ours = ours(0).decompress(&stored, &mut back).is_ok().then_some(back);
        // A first byte above 127 would mean that the length continues in the next byte.
        prop_assume!(len < 128);
        prop_assert_eq!(ours, theirs);
    }
}

#[test]
fn noise_grows_no_more_than_the_bound_says() {
    let mut state = 1u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    };
    let plain: Vec<u8> = (0..200_000).map(|_| byte()).collect();
    let mut stored = vec![0; Codec::Snappy.stored_len_max(plain.len())];
    let len = ours(plain.len()).compress(&plain, &mut stored).unwrap();
    assert!(len > plain.len() && len < plain.len() + 100, "{len}");
}
