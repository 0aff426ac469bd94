//! Compares loops over many values with reads of single values.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::kernels::compare_kernels(bytes));
