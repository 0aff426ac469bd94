//! Any bytes as a text of lackey.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/lackey.rs"]
mod lackey;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lackey::read_lackey(bytes));
