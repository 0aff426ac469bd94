//! Any bytes as a file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::file::open_file(bytes));
