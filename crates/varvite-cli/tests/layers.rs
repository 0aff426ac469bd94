//! Tests of `varvite layers`, `drop-layer` and `compact`.

use std::fs;

use serde_json::json;

use crate::command::{Folder, ZLIB, varvite};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");

/// Makes a graph with the layers of two traces.
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

const SITES: &str = r#"{"declare_label": "SITE"}
{"declare_edge_label": "AT"}
{"declare_property": {"name": "BYTES", "type": "u64", "cardinality": "optional"}}
{"add_node": {"name": "s", "labels": ["SITE"], "properties": {"BYTES": 4096}}}
{"add_edge": {"label": "AT", "from": "s", "to": 0}}
{"set": {"node": 0, "property": "BYTES", "value": 7}}
"#;

#[test]
fn a_diff_becomes_a_layer_of_nodes_that_is_dropped_and_replaced() {
    let folder = Folder::new();
    let (graph, diff) = (folder.import("graph", "compact"), folder.path("sites.jsonl"));
    fs::write(&diff, SITES).unwrap();
    let digest = || varvite(&["digest", &graph]).text();
    varvite(&["compact", &graph]).text();
    let before = digest();
    let answer =
        varvite(&["apply", "--layer", "heap", "--tool", "profiler", &graph, &diff, "--format", "json"])
            .json();
    let site = answer["first_new_node"].as_u64().unwrap();
    let layer = || {
        varvite(&["layers", &graph, "--format", "json"]).json().as_array().unwrap().last().unwrap().clone()
    };
    let row = layer();
    assert_eq!(
        (&row["layer"], &row["tool"], &row["holds"]),
        (&json!("heap"), &json!("profiler"), &json!("SITE, AT, BYTES"))
    );
    assert_eq!((&row["nodes"], &row["edges"], &row["properties"]), (&json!(1), &json!(1), &json!(1)));
    let found = varvite(&["find", &graph, "SITE", "BYTES=4096", "--format", "json"]).json();
    assert_eq!(found[0]["node"], json!(site));
    varvite(&["apply", "--layer", "other", &graph, &diff])
        .fails(2, &["line 1: label SITE belongs to layer heap"]);
    varvite(&["apply", "--tool", "x", &graph, &diff]).fails(2, &["--layer"]);
    varvite(&["apply", "--layer", "code", &graph, &diff])
        .fails(3, &["layer code belongs to the graph itself"]);
    varvite(&["apply", "--layer", "heap", &graph, &diff]).text();
    assert_eq!((&layer()["nodes"], &layer()["tool"]), (&json!(1), &json!("varvite apply")));
    let used = folder.path("used.jsonl");
    let edge = format!(r#"{{"add_edge": {{"label": "CFG", "from": 0, "to": {}}}}}"#, site + 1);
    fs::write(&used, edge).unwrap();
    let unused = fs::read(&graph).unwrap();
    varvite(&["apply", &graph, &used]).text();
    varvite(&["drop-layer", &graph, "heap"]).fails(3, &["has an edge CFG that is not part of the layer"]);
    fs::write(&graph, unused).unwrap();
    varvite(&["compact", &graph]).text();
    assert_eq!(layer()["nodes"], json!(1));
    varvite(&["drop-layer", &graph, "heap"]).text();
    assert!(varvite(&["verify", &graph]).text().contains("whole"));
    varvite(&["compact", &graph]).text();
    assert_eq!(digest(), before);
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
    varvite(&["drop-layer", &graph, "code"]).fails(3, &["layer code belongs to the graph itself"]);
    varvite(&["drop-layer", &graph]).fails(2, &["NAME"]);
    assert!(fs::read(&graph).unwrap() == before);
}
