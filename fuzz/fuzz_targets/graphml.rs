//! Imports any bytes as a GraphML document.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::text_graphs::import_graphml(bytes));
