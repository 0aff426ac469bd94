//! Reads any bytes as an ELF file with debug information.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::binary::read_binary(bytes));
