//! Any bytes as a file.
#![no_main]

#[path = "../src/file.rs"]
mod file;
#[path = "../src/readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| file::open_file(bytes));
