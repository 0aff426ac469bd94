//! Applies operations of every type to a small graph.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::small_graphs::diff_operations(bytes));
