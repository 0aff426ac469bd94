//! Memory traces of other programs, and their layers.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod drmemtrace;
mod lackey;
mod layer;
