//! Tests of reading profiles, and of layers made from them.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod code;
mod events;
mod expansion;
mod foreign;
mod forms;
mod heaptrack;
mod layer;
mod pprof;
mod round_trip;
