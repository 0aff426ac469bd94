//! A short run of the fuzz targets of this crate, with the same inputs every time.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use varvite_testing::edits::edit;
use varvite_testing::targets::file::open_file;

use crate::sample;

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
    fn any_edits_of_a_file_are_survived(edits in vec(any::<u8>(), 4..40)) {
        let mut bytes = sample::bytes();
        edit(&mut bytes, &edits);
        open_file(&bytes);
    }

    #[test]
    fn any_damage_of_a_file_is_survived(places in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4), cut: prop::sample::Index) {
        let mut bytes = sample::bytes();
        places.iter().for_each(|(place, value)| *place.get_mut(&mut bytes) = *value);
        open_file(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        open_file(&bytes);
    }
}
