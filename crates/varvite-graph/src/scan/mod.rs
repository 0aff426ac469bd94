//! Scans of whole columns from front to back, and work on several threads.
//!
//! - `columns`: scans of the lists, label sets and texts of a graph; `scan_values`: the values of a property
//!   with changes; `node_labels`: the labels of all nodes; `changed_places`: the places of the edges of an
//!   edge label with changes.
//! - `graph_scan`: a scan of the whole graph and its budget; `parallel`: work on several threads, with
//!   results in order; `threads`: the number of threads whose jobs fit in memory; `bit_set`: a set of nodes
//!   as bits.

pub(crate) mod bit_set;
pub(crate) mod changed_places;
pub(crate) mod columns;
pub(crate) mod graph_scan;
pub(crate) mod node_labels;
pub(crate) mod parallel;
pub(crate) mod scan_values;
pub(crate) mod threads;
