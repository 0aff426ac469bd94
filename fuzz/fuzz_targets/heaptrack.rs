//! Any bytes as a profile of heaptrack.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/heaptrack.rs"]
mod heaptrack;
#[path = "../../crates/varvite-testing/src/targets/profiles.rs"]
mod profiles;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| heaptrack::read_heaptrack(bytes));
