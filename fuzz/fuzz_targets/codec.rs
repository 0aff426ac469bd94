//! Blocks that no codec wrote.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/blocks.rs"]
mod blocks;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| blocks::code_block(bytes));
