//! Any bytes as a flatgraph file.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/foreign.rs"]
mod foreign;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| foreign::read_flatgraph(bytes));
