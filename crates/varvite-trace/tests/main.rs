//! Tests with whole traces: recording, reading, seeking, cuts, damage.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod allocations;
mod counting;
mod cuts;
mod damage;
mod document;
mod growth;
mod model;
mod modules;
mod recording;
mod smoke;
mod threads;
