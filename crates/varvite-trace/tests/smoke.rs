//! The fuzz target of traces, on bytes that a generator makes: the same code, without libFuzzer.

#[path = "../../varvite-testing/src/targets/trace.rs"]
mod trace;
#[path = "../../varvite-testing/src/trace_repair.rs"]
pub(super) mod trace_repair;

use proptest::prelude::*;

use crate::cuts::small_trace;

proptest! {
    #[test]
    fn any_bytes_are_records_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        trace::read_trace(&bytes);
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
        trace_repair::repair(&mut bytes);
        trace::read_trace(&bytes);
    }
}
