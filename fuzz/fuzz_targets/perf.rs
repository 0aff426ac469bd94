//! Reads any bytes as the text of `perf script`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::profiles::read_perf(bytes));
