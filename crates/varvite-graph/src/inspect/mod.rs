//! Information about a graph: counts, sizes and names.
//!
//! - `describe`, `layer_info`: schema, layers and columns, from the directory; `facts`: counts and sums, by a
//!   scan of the whole graph; `memory`: bytes in memory, from the ledger.

pub(crate) mod describe;
pub(crate) mod facts;
pub(crate) mod layer_info;
pub mod memory;
