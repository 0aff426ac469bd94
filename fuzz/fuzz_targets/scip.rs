//! Imports any bytes as a SCIP index.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::scip::import_scip(bytes));
