//! Reads columns that no writer would make.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::columns::read_columns(bytes));
