//! Opens any bytes as a graph file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::file::open_file(bytes));
