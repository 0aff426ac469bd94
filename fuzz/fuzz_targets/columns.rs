//! Columns that no writer would make.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/columns.rs"]
mod columns;
#[path = "../../crates/varvite-testing/src/memory.rs"]
mod memory;
#[path = "../../crates/varvite-testing/src/readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| columns::read_columns(bytes));
