//! Opens a valid graph file after edits, with repaired checksums.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::small_graphs::open_repaired(bytes));
