//! Foreign graphs, profiles and traces: read into Varvite, and written back out.
//!
//! One module per source. The files come from outside, so every one of their bytes is treated as
//! hostile: damage is an error that says where, never a panic and never an allocation that the file
//! merely claims to need.

#![forbid(unsafe_code)]

pub mod drmemtrace;
pub mod flatgraph;
pub mod lackey;
pub mod process_maps;
pub mod reference;
mod references;
pub mod trace;
