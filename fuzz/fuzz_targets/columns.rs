//! Columns that no writer would make.
#![no_main]

#[path = "../src/columns.rs"]
mod columns;
#[path = "../src/memory.rs"]
mod memory;
#[path = "../src/readers.rs"]
mod readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| columns::read_columns(bytes));
