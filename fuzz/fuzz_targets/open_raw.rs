//! Any bytes as a file.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/file.rs"]
mod file;
#[path = "../../crates/varvite-testing/src/readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| file::open_file(bytes));
