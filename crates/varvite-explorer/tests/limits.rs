//! Questions about hostile graphs: long texts, large hubs. Each of them ends soon after its deadline, and
//! holds no more memory than it may.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};
use tempfile::TempDir;
use varvite::Graph;
use varvite::change::Diff;
use varvite::vfs::RealVfs;
use varvite::write::GraphChange;
use varvite_explorer::Limits;
use varvite_show::{Beginning, node_at};

use crate::server::{Server, example, file};

/// The length of a long text in bytes.
const LONG: usize = 64 << 20;

/// A copy of the graph with sources in which `adler32` has a long NAME, FULL_NAME and CODE.
fn with_long_texts() -> (TempDir, PathBuf, u32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.varvite");
    std::fs::copy(example("content"), &path).unwrap();
    let node = node_at(&Graph::open(&path).unwrap(), "adler32").unwrap();
    let mut diff = Diff::new();
    let text = "long_name_".repeat(LONG / 10);
    for property in ["NAME", "FULL_NAME", "CODE"] {
        diff.set(node, property, [text.as_str()]);
    }
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply(&diff).unwrap();
    (folder, path, node)
}

fn start(path: &Path, limits: Limits) -> Server {
    Server::start(vec![file("graph", path)], limits)
}

#[test]
fn long_texts_are_cut_in_every_answer() {
    let (_folder, path, node) = with_long_texts();
    let server = start(&path, Limits::default());
    let begin = Instant::now();
    for question in [
        json!({ "question": "symbol", "node": node }),
        json!({ "question": "search", "text": "adler" }),
        json!({ "question": "search", "text": format!("#{node}") }),
        json!({ "question": "drawing", "node": node, "view": "ast" }),
        json!({ "question": "drawing", "node": node, "view": "calls", "svg": true }),
        json!({ "question": "plan", "plan": { "version": 1, "steps": [{ "step": "ids", "ids": [node] }] } }),
    ] {
        let answer = server.ask(question.clone()).to_string();
        assert!(answer.len() < 3 << 20, "{question}: {}", answer.len());
    }
    let symbol = server.ask(json!({ "question": "symbol", "node": node }));
    let name = symbol["node"]["name"].as_str().unwrap();
    assert!(name.starts_with("long_name_") && name.ends_with('…') && name.chars().count() == 201, "{name}");
    let properties = symbol["properties"].as_array().unwrap();
    let code = properties.iter().find(|it| it["name"] == json!("CODE")).unwrap();
    assert_eq!(code["value"].as_str().unwrap().chars().count(), 2_001);
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn no_more_of_a_long_text_is_copied_than_a_page_shows() {
    let (_folder, path, node) = with_long_texts();
    let graph = Graph::open(&path).unwrap();
    let code = graph.property("CODE").unwrap();
    let mut beginning = None;
    let used = allocation_counter::measure(|| beginning = Beginning::of(&code, node, 100));
    assert!(used.bytes_max < 1_000, "{} bytes", used.bytes_max);
    let beginning = beginning.unwrap();
    assert_eq!((beginning.text.len(), beginning.is_cut), (100, true));
    assert_eq!(Beginning::whole(&code, node, LONG - 11), None);
}

#[test]
fn cells_take_their_memory_before_a_row_is_made() {
    // A row of hundreds of lists: each list has up to 1,000 texts.
    let list = "m.ast.code.l";
    let columns = vec![list; 60].join(", ");
    let text = format!("cpg.method(\"inflate\").map(m => ({columns})).l");
    let server =
        Server::start(vec![file("zlib", example("zlib"))], Limits { memory: 2 << 20, ..Limits::default() });
    let (status, error) = server.fault(json!({ "question": "ask", "text": text }));
    assert_eq!((status, &error["code"]), (422, &json!("over_memory")), "{error}");
    assert_eq!(server.ask(json!({ "question": "ask", "text": "cpg.method.size" })), json!({ "value": 425 }));
}

/// A plan that runs until its deadline.
fn endless() -> Json {
    let mut steps = vec![json!({ "step": "nodes" })];
    steps.extend(vec![json!({ "step": "out" }); 8]);
    steps.push(json!({ "step": "count" }));
    json!({ "question": "plan", "plan": { "version": 1, "steps": steps } })
}

#[test]
fn the_wait_for_a_turn_counts_towards_the_deadline() {
    let limits = Limits { deadline: Duration::from_secs(2), ..Limits::default() };
    let server = Server::start(vec![file("zlib", example("zlib"))], limits);
    // Twice as many as there are turns: the second half waits for all of its time.
    let begin = Instant::now();
    thread::scope(|scope| {
        let ask = || {
            let outcome = server.fault(endless());
            (outcome, begin.elapsed())
        };
        let asked: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        for thread in asked {
            let ((status, error), passed) = thread.join().unwrap();
            assert_eq!((status, &error["code"]), (422, &json!("over_time")), "{error}");
            assert!(passed < Duration::from_millis(3_900), "{passed:?}");
        }
    });
    assert_eq!(server.ask(json!({ "question": "ask", "text": "cpg.method.size" })), json!({ "value": 425 }));
}

#[test]
fn a_commit_by_another_program_is_said_and_the_graph_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    std::fs::copy(example("content"), &path).unwrap();
    let server = start(&path, Limits::default());
    let nodes = server.ask(json!({ "question": "files" }))["files"][0]["nodes"].clone();
    let mut diff = Diff::new();
    diff.add_node(&["METHOD"]);
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply(&diff).unwrap();
    thread::sleep(Duration::from_millis(700));
    let file = server.ask(json!({ "question": "files" }))["files"][0].clone();
    assert!(file["changed"].as_str().unwrap().contains("newest commit"), "{file}");
    assert_eq!(file["nodes"], nodes);
    // Every answer says so, for pages that are open.
    let behind = |server: &Server| {
        let question = json!({ "question": "symbol", "node": 1 }).to_string();
        server.post("/api/query", &question).json()["behind"].clone()
    };
    assert_eq!(behind(&server), json!([0]));
    let file = server.ask(json!({ "question": "reopen" }));
    assert_eq!((&file["changed"], &file["nodes"]), (&Json::Null, &json!(nodes.as_u64().unwrap() + 1)));
    assert_eq!(behind(&server), json!([]));
}
