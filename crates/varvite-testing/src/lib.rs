//! Common code of the tests of several crates, and the fuzz targets.
//!
//! The product does not link this crate: crates declare it as a dependency of their tests, with the features
//! that they need, so that tests of a low-level crate do not build the engine.
//!
//! - Without a feature: `iterators`, checks of iterators; `edits`, changes to files; `repair` and
//!   `trace_repair`, which make the checksums of changed files and traces right; `class_file`, which writes
//!   class files of Java; `temporary`, files that go away; `scip_index`, which makes SCIP indexes.
//! - `format`: columns in `memory`, and `readers`, which call all methods of column readers. `store`: a
//!   `small_file`, and in `vfs` file systems that fail and lose power.
//! - `engine`: a `small_graph`, a `code_graph` of a few functions, and `draft`, which turns a
//!   graph of the model into a file.
//! - `targets`: one function for each parser of untrusted bytes, with a feature for its crate. `fuzz` calls
//!   these functions under libFuzzer, and tests call them with generated inputs.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used)] // Everything here is for tests.

pub mod class_file;
#[cfg(feature = "engine")]
pub mod code_graph;
#[cfg(feature = "engine")]
pub mod draft;
pub mod edits;
pub mod iterators;
#[cfg(feature = "format")]
pub mod memory;
#[cfg(feature = "format")]
pub mod readers;
pub mod repair;
pub mod scip_index;
#[cfg(feature = "store")]
pub mod small_file;
#[cfg(feature = "engine")]
pub mod small_graph;
pub mod targets;
pub mod temporary;
pub mod trace_repair;
#[cfg(feature = "store")]
pub mod vfs;
