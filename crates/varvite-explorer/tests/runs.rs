//! Questions about profiles and traces, asked of a small program whose counts are known.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use varvite::change::Diff;
use varvite::vfs::RealVfs;
use varvite::write::{GraphChange, LayerSpec};
use varvite::{Cardinality, Task, ValueType};
use varvite_explorer::Limits;
use varvite_profile::layer::{HeapOptions, import};
use varvite_profile::{Limits as ProfileLimits, Profile, collapsed, heaptrack};

use crate::server::{Server, example, file};

/// Samples of two runs: `longest_match` became cheaper by 20, and `fill_window` dearer by 15.
const BEFORE: &str = "main;deflate;longest_match 30\nmain;deflate;fill_window 10\nmain;deflate 5\n";
const AFTER: &str = "main;deflate;longest_match 10\nmain;deflate;fill_window 25\nmain;deflate 5\n";
/// `main` allocates 16 bytes at the start, 16 more after 10 ms, and frees the first after 20 ms.
const HEAP: &str = "v 10400 3\nX ./small\nI 1000 10\ns 4 main\ns 1 m\ns 6 main.c\ni 10 2 1 3 a\nt 1 0\na 10 1\n\
    c 0\n+ 0\nc a\n+ 0\nR 7\nc 14\n- 0\nc 1e\n";

/// A graph with the profiles `cpu/before`, `cpu/after` and `heap`, the trace `trace/whole`, and the sampled
/// trace `trace/parts`.
fn graph() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.varvite");
    std::fs::copy(example("zlib"), &path).unwrap();
    let limits = ProfileLimits::default();
    for (name, text) in [("before", BEFORE), ("after", AFTER)] {
        add(&path, name, &collapsed::read(text.as_bytes(), &limits).unwrap());
    }
    add(&path, "", &heaptrack::read(HEAP.as_bytes(), &limits).unwrap());
    add_trace(&path, "trace/whole", &["TRACE_WHOLE_LOADS"]);
    add_trace(&path, "trace/parts", &["TRACE_PARTS_LOADS", "TRACE_PARTS_SAMPLED"]);
    (folder, path)
}

fn add(path: &Path, name: &str, profile: &Profile) {
    let source = [name.len() as u8 + 1; 32];
    let options = HeapOptions { name: name.to_owned(), source, ..HeapOptions::default() };
    import(Arc::new(RealVfs), path, profile, &options, &Task::new()).unwrap();
}

fn add_trace(path: &Path, name: &str, properties: &[&str]) {
    let mut diff = Diff::new();
    for property in properties {
        let owner = varvite::change::PropertyOwner::Nodes;
        diff.declare_property(property, owner, ValueType::I64, Cardinality::Optional);
        diff.set(1_u32, property, [1_i64]);
    }
    let layer = LayerSpec { name, tool: "recorder", version: "1", source: [0; 32] };
    GraphChange::open(path).unwrap().add_layer(&layer, &diff, &Task::new()).unwrap();
}

fn server(path: &Path) -> Server {
    Server::start(vec![file("runs", path)], Limits::default())
}

fn row<'a>(rows: &'a Json, layer: &str) -> &'a Json {
    rows.as_array().unwrap().iter().find(|row| row["layer"] == json!(layer)).unwrap()
}

#[test]
fn runs_lists_every_profile_and_trace_and_says_which_are_samples() {
    let (_folder, path) = graph();
    let rows = server(&path).ask(json!({ "question": "runs" }))["rows"].clone();
    let expected = [
        ("cpu/before", "cpu", true, true, false),
        ("cpu/after", "cpu", true, true, false),
        ("heap", "heap", false, true, true),
        ("trace/whole", "trace", false, false, false),
        ("trace/parts", "trace", true, false, false),
    ];
    assert_eq!(rows.as_array().unwrap().len(), expected.len(), "{rows}");
    for (layer, kind, sampled, has_flame, has_timeline) in expected {
        let row = row(&rows, layer);
        let found = ["kind", "sampled", "has_flame", "has_timeline"].map(|field| row[field].clone());
        assert_eq!(found, [json!(kind), json!(sampled), json!(has_flame), json!(has_timeline)], "{layer}");
    }
    let samples = json!([{ "name": "samples", "unit": "count", "noun": "samples", "total": 45 }]);
    assert_eq!(row(&rows, "cpu/before")["measures"], samples);
    assert_eq!(row(&rows, "heap")["command"], json!("./small"));
}

#[test]
fn a_flame_graph_is_a_document_with_the_frames_that_is_shown_once() {
    let (_folder, path) = graph();
    let server = server(&path);
    let answer = server.ask(json!({ "question": "flame", "layer": "cpu/before" }));
    assert_eq!((&answer["total"], &answer["unit"]), (&json!(45), &json!("samples")));
    let view = answer["view"].as_str().unwrap();
    let get = || {
        let request = format!("GET {view} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
        server.send(request.as_bytes()).unwrap()
    };
    let (shown, again) = (get(), get());
    assert_eq!((shown.status, again.status), (200, 404));
    let (_, frames) = shown.body.split_once("<script type=\"application/json\" id=\"frames\">").unwrap();
    let frames: Json = serde_json::from_str(frames.split_once("</script>").unwrap().0).unwrap();
    let names: Vec<_> = frames["symbols"].as_array().unwrap().iter().map(|symbol| &symbol[0]).collect();
    assert_eq!(names, ["main", "deflate", "fill_window", "longest_match"]);
    assert_eq!((&frames["all"], &frames["own"]), (&json!([45, 45, 10, 30]), &json!([0, 5, 10, 30])));
    let (status, error) =
        server.fault(json!({ "question": "flame", "layer": "cpu/before", "measure": "bytes" }));
    assert_eq!((status, &error["code"]), (404, &json!("no_such_name")), "{error}");
}

#[test]
fn a_timeline_has_the_memory_in_use_in_each_interval() {
    let (_folder, path) = graph();
    let server = server(&path);
    let answer = server.ask(json!({ "question": "timeline", "layer": "heap" }));
    assert_eq!((&answer["from_ms"], &answer["interval_ms"]), (&json!(0), &json!(10)));
    let numbers =
        |row: &Json| ["ms", "calls", "live_bytes", "peak_bytes"].map(|it| row[it].as_i64().unwrap());
    let rows: Vec<[i64; 4]> = answer["rows"].as_array().unwrap().iter().map(numbers).collect();
    assert_eq!(rows[..3], [[0, 1, 16, 16], [10, 1, 32, 32], [20, 0, 16, 32]], "{rows:?}");
    let (status, _) = server.fault(json!({ "question": "timeline", "layer": "none" }));
    assert_eq!(status, 404);
    // The layer has only sums: the moments of its timeline have no places.
    let (status, error) = server.fault(json!({ "question": "moment", "layer": "heap", "ms": 10 }));
    assert_eq!((status, &error["code"]), (400, &json!("bad_question")), "{error}");
    assert!(error["message"].as_str().unwrap().contains("--events"), "{error}");
}

#[test]
fn two_profiles_are_compared_by_function_the_largest_change_first() {
    let (_folder, path) = graph();
    let server = server(&path);
    let compare = |first: &str, second: &str, limit: usize| {
        json!({ "question": "compare", "first": { "layer": first }, "second": { "layer": second },
            "limit": limit })
    };
    let answer = server.ask(compare("cpu/before", "cpu/after", 9));
    let row = |function: &str, first: i64, second: i64| json!({ "function": function, "first": first, "second": second, "difference": second - first });
    assert_eq!(answer["rows"], json!([row("longest_match", 30, 10), row("fill_window", 10, 25)]));
    assert_eq!((&answer["left_off"], &answer["unit"]), (&json!(0), &json!("samples")));
    let answer = server.ask(compare("cpu/before", "cpu/after", 1));
    assert_eq!((answer["rows"].as_array().unwrap().len(), &answer["left_off"]), (1, &json!(1)));
    let (status, error) = server.fault(compare("cpu/before", "heap", 9));
    assert_eq!((status, &error["code"]), (400, &json!("bad_question")), "{error}");
}
