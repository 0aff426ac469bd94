//! Foreign files, in and out.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod drmemtrace;
mod flatgraph;
mod lackey;
mod trace;
