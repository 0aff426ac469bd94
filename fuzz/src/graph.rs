//! Whole graphs: whatever a file says, what reads all of it gives an answer or an error.

use std::path::Path;

use varvite::{Digest, Facts, Graph, Info, OpenMode, OpenOptions};
use varvite_store::vfs::MemoryVfs;

const PATH: &str = "fuzz.varvite";
/// What is read of a graph that claims to be larger is not everything: a number in a file is no reason to count to it.
const NODES_MAX: u32 = 2000;
const VALUES_MAX: u64 = 100_000;

/// Opens the file as a graph, verifies it, and asks for its facts and its digest.
pub(crate) fn read_graph(bytes: &[u8]) {
    let vfs = MemoryVfs::new();
    vfs.put(PATH, bytes);
    let options = OpenOptions { mode: OpenMode::Mapped, ..OpenOptions::default() };
    let Ok(graph) = Graph::open_with(&vfs, Path::new(PATH), options) else { return };
    let _ = Info::of(&graph).to_json();
    let is_small = graph.store().directory().columns.iter().all(|row| row.count <= VALUES_MAX);
    if graph.node_count() > NODES_MAX || graph.edge_count() > VALUES_MAX || !is_small {
        return;
    }
    let is_sound = graph.verify(1, &|_, _| {}).is_ok_and(|report| report.problems.is_empty());
    let (facts, digest) = (Facts::of(&graph), Digest::of(&graph, 1));
    if is_sound {
        assert!(facts.is_ok() && digest.is_ok() && graph.check().is_ok(), "what verify lets pass is read");
    }
}
