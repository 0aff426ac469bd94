//! Tests of the shared code itself: fuzz targets without libFuzzer.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod codec;
mod targets;
