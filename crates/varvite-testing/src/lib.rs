//! Common code of the tests of several crates, and the fuzz targets.
//!
//! Nothing here is linked into the product: crates name it as a dependency of their tests, with the features
//! that they need, so that the tests of a low crate do not build the engine.
//!
//! - Without a feature: `iterators` (rules of every named iterator), and `repair`, `trace_repair`, `edits`
//!   (files and traces that were changed, with checksums that are right).
//! - `format`: columns in `memory`, and `readers`, which call all their methods. `store`: a `small_file`, and
//!   in `vfs` file systems that fail and lose power.
//! - `engine`: a `small_graph`, and the `draft` of a graph between the model and a file.
//! - `targets`: one function for each parser of outside bytes, by the feature of its crate. `fuzz` calls them
//!   under libFuzzer, tests with inputs of their own.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)] // Everything here is for tests.

#[cfg(feature = "engine")]
pub mod draft;
pub mod edits;
pub mod iterators;
#[cfg(feature = "format")]
pub mod memory;
#[cfg(feature = "format")]
pub mod readers;
pub mod repair;
#[cfg(feature = "store")]
pub mod small_file;
#[cfg(feature = "engine")]
pub mod small_graph;
pub mod targets;
pub mod trace_repair;
#[cfg(feature = "store")]
pub mod vfs;
