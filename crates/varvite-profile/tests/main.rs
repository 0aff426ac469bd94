//! Profiles of heaptrack, and their layers.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod code;
#[path = "../../../fuzz/src/heaptrack.rs"]
mod fuzz_heaptrack;
mod heaptrack;
mod layer;
