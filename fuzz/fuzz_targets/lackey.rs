//! Any bytes as a text of lackey.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::lackey::read_lackey(bytes));
