//! Records of any content behind a small graph.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::small_graphs::open_log(bytes));
