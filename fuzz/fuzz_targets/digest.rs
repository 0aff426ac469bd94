//! Reads any bytes as a digest file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::read_digest::read_digest(bytes));
