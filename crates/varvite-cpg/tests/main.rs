//! Compares the results of `varvite-cpg` for single nodes with those of plain loops, on the graph of zlib in
//! this repository.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod call_graph;
mod code_files;
mod part;
mod sites;
mod sources;
mod steps;

use std::path::Path;
use std::sync::OnceLock;

use varvite::{Graph, Task};
use varvite_import::Import;

/// The graph of zlib, imported once.
fn zlib() -> &'static Graph {
    static GRAPH: OnceLock<Graph> = OnceLock::new();
    GRAPH.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/zlib.cpg.bin");
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpg-zlib.varvite");
        let _ = std::fs::remove_file(&file);
        Import::new(source).task(Task::new().threads(2)).write_to(&file).unwrap();
        Graph::open(&file).unwrap()
    })
}

/// The METHODs of this name.
fn methods(name: &str) -> Vec<u32> {
    let names = zlib().property("NAME").unwrap();
    let methods = zlib().nodes("METHOD").unwrap();
    methods.iter().filter(|method| names.str(*method).as_deref() == Some(name)).collect()
}
