//! Whole columns from front to back, and work on many threads.
//!
//! - `columns`: lists, sets and numbers of a graph; `scan_values`: values with changes; `node_labels`: labels
//!   of all nodes; `changed_places`: places of edges with changes.
//! - `pass`: the budget of reading a whole graph; `parallel`: results in order; `threads`: the number that
//!   fits into memory; `bit_set`: a bit for each node.

pub(crate) mod bit_set;
pub(crate) mod changed_places;
pub(crate) mod columns;
pub(crate) mod graph_scan;
pub(crate) mod node_labels;
pub(crate) mod parallel;
pub(crate) mod scan_values;
pub(crate) mod threads;
