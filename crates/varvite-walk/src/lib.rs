//! Walks, paths and algorithms over whole graphs.
//!
//! Use the crate `varvite`, which exports all of this as `varvite::walk` and `varvite::algorithms`.
#![forbid(unsafe_code)]

#[cfg(feature = "algorithms")]
pub mod algorithms;
pub mod walk;

pub use walk::{PathEdges, PathOptions, PathStep, ShortestPaths};
