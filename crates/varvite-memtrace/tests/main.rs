//! Tests of memory traces of other programs, and of their layers.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod drmemtrace;
mod lackey;
mod layer;
