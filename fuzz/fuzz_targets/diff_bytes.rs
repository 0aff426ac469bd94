//! Edits a diff in bytes, and applies it to a small graph.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::small_graphs::diff_bytes(bytes));
