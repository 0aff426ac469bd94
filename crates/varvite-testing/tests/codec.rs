//! A short run of the fuzz targets of `varvite-codec`, with the same inputs every time.
//!
//! These tests are not in `varvite-codec`: if it depended on this crate, more cargo features would be enabled
//! in builds of `varvite-codec`, whose tests must also run with few features.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use varvite_testing::targets::blocks::code_block;
use varvite_testing::targets::frames::read_frames;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn any_block_is_survived(bytes in vec(any::<u8>(), 5..300)) {
        code_block(&bytes);
    }

    #[test]
    fn any_stream_is_survived(bytes in vec(any::<u8>(), 2..200)) {
        read_frames(&bytes);
    }
}
