//! A short run of the fuzz targets of this crate, the same every time.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::blocks::code_block;
use crate::frames_of_any_bytes::read_frames;

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
