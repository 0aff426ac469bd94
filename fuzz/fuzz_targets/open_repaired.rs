//! A good file with edits, and with checksums that know of them.
#![no_main]

#[path = "../../crates/varvite-testing/src/edits.rs"]
mod edits;
#[path = "../../crates/varvite-testing/src/targets/file.rs"]
mod file;
#[path = "../../crates/varvite-testing/src/targets/graph.rs"]
mod graph;
#[path = "../../crates/varvite-testing/src/readers.rs"]
mod readers;
#[path = "../../crates/varvite-testing/src/repair.rs"]
mod repair;
#[path = "../../crates/varvite-testing/src/small_file.rs"]
mod small_file;
#[path = "../../crates/varvite-testing/src/small_graph.rs"]
mod small_graph;

use std::sync::LazyLock;

/// Columns of all encodings, and a graph in each profile.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let graphs = varvite::Profile::ALL.map(small_graph::small_graph);
    graphs.into_iter().chain([small_file::small_file()]).collect()
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, changes)) = bytes.split_first() else { return };
    let mut file = FILES[usize::from(*choice) % FILES.len()].clone();
    edits::edit(&mut file, changes);
    file::open_file(&file);
    graph::read_graph(&file);
});
