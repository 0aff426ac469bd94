//! Reads any bytes as a trace, unchanged and again with repaired checksums.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::trace::read_trace_and_repaired(bytes));
