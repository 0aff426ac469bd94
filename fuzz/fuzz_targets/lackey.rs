//! Any bytes as a text of lackey.
#![no_main]

#[path = "../src/lackey.rs"]
mod lackey;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lackey::read_lackey(bytes));
