//! Reads any bytes as a heaptrack profile.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::heaptrack::read_heaptrack(bytes));
