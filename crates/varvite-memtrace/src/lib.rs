//! Memory traces of other programs: read into Varvite's own, and placed in a graph.
//!
//! Traces and programs come from outside, so every one of their bytes is treated as hostile: damage is an
//! error that says where, never a panic and never an allocation that the file merely claims to need.
//!
//! # Modules
//!
//! - `lackey`, `drmemtrace`: traces of memory references of valgrind and of DynamoRIO. `reference` is
//!   what they have in common, and writes those of any number of threads to one stream; `process_maps`
//!   says what a process has in memory.
//! - `layer`: makes layers of traces. `binary` and `debug_lines` read the programs that ran, after
//!   `debug_weight` has compared what they claim with their size; `code_map` leads from addresses to
//!   functions, `methods` from functions to METHODs, and `tally` counts.

#![forbid(unsafe_code)]

pub mod drmemtrace;
pub mod lackey;
pub mod layer;
pub mod process_maps;
pub mod reference;
