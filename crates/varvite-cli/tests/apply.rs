//! `varvite apply`.

use std::fs;

use serde_json::json;

use crate::command::{Folder, send, varvite};

#[test]
fn a_diff_changes_what_commands_answer() {
    let folder = Folder::new();
    let graph = folder.import("graph", "compact");
    let diff = folder.path("diff.jsonl");
    let nodes = varvite(&["info", &graph, "--format", "json"]).json()["nodes"].as_u64().unwrap();
    fs::write(
        &diff,
        r#"{"declare_label": "SINK"}
{"add_node": {"name": "a", "labels": ["SINK", "METHOD"], "properties": {"NAME": "sink_of_mine"}}}
{"add_edge": {"label": "CFG", "from": 0, "to": "a"}}
"#,
    )
    .unwrap();
    let before = fs::metadata(&graph).unwrap().len();
    let answer = varvite(&["apply", &graph, &diff, "--format", "json"]).json();
    assert_eq!(answer["operations"], json!(4));
    assert_eq!((&answer["new_nodes"], &answer["first_new_node"]), (&json!(1), &json!(nodes)));
    assert_eq!((&answer["new_edges"], &answer["generation"]), (&json!(1), &json!(2)));
    let after = fs::metadata(&graph).unwrap().len();
    assert_eq!(answer["written_bytes"], json!(after - before));
    assert_eq!(answer["file_bytes"], json!(after));
    let found = varvite(&["find", &graph, "SINK", "NAME=sink_of_mine", "--format", "json"]).json();
    assert_eq!(found[0]["node"], json!(nodes));
    let text = send("{\"remove_node\": 3}\n", &["apply", &graph, "-"]).text();
    assert!(text.contains("1 operations, with 0 new nodes and 0 new edges"), "{text}");
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_changes_nothing() {
    let folder = Folder::new();
    let graph = folder.import("graph", "direct");
    let before = fs::read(&graph).unwrap();
    let cases = [
        ("{\"declare_label\": \"A\"}\n\n{\"add_nod\": {}}", 2, "line 3: column"),
        ("{\"remove_node\": 1}\n{\"remove_node\": 4000000000}", 4, "line 2: there is no node 4000000000"),
        (
            "\n{\"add_edge\": {\"label\": \"CFG\", \"from\": 0, \"to\": \"x\"}}",
            2,
            "line 2: no line before adds a node",
        ),
        ("{\"set\": {\"node\": 0, \"property\": \"NAMES\", \"value\": 1}}", 4, "the nearest is \"NAME\""),
        (
            "{\"set\": {\"node\": 0, \"property\": \"NAME\", \"value\": 1}}",
            2,
            "line 1: property NAME holds string",
        ),
        (
            "{\"set\": {\"property\": \"NAME\", \"value\": 1}}",
            2,
            "line 1: values are for a \"node\" or an \"edge\"",
        ),
        ("{\"remove_node\": 1, \"remove_node\": 2}", 2, "line 1: column"),
    ];
    for (diff, code, words) in cases {
        send(diff, &["apply", &graph, "-"]).fails(code, &["standard input", words]);
        assert!(fs::read(&graph).unwrap() == before, "{diff}");
    }
}
