//! Any bytes as the file of a digest.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/read_digest.rs"]
mod read_digest;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| read_digest::read_digest(bytes));
