//! Reads any bytes as a profile of heaptrack.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::heaptrack::read_heaptrack(bytes));
