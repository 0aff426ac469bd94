//! Foreign graphs, in and out.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod flatgraph;
