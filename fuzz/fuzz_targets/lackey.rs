//! Reads any bytes as the output of valgrind's lackey.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::lackey::read_lackey(bytes));
