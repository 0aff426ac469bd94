//! Tests of memory traces that other tools wrote, and of layers made from them.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod drmemtrace;
mod lackey;
mod layer;
mod perf;
mod usage;
mod valgrind;
