//! Records of any content behind a small graph.
#![no_main]

#[path = "../../crates/varvite-testing/src/targets/log.rs"]
mod log;
#[path = "../../crates/varvite-testing/src/small_graph.rs"]
mod small_graph;

use std::sync::LazyLock;

/// A graph in each profile.
static GRAPHS: LazyLock<[Vec<u8>; 3]> =
    LazyLock::new(|| varvite::Profile::ALL.map(small_graph::small_graph));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    log::open_with_log(&GRAPHS[usize::from(*choice) % GRAPHS.len()], bytes);
});
