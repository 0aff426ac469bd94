//! A good file with edits, and with checksums that know of them.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::small_graphs::open_repaired(bytes));
