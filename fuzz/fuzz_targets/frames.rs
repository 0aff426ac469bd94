//! Streams and zip files that no program wrote.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/frames.rs"]
mod frames;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| frames::read_frames(bytes));
