//! `varvite layers`, `drop-layer` and `compact`.

use std::fs;

use serde_json::json;

use crate::command::{Folder, ZLIB, varvite};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");

/// A graph with the layers of two traces.
fn graph(folder: &Folder) -> String {
    let graph = folder.path("shapes.varvite");
    varvite(&["import", &format!("{DATA}/shapes.cpg.bin"), "-o", &graph]).text();
    add_trace(&graph, "one");
    add_trace(&graph, "two");
    graph
}

fn add_trace(graph: &str, name: &str) {
    let (trace, binary) = (format!("{DATA}/shapes.vtrace"), format!("{DATA}/shapes"));
    varvite(&["import", "--into", graph, &trace, "--binary", &binary, "--name", name]).text();
}

#[test]
fn layers_are_listed_with_what_they_hold() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let rows = varvite(&["layers", &graph, "--format", "json"]).json();
    let names: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["layer"].clone()).collect();
    assert_eq!(names.last(), Some(&json!("trace/two")));
    let trace = rows.as_array().unwrap().iter().find(|row| row["layer"] == "trace/one").unwrap();
    assert_eq!(trace["tool"], "varvite import --into");
    let held =
        "TRACE_ONE_INSTRUCTIONS, TRACE_ONE_LOADS, TRACE_ONE_STORES, TRACE_ONE_BYTES, TRACE_ONE_CACHE_LINES";
    assert_eq!(trace["holds"], held);
    assert_eq!(trace["source"].as_str().unwrap().len(), 64);
    assert!((50..5000).contains(&trace["bytes"].as_u64().unwrap()), "{trace}");
    assert!(rows[0]["holds"].as_str().unwrap().contains(" labels, "), "{rows}");
    let text = varvite(&["layers", &graph]).text();
    assert!(text.starts_with("layer ") && text.contains("\ntrace/two "), "{text}");
    let csv = varvite(&["layers", &graph, "--format", "csv"]).text();
    assert!(csv.starts_with("layer,tool,version,source,holds,nodes,edges,properties,bytes\n"), "{csv}");
    varvite(&["layers", ZLIB]).fails(3, &["not a Varvite"]);
}

#[test]
fn a_layer_that_is_dropped_is_gone_and_compacting_frees_its_bytes() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let digest = |file: &str| varvite(&["digest", file]).text();
    let length = |file: &str| fs::metadata(file).unwrap().len();
    let (full, both) = (length(&graph), digest(&graph));
    let text = varvite(&["drop-layer", &graph, "trace/one"]).text();
    assert!(text.contains("shapes.varvite: dropped trace/one; "), "{text}");
    let one = digest(&graph);
    assert!(one != both && length(&graph) > full);
    assert!(!varvite(&["layers", &graph]).text().contains("trace/one"));
    assert!(varvite(&["verify", &graph]).text().contains("whole"));
    let copy = folder.path("copy.varvite");
    let before = fs::read(&graph).unwrap();
    varvite(&["compact", &graph, "-o", &copy]).text();
    assert!(fs::read(&graph).unwrap() == before, "the graph stays as it is");
    varvite(&["compact", &graph, "-o", &copy]).fails(3, &["exists already"]);
    varvite(&["compact", &graph, "-o", &graph]).fails(2, &["leave --output out"]);
    varvite(&["compact", &graph, "-o", &copy, "--force"]).text();
    let fields = varvite(&["compact", &graph, "--format", "json"]).json();
    assert_eq!(fields["bytes_before"].as_u64(), Some(before.len() as u64));
    assert_eq!(fields["file_bytes"].as_u64(), Some(length(&graph)));
    assert!(length(&graph) < full && digest(&graph) == one && digest(&copy) == one);
    assert!(fs::read(&graph).unwrap() == fs::read(&copy).unwrap());
    varvite(&["drop-layer", &graph, "trace/two"]).text();
    add_trace(&graph, "two");
    varvite(&["compact", &graph]).text();
    assert!(fs::read(&graph).unwrap() == fs::read(&copy).unwrap(), "whatever came and went");
}

#[test]
fn what_can_not_be_dropped_changes_nothing() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let before = fs::read(&graph).unwrap();
    varvite(&["drop-layer", &graph, "trace/on"]).fails(4, &["no layer \"trace/on\"", "trace/one"]);
    varvite(&["drop-layer", &graph, "trace/one", "none"]).fails(4, &["no layer \"none\""]);
    varvite(&["drop-layer", &graph, "code"]).fails(3, &["layer code is part of the graph"]);
    varvite(&["drop-layer", &graph]).fails(2, &["NAME"]);
    assert!(fs::read(&graph).unwrap() == before);
}
