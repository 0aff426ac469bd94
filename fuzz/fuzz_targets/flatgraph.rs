//! Reads any bytes as a flatgraph file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::foreign::read_flatgraph(bytes));
