//! Any bytes as a trace, and once more with checksums that agree.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::trace::read_trace_and_repaired(bytes));
