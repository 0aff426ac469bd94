//! Reads any bytes as the output of `perf script`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::profiles::read_perf(bytes));
