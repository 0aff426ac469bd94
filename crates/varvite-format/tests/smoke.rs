//! A short run of the fuzz targets of this crate, the same every time.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::blocks::code_block;
use crate::columns::read_columns;

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
