//! Reads any bytes as a stream of each framing and as a zip file.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| varvite_testing::targets::frames::read_frames(bytes));
