//! Reads any bytes as a pprof profile.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::profiles::read_pprof(bytes));
