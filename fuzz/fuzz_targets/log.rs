//! Opens a small graph with a log whose records have any content.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::small_graphs::open_log(bytes));
