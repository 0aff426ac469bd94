//! A diff as bytes, edited, on a small graph.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/diff.rs"]
#[allow(dead_code, reason = "the other target has the other half")]
mod diff;
#[path = "../../crates/varvite-testing/src/small_graph.rs"]
mod small_graph;

use std::sync::LazyLock;

/// A graph in each profile.
static GRAPHS: LazyLock<[Vec<u8>; 3]> =
    LazyLock::new(|| varvite::Profile::ALL.map(small_graph::small_graph));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    diff::apply_bytes(&GRAPHS[usize::from(*choice) % GRAPHS.len()], bytes);
});
