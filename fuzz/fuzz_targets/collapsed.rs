//! Reads any bytes as collapsed stacks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::profiles::read_collapsed(bytes));
