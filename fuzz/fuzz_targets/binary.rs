//! Any bytes as an ELF file with debug information.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/binary.rs"]
mod binary;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| binary::read_binary(bytes));
