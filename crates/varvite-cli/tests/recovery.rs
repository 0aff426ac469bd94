//! Tests of graphs whose newest commit is damaged: every command reports that its answer comes from the
//! previous commit.

use std::fs;

use crate::command::{Folder, send, varvite};

const PAGE: usize = 4096;

/// Makes a graph with two commits. The second commit adds a METHOD.
fn two_commits(folder: &Folder) -> String {
    let graph = folder.import("graph.varvite", "compact");
    let diff = r#"{"add_node": {"labels": ["METHOD"], "properties": {"NAME": "added"}}}"#;
    send(diff, &["apply", &graph, "-"]).text();
    graph
}

fn flip(graph: &str, at: usize) {
    let mut bytes = fs::read(graph).unwrap();
    bytes[at] ^= 1;
    fs::write(graph, bytes).unwrap();
}

/// The offset of the second commit's directory in the file.
fn directory_of_second(graph: &str) -> usize {
    let bytes = fs::read(graph).unwrap();
    let field = bytes[2 * PAGE + 16..][..8].try_into().unwrap();
    u64::from_le_bytes(field) as usize
}

/// Damages the directory of the second commit, so that readers open the first one.
pub(crate) fn lose_second(graph: &str) {
    flip(graph, directory_of_second(graph) + 40);
}

fn questions<'a>(graph: &'a str, whole: &'a str) -> Vec<Vec<&'a str>> {
    vec![
        vec!["find", graph, "METHOD", "NAME=inflate"],
        vec!["find", graph, "METHOD", "NAME=added"],
        vec!["find", graph, "METHOD", "--buffered"],
        vec!["tree", graph, "METHOD:inflate"],
        vec!["callers", graph, "inflate"],
        vec!["info", graph],
        vec!["layers", graph],
        vec!["index", graph],
        vec!["digest", graph],
        vec!["digest", "compare", graph, whole],
        vec!["diff", graph, whole],
    ]
}

#[test]
fn a_lost_commit_is_told_at_the_end_of_every_question() {
    let folder = Folder::new();
    let (graph, whole) = (two_commits(&folder), folder.path("whole.varvite"));
    fs::copy(&graph, &whole).unwrap();
    lose_second(&graph);
    for question in questions(&graph, &whole) {
        let answer = varvite(&question);
        assert!(!answer.output().is_empty() || question.contains(&"NAME=added"), "{question:?} is answered");
        answer.fails(3, &["graph.varvite: commit 2, the newest, is damaged; commit 1 was read instead"]);
    }
    varvite(&["verify", &graph]).fails(1, &["damaged"]);
}

#[test]
fn no_writer_buries_a_lost_commit() {
    let folder = Folder::new();
    let (graph, left, first) = (two_commits(&folder), folder.path("left"), folder.import("first", "compact"));
    lose_second(&graph);
    let before = fs::read(&graph).unwrap();
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data/zlib.heaptrack.zst");
    let writers: [&[&str]; 5] = [
        &["index", &graph, "--add", "NAME"],
        &["drop-layer", &graph, "x"],
        &["compact", &graph],
        &["compact", &graph, "--online"],
        &["import", "--into", &graph, profile],
    ];
    let words = ["graph.varvite", "is damaged", "varvite compact FILE -o NEW"];
    for writer in writers {
        varvite(writer).fails(3, &words);
    }
    send("{\"remove_node\": 3}\n", &["apply", &graph, "-"]).fails(3, &words);
    assert_eq!(fs::read(&graph).unwrap(), before);

    varvite(&["compact", &graph, "-o", &left]).fails(3, &["commit 1 was read instead"]);
    let of_first = varvite(&["digest", &first, "--format", "json"]).json();
    assert_eq!(varvite(&["digest", &left, "--format", "json"]).json()["root"], of_first["root"]);
}

#[test]
fn a_damaged_superblock_is_told_and_written_anew() {
    let folder = Folder::new();
    let graph = two_commits(&folder);
    flip(&graph, 2 * PAGE + 8);
    let words = ["a superblock is damaged", "Commit 1 was read"];
    varvite(&["find", &graph, "METHOD", "NAME=inflate"]).fails(3, &words);
    let applied = send("{\"remove_node\": 3}\n", &["apply", &graph, "-"]);
    words.iter().for_each(|word| assert!(applied.errors().contains(word), "{}", applied.errors()));
    assert_eq!(applied.status_and_output().0, Some(0));
    varvite(&["verify", &graph]).text();
}

#[test]
fn the_superblock_of_an_older_commit_changes_no_answer() {
    let folder = Folder::new();
    let graph = two_commits(&folder);
    flip(&graph, PAGE + 8);
    let answer = varvite(&["find", &graph, "METHOD", "NAME=added", "--format", "jsonl"]);
    assert!(answer.errors().contains("the superblock of an older commit is damaged"), "{}", answer.errors());
    assert_eq!((answer.lines(), answer.status_and_output().0), (1, Some(0)));
}
