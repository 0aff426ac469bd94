//! Compares the engine with the model: in every profile, a reader must read exactly the content that a writer
//! wrote, and damage must be found.
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
mod digest;
mod digest_compare;
mod fold;
mod grown_tree;
mod histories;
mod history_files;
mod index;
mod info;
mod layer;
mod layer_histories;
mod log;
mod log_crash;
mod log_process;
mod misuse;
mod model;
mod new_graph;
mod node_layer;
mod online;
mod open;
mod pipeline;
mod property_types;
mod queries;
mod refusals;
mod shortest_paths;
mod smoke;
mod spill;
mod text_layer;
mod verify;
mod walks;
mod whole;
mod write;
