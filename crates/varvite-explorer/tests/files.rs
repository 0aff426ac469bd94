//! Files that are damaged, missing or replaced, and the errors that the page gets.

use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value as Json, json};
use varvite::Graph;
use varvite_explorer::{Explorer, Limits, ServeError};

use crate::server::{Server, buffered, example, file};

/// Longer than the time for which the server relies on its last look at a file.
const LOOK: Duration = Duration::from_millis(700);

fn symbol(file: usize) -> Json {
    json!({ "question": "symbol", "file": file, "node": 1 })
}

#[test]
fn a_file_that_cannot_be_opened_is_named_and_the_others_are_served() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("damaged.varvite");
    std::fs::write(&damaged, b"no graph").unwrap();
    let files = vec![
        file("damaged", &damaged),
        file("missing", folder.path().join("missing.varvite")),
        file("zlib", example("zlib")),
    ];
    let server = Server::start(files, Limits::default());
    let answer = server.ask(json!({ "question": "files" }));
    let error = |file: usize| answer["files"][file]["error"].as_str().unwrap_or_default().to_owned();
    assert!(error(0).contains("damaged.varvite"), "{answer}");
    assert!(error(1).contains("missing.varvite"), "{answer}");
    assert_eq!(answer["files"][2]["nodes"], json!(44_073));
    let (status, error) = server.fault(symbol(0));
    assert_eq!((status, &error["code"]), (409, &json!("unreadable")));
    assert_eq!(server.ask(symbol(2))["node"]["node"], json!(1));
    // A search in all files passes over those that are not open.
    let answer = server.ask(json!({ "question": "search", "text": "inflate" }));
    assert_eq!(answer["rows"][0]["file"], json!(2));
    let skipped = answer["skipped"].as_array().unwrap();
    assert_eq!(skipped.iter().map(|it| it["file"].clone()).collect::<Vec<_>>(), [json!(0), json!(1)]);
}

#[test]
fn without_any_file_the_server_does_not_start() {
    let files = vec![file("missing", "/no/such/file.varvite")];
    assert!(matches!(Explorer::bind(files, Limits::default(), 0), Err(ServeError::Graph(_))));
}

#[test]
fn a_port_in_use_is_an_error_of_one_line() {
    let server = Server::of_examples();
    let files = vec![file("zlib", example("zlib"))];
    let error = Explorer::bind(files, Limits::default(), server.address.port()).unwrap_err().to_string();
    assert!(error.starts_with("cannot listen on 127.0.0.1:") && error.contains("--port"), "{error}");
    assert_eq!(error.lines().count(), 1);
}

#[test]
fn a_replaced_file_is_a_conflict_until_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    std::fs::copy(example("zlib"), &path).unwrap();
    let server = Server::start(vec![file("graph", &path)], Limits::default());
    assert_eq!(server.ask(symbol(0))["node"]["node"], json!(1));
    replace(&path, &example("content"));
    sleep(LOOK);
    let (status, error) = server.fault(symbol(0));
    assert_eq!((status, &error["code"]), (409, &json!("replaced")), "{error}");
    let answer = server.ask(json!({ "question": "files" }));
    assert!(answer["files"][0]["changed"].as_str().unwrap().contains("was replaced"), "{answer}");
    let answer = server.ask(json!({ "question": "reopen" }));
    assert_eq!(answer["nodes"], json!(Graph::open(&path).unwrap().live_node_count()));
    assert_eq!(server.ask(symbol(0))["node"]["node"], json!(1));
}

#[test]
fn a_file_that_is_overwritten_in_place_is_a_conflict_until_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    std::fs::copy(example("zlib"), &path).unwrap();
    let server = Server::start(vec![buffered("graph", &path)], Limits::default());
    assert_eq!(server.ask(symbol(0))["node"]["node"], json!(1));
    // Shorter, and in the same file, as `cp` writes it.
    std::fs::write(&path, std::fs::read(example("content")).unwrap()).unwrap();
    let everything = json!({ "question": "ask", "text": "cpg.all.map(n => (n.label, n.code, n.name)).l" });
    let (status, error) = server.fault(everything);
    assert_eq!((status, &error["code"]), (409, &json!("replaced")), "{error}");
    let answer = server.ask(json!({ "question": "reopen" }));
    assert_eq!(answer["nodes"], json!(Graph::open(&path).unwrap().live_node_count()));
    assert_eq!(server.ask(symbol(0))["node"]["node"], json!(1));
}

#[test]
fn a_removed_file_is_a_conflict_and_the_server_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    std::fs::copy(example("content"), &path).unwrap();
    let server = Server::start(vec![file("graph", &path)], Limits::default());
    std::fs::remove_file(&path).unwrap();
    sleep(LOOK);
    let (status, error) = server.fault(symbol(0));
    assert_eq!((status, &error["code"]), (409, &json!("missing")), "{error}");
    let (status, error) = server.fault(json!({ "question": "reopen" }));
    assert_eq!((status, &error["code"]), (409, &json!("unreadable")), "{error}");
    std::fs::copy(example("content"), &path).unwrap();
    server.ask(json!({ "question": "reopen" }));
    assert_eq!(server.ask(symbol(0))["node"]["node"], json!(1));
}

#[test]
fn a_file_that_cannot_be_opened_again_stays_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    std::fs::copy(example("zlib"), &path).unwrap();
    let server = Server::start(vec![file("graph", &path)], Limits::default());
    let half = folder.path().join("half");
    std::fs::write(&half, b"a file that is being written").unwrap();
    replace(&path, &half);
    let (status, error) = server.fault(json!({ "question": "reopen" }));
    assert_eq!((status, &error["code"]), (409, &json!("unreadable")), "{error}");
    let files = server.ask(json!({ "question": "files" }));
    assert_eq!((&files["files"][0]["error"], &files["files"][0]["nodes"]), (&Json::Null, &json!(44_073)));
    replace(&path, &example("content"));
    server.ask(json!({ "question": "reopen" }));
    assert_eq!(server.ask(symbol(0))["node"]["node"], json!(1));
}

#[test]
fn a_file_that_was_broken_can_be_opened_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("later.varvite");
    let server = Server::start(vec![file("later", &path), file("zlib", example("zlib"))], Limits::default());
    assert_eq!(server.fault(json!({ "question": "reopen" })).0, 409);
    std::fs::copy(example("content"), &path).unwrap();
    assert!(server.ask(json!({ "question": "reopen" }))["nodes"].is_number());
    assert_eq!(server.ask(symbol(0))["node"]["node"], json!(1));
}

#[test]
fn damage_is_told_and_the_server_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    let mut bytes = std::fs::read(example("zlib")).unwrap();
    // The directory is at the end of the file, so the graph opens.
    let (begin, end) = (bytes.len() / 20, bytes.len() / 4 * 3);
    bytes[begin..end].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let server =
        Server::start(vec![file("damaged", &path), file("zlib", example("zlib"))], Limits::default());
    let everything =
        json!({ "question": "ask", "text": "cpg.all.map(n => (n.label, n.code, n.name, n.order)).l" });
    let (status, error) = server.fault(everything);
    assert_eq!((status, &error["code"]), (422, &json!("damaged")), "{error}");
    assert_eq!(
        server.ask(json!({ "question": "ask", "file": 1, "text": "cpg.method.size" })),
        json!({ "value": 425 })
    );
}

/// Gives a path to a copy of another file, as a program does that writes a new file and renames it.
fn replace(path: &Path, with: &Path) {
    let staged = path.with_extension("staged");
    std::fs::copy(with, &staged).unwrap();
    std::fs::rename(&staged, path).unwrap();
}
