//! Profiles, and their layers.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod code;
mod events;
mod expansion;
mod forms;
#[path = "../../varvite-testing/src/targets/heaptrack.rs"]
mod fuzz_heaptrack;
mod heaptrack;
mod layer;
mod pprof;
#[path = "../../varvite-testing/src/targets/profiles.rs"]
mod profiles;
mod round_trip;
