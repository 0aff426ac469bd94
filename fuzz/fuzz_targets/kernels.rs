//! Loops over many values, held against reads of one.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::kernels::compare_kernels(bytes));
