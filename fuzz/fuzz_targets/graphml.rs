//! Any bytes as a GraphML document.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/text_graphs.rs"]
#[allow(dead_code, reason = "the other target has the other half")]
mod text_graphs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| text_graphs::import_graphml(bytes));
