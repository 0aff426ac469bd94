//! Tests of recording, reading and seeking in whole traces, and of truncated and damaged traces.
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
