//! Imports any bytes as a table of nodes and as a table of relationships.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::text_graphs::import_tables(bytes));
