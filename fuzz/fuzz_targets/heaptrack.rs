//! Any bytes as a profile of heaptrack.
#![no_main]

#[path = "../src/heaptrack.rs"]
mod heaptrack;
#[path = "../src/profiles.rs"]
mod profiles;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaptrack::read_heaptrack(bytes));
