//! The fuzz target of traces, on bytes that a generator makes: the same code, without libFuzzer.

use proptest::prelude::*;
use varvite_testing::targets::trace::read_trace;
use varvite_testing::trace_repair::repair;

use crate::cuts::small_trace;

proptest! {
    #[test]
    fn any_bytes_are_records_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        read_trace(&bytes);
    }

    #[test]
    fn edited_traces_with_repaired_checksums_are_records_or_an_error(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = small_trace();
        for (place, value) in edits {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        repair(&mut bytes);
        read_trace(&bytes);
    }
}
