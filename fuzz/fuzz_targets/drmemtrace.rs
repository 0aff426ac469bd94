//! Any bytes as a file of DynamoRIO.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/drmemtrace.rs"]
mod drmemtrace;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drmemtrace::read_drmemtrace(bytes));
