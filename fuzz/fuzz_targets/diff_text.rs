//! Reads any text as a diff, and applies it to a small graph.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::small_graphs::diff_text(bytes));
