//! Reads any bytes as the output of perf script with samples of memory accesses.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::perf_mem::read_perf_mem(bytes));
