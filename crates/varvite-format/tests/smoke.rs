//! A short run of the fuzz targets of this crate, with the same inputs every time.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use varvite_testing::targets::blocks::code_block;
use varvite_testing::targets::columns::read_columns;
use varvite_testing::targets::kernels::compare_kernels;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(5000))]

    #[test]
    fn any_bytes_are_columns(
        nodes in 0u16..3000, cut in 0u16..500, rows in vec((0u8..15, 0u8..9, 0u8..64, any::<u8>(), 0u32..2000, any::<u64>()), 3),
        segments in vec(prop_oneof![any::<u8>(), 0u8..3], 0..1500),
    ) {
        let mut bytes = [nodes.to_le_bytes(), cut.to_le_bytes()].concat();
        for (encoding, width, flags, base, count, step) in rows {
            bytes.extend([encoding, width, flags, base]);
            bytes.extend(count.to_le_bytes());
            bytes.extend(step.to_le_bytes());
        }
        bytes.extend(segments);
        read_columns(&bytes);
    }

    #[test]
    fn any_bytes_are_blocks(head in vec(0u8..10, 5), block in vec(prop_oneof![any::<u8>(), 0u8..3], 0..600)) {
        code_block(&[head, block].concat());
    }
}

proptest! {
    #![proptest_config(config(800))]

    #[test]
    fn kernels_answer_as_reads_of_one_value_do(
        head in (any::<u8>(), prop_oneof![1u8..3, any::<u8>()], any::<u8>(), 0u8..8),
        step in prop_oneof![Just(1u64), 0u64..300, any::<u64>()],
        (count, first, last, from, to) in (0u16..2600, any::<u16>(), any::<u16>(), any::<u16>(), any::<u16>()),
        headers in vec(prop_oneof![any::<u8>(), 0u8..9, Just(0x85u8)], 0..200),
        lanes in vec(prop_oneof![any::<u8>(), 0u8..3, Just(255u8)], 0..3000),
    ) {
        let mut bytes = vec![head.0, head.1, head.2, head.3];
        bytes.extend(step.to_le_bytes());
        [count, first, last, from, to].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(headers);
        bytes.extend(lanes);
        compare_kernels(&bytes);
    }
}
