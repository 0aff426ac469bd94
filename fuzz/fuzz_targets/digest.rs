//! Any bytes as the file of a digest.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::read_digest::read_digest(bytes));
