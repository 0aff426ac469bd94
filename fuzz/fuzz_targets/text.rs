//! A query in the language of Joern's shell.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::text::read_query(bytes));
