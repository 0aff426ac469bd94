//! Pipelines: descriptions of traversals, which are compiled for a graph and then run. A caller may read the
//! results as record batches in Arrow's layout.
//!
//! Use the crate `varvite`, which re-exports this crate as `varvite::pipeline` and `varvite::arrow`.
#![forbid(unsafe_code)]

#[cfg(feature = "arrow")]
pub mod arrow;
pub mod pipeline;
