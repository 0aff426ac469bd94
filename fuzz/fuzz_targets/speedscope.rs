//! Reads any bytes as a speedscope document.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::profiles::read_speedscope(bytes));
