//! Streams and zip files that no program wrote.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::frames::read_frames(bytes));
