//! What is in a graph: counts, sizes and names.
//!
//! - `describe`, `layer_info`: from the directory alone; `facts`: by a scan; `memory`: what is in memory now.

pub(crate) mod describe;
pub(crate) mod facts;
pub(crate) mod layer_info;
pub mod memory;
