//! Loops over many values, held against reads of one.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/kernels.rs"]
mod kernels;
#[path = "../../crates/varvite-testing/src/memory.rs"]
mod memory;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kernels::compare_kernels(bytes));
