//! The engine against the model: what is written is what is read, in every profile, and damage is found.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod algorithms;
mod census;
mod changed_edges;
mod changes;
mod changes_values;
mod conformance;
mod contradiction;
mod copied_ids;
mod damage;
mod difference;
#[path = "../../../fuzz/src/diff.rs"]
mod diffs;
mod digest;
mod digest_compare;
mod draft;
#[path = "../../../fuzz/src/edits.rs"]
mod edits;
mod fold;
mod grown_tree;
mod histories;
mod history_files;
mod index;
mod info;
#[path = "../../varvite-format/tests/iterators.rs"]
mod iterators;
mod layer;
mod layer_histories;
mod log;
mod log_crash;
mod log_process;
#[path = "../../../fuzz/src/log.rs"]
mod logs;
mod misuse;
mod model;
mod new_graph;
mod node_layer;
mod online;
mod open;
mod pipeline;
mod queries;
#[path = "../../../fuzz/src/read_digest.rs"]
mod read_digest;
#[path = "../../../fuzz/src/graph.rs"]
mod read_graph;
mod refusals;
#[path = "../../../fuzz/src/repair.rs"]
mod repair;
mod shortest_paths;
#[path = "../../../fuzz/src/small_graph.rs"]
mod small_graph;
mod smoke;
mod spill;
mod verify;
mod walks;
mod whole;
mod write;
