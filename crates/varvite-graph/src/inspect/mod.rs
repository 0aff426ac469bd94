//! Counts, sizes and names of a graph.
//!
//! - `describe`, `layer_info`: from the directory alone; `facts`: by a scan; `memory`: from the ledger.

pub(crate) mod describe;
pub(crate) mod facts;
pub(crate) mod layer_info;
pub mod memory;
