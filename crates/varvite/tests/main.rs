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
#[path = "../../varvite-testing/src/targets/diff.rs"]
mod diffs;
mod digest;
mod digest_compare;
#[path = "../../varvite-testing/src/draft.rs"]
mod draft;
#[path = "../../varvite-testing/src/edits.rs"]
mod edits;
mod fold;
mod grown_tree;
mod histories;
mod history_files;
mod index;
mod info;
#[path = "../../varvite-testing/src/iterators.rs"]
mod iterators;
mod layer;
mod layer_histories;
mod log;
mod log_crash;
mod log_process;
#[path = "../../varvite-testing/src/targets/log.rs"]
mod logs;
mod misuse;
mod model;
mod node_layer;
mod online;
mod open;
mod pipeline;
mod queries;
#[path = "../../varvite-testing/src/targets/read_digest.rs"]
mod read_digest;
#[path = "../../varvite-testing/src/targets/graph.rs"]
mod read_graph;
mod refusals;
#[path = "../../varvite-testing/src/repair.rs"]
mod repair;
mod shortest_paths;
#[path = "../../varvite-testing/src/small_graph.rs"]
mod small_graph;
mod smoke;
mod spill;
mod verify;
mod walks;
mod whole;
mod write;
