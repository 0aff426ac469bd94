//! Blocks that no codec wrote.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::blocks::code_block(bytes));
