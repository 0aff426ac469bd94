//! Decodes any bytes as a block of each codec.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::blocks::code_block(bytes));
