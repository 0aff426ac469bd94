//! Pipelines: traversals as descriptions, compiled for a graph and run; results as record batches in Arrow's
//! layout.
//!
//! Use the crate `varvite`, which has all of this as `varvite::pipeline` and `varvite::arrow`.
#![forbid(unsafe_code)]

#[cfg(feature = "arrow")]
pub mod arrow;
pub mod pipeline;
