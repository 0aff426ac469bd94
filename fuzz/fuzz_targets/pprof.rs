//! Any bytes as a profile of pprof.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/profiles.rs"]
mod profiles;

use varvite_profile::ProfileFormat;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| profiles::read_profile(ProfileFormat::Pprof, bytes));
