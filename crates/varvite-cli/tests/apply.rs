//! Tests of `varvite apply`.

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
    assert!(text.contains("1 operation, with 0 new nodes and 0 new edges"), "{text}");
    let removed = ["there is no node 3: it was removed"];
    varvite(&["tree", &graph, "3"]).fails(4, &removed);
    varvite(&["path", &graph, "0", "3"]).fails(4, &removed);
    varvite(&["callers", &graph, "3"]).fails(4, &removed);
    let plan = r#"{"version": 1, "steps": [{"step": "ids", "ids": [3]}]}"#;
    send(plan, &["query", &graph, "-"]).fails(4, &removed);
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
            "line 2: no earlier line adds a node",
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
            "line 1: values belong to a \"node\" or an \"edge\"",
        ),
        ("{\"remove_node\": 1, \"remove_node\": 2}", 2, "line 1: column"),
    ];
    // The diff is refused. This does not damage the graph, and the message does not claim that it did.
    let long = format!("{{\"declare_label\": \"{}\"}}", "n".repeat(70_000));
    let told = "bytes of a name: 70000 exceeds the limit of the format (65536)";
    send(&long, &["apply", &graph, "-"]).fails(3, &[told]);
    varvite(&["verify", &graph]).text();
    let committed_to = fs::read(&graph).unwrap();
    assert!(committed_to.starts_with(&before), "nothing was committed");
    fs::write(&graph, &before).unwrap();
    for (diff, code, words) in cases {
        send(diff, &["apply", &graph, "-"]).fails(code, &["standard input", words]);
        assert!(fs::read(&graph).unwrap() == before, "{diff}");
    }
}

#[test]
fn a_diff_in_little_memory_gives_the_same_file() {
    let folder = Folder::new();
    let diff = folder.path("diff.jsonl");
    let edge = |number: u32| {
        let (from, to) = (number * 7919 % 40_000, number % 1_000);
        format!("{{\"add_edge\": {{\"label\": \"CFG\", \"from\": {from}, \"to\": {to}}}}}\n")
    };
    fs::write(&diff, (0..5_000).map(edge).collect::<String>()).unwrap();
    let graphs = [("whole", "1G"), ("spilled", "4K")].map(|(name, memory)| {
        let graph = folder.import(name, "compact");
        varvite(&["apply", &graph, &diff, "--memory", memory]).text();
        graph
    });
    assert!(fs::read(&graphs[0]).unwrap() == fs::read(&graphs[1]).unwrap());
    let graph = &graphs[1];
    fs::write(
        &diff,
        (0..300).map(edge).chain(["{\"remove_node\": 4000000000}\n".to_owned()]).collect::<String>(),
    )
    .unwrap();
    varvite(&["apply", graph, &diff, "--memory", "4K"]).fails(4, &["line 301: there is no node 4000000000"]);
}

#[test]
fn a_graph_is_compacted_online_when_it_has_outgrown_its_columns() {
    let folder = Folder::new();
    let graph = folder.import("graph", "compact");
    let online = |more: &[&str]| {
        varvite(&[&["compact", &graph, "--online", "--format", "json"], more].concat()).json()
    };
    let left = online(&["--when-over", "1000%"]);
    assert!(left["column_bytes"].as_u64().unwrap() > left["other_bytes"].as_u64().unwrap(), "{left}");
    send("{\"remove_node\": 3}\n", &["apply", &graph, "-"]).text();
    assert_eq!(online(&["--when-over", "1G"])["locked_seconds"], json!(null));
    let compacted = online(&["--when-over", "0", "--rate", "64M"]);
    assert_eq!(compacted["rounds"], json!(0));
    assert!(compacted["locked_seconds"].as_f64().unwrap() >= 0.0);
    assert!(compacted["file_bytes"].as_u64().unwrap() < compacted["bytes_before"].as_u64().unwrap());
    assert!(online(&[])["column_bytes"].as_u64().is_some(), "nothing was changed since");
    varvite(&["compact", &graph, "--rate", "64M"]).fails(2, &["--online"]);
    varvite(&["compact", &graph, "--online", "--when-over", "much"])
        .fails(2, &["expected a number of bytes"]);
    varvite(&["compact", &graph, "--online", "--watch", "5"]).fails(2, &["--when-over"]);
}

#[test]
fn compacting_writes_which_numbers_nodes_and_edges_have_now() {
    let folder = Folder::new();
    let graph = folder.import("graph", "compact");
    let maps = folder.path("maps");
    varvite(&["compact", &graph, "--maps", &graph]).fails(2, &["--maps names a graph; choose another file"]);
    let nodes = varvite(&["info", &graph, "--format", "json"]).json()["nodes"].as_u64().unwrap();
    send(
        "{\"remove_node\": 3}\n{\"add_edge\": {\"label\": \"CFG\", \"from\": 9, \"to\": 8}}\n",
        &["apply", &graph, "-"],
    )
    .text();
    varvite(&["compact", &graph, "--maps", &maps]).text();
    let bytes = fs::read(&maps).unwrap();
    let index = index_of(&bytes);
    let numbers = |place: &serde_json::Value| {
        let start = place["offset"].as_u64().unwrap() as usize;
        let bytes = &bytes[start..][..4 * place["count"].as_u64().unwrap() as usize];
        bytes.chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())).collect::<Vec<u32>>()
    };
    let ids = numbers(&index["nodes"]);
    assert_eq!((ids.len() as u64, ids[3]), (nodes, u32::MAX));
    assert!(is_numbered(&ids), "every other node has an id of its own");
    assert_eq!(index["renumbered"], json!(true));
    let cfg = index["edges"].as_array().unwrap().iter().find(|edges| edges["label"] == "CFG").unwrap();
    let ranks = numbers(cfg);
    assert_ne!(ranks.last(), Some(&u32::MAX), "the edge that was added is still there");
    assert!(is_numbered(&ranks));
    varvite(&["compact", &graph, "--maps", &maps]).fails(3, &["exists already"]);
    varvite(&["compact", &graph, "--maps", &maps, "--force"]).text();
    let index = index_of(&fs::read(&maps).unwrap());
    assert_eq!((&index["renumbered"], &index["edges"]), (&json!(false), &json!([])));
}

/// Whether the new numbers, except those of removed elements, are 0, 1, 2 and so on.
fn is_numbered(new_of_old: &[u32]) -> bool {
    let mut kept: Vec<u32> = new_of_old.iter().copied().filter(|number| *number != u32::MAX).collect();
    kept.sort_unstable();
    !kept.is_empty()
        && kept.into_iter().eq(0..new_of_old.iter().filter(|number| **number != u32::MAX).count() as u32)
}

/// The index in a file of maps. The file's first line says where it is.
fn index_of(bytes: &[u8]) -> serde_json::Value {
    assert_eq!(bytes[63], b'\n');
    let line = std::str::from_utf8(&bytes[..63]).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[..2], ["varvite-maps", "1"]);
    let [at, length] = [words[2], words[3]].map(|number| number.parse::<usize>().unwrap());
    assert_eq!(at + length, bytes.len());
    serde_json::from_slice(&bytes[at..]).unwrap()
}
