//! Pipelines: descriptions of traversals, which are compiled for a graph and run. Results may be read as
//! record batches in Arrow's layout.
//!
//! Use the crate `varvite`, which re-exports this crate as `varvite::pipeline` and `varvite::arrow`.
#![forbid(unsafe_code)]

#[cfg(feature = "arrow")]
pub mod arrow;
pub mod pipeline;
