//! Reads any bytes as a DynamoRIO file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::drmemtrace::read_drmemtrace(bytes));
