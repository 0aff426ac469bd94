//! Tests of `varvite diff`.

use std::fs;

use serde_json::{Value as Json, json};

use crate::command::{Folder, send, varvite, zlib};

/// The id of the METHOD with this name in zlib.
fn method(graph: &str, name: &str) -> u64 {
    let name = format!("NAME={name}");
    let found = varvite(&["find", graph, "METHOD", &name, "--format", "json"]).json();
    found[0]["node"].as_u64().unwrap()
}

/// Makes a copy of zlib with a few changes.
fn edited(folder: &Folder, name: &str) -> String {
    let graph = folder.path(name);
    fs::copy(zlib(), &graph).unwrap();
    let (changed, removed) = (method(zlib(), "inflate"), method(zlib(), "deflate"));
    let diff = format!(
        r#"{{"declare_label": "SINK"}}
{{"set": {{"node": {changed}, "property": "CODE", "value": "int inflate()"}}}}
{{"add_node": {{"name": "sink", "labels": ["SINK"], "properties": {{"NAME": "drain"}}}}}}
{{"add_edge": {{"label": "CFG", "from": {changed}, "to": "sink"}}}}
{{"remove_node": {removed}}}
"#
    );
    send(&diff, &["apply", &graph, "-"]).text();
    graph
}

/// Runs a command that must find a difference, and returns its output.
fn differs(words: &[&str]) -> String {
    let answer = varvite(words);
    assert!(answer.errors().ends_with(" differ\n"), "{}", answer.errors());
    let (status, output) = answer.status_and_output();
    assert_eq!(status, Some(1));
    String::from_utf8(output).unwrap()
}

#[test]
fn graphs_in_two_profiles_are_equal() {
    let folder = Folder::new();
    let direct = folder.import("direct", "direct");
    assert_eq!(varvite(&["diff", zlib(), &direct]).text(), "equal\n");
    assert_eq!(varvite(&["diff", zlib(), &direct, "--format", "json"]).json(), json!([]));
    assert_eq!(varvite(&["diff", zlib(), &direct, "--as-diff"]).text(), "");
}

#[test]
fn what_was_edited_is_what_differs() {
    let folder = Folder::new();
    let graph = edited(&folder, "edited.varvite");
    let report = differs(&["diff", zlib(), &graph]);
    let lines = [
        "label SINK is only in",
        "METHOD deflate (deflate.c:",
        "SINK drain (node ",
        "METHOD inflate (inflate.c:",
    ];
    for line in lines {
        assert!(report.contains(line), "{line} is not in\n{report}");
    }
    assert!(report.contains("is \"int inflate()\""), "{report}");
    let rows = differs(&["diff", zlib(), &graph, "--format", "json"]);
    let rows: Vec<Json> = serde_json::from_str(&rows).unwrap();
    let values: Vec<&Json> = rows.iter().filter(|row| row["change"] == "value").collect();
    assert_eq!(values.len(), 1);
    assert_eq!((&values[0]["property"], &values[0]["after"]), (&json!("CODE"), &json!("int inflate()")));
    let count = |change: &str| rows.iter().filter(|row| row["change"] == change).count();
    assert_eq!((count("label_added"), count("node_added"), count("node_removed")), (1, 1, 1));
    assert_eq!(count("edge_added"), 1);
    assert!(count("edge_removed") > 3);
}

#[test]
fn the_diff_makes_one_graph_of_the_other() {
    let folder = Folder::new();
    let (graph, diff, copy) =
        (edited(&folder, "a.varvite"), folder.path("b.jsonl"), folder.path("c.varvite"));
    varvite(&["diff", zlib(), &graph, "--as-diff", "-o", &diff]).text();
    fs::copy(zlib(), &copy).unwrap();
    varvite(&["apply", &copy, &diff]).text();
    varvite(&["compact", &copy]).text();
    varvite(&["compact", &graph]).text();
    assert_eq!(varvite(&["digest", "compare", &copy, &graph]).text(), "equal\n");
    assert_eq!(varvite(&["diff", &copy, &graph]).text(), "equal\n");
    varvite(&["diff", zlib(), &graph, "--as-diff", "-o", &diff]).fails(3, &["exists"]);
    varvite(&["diff", zlib(), &graph, "--as-diff", "-o", &graph])
        .fails(2, &["names one of the compared graphs"]);
}

#[test]
fn what_no_diff_can_make_is_told() {
    let folder = Folder::new();
    let graph = edited(&folder, "a.varvite");
    let diff = folder.path("b.jsonl");
    let answer = varvite(&["diff", &graph, zlib(), "--as-diff", "-o", &diff]);
    let told = answer.errors();
    assert!(told.contains("note: label SINK is only in the first graph"), "{told}");
    assert!(told.contains("still differs"), "{told}");
    assert_eq!(answer.status_and_output().0, Some(1));
}

#[test]
fn what_is_no_graph_or_the_same_file_is_told() {
    let folder = Folder::new();
    let text = folder.path("text");
    fs::write(&text, "no graph").unwrap();
    varvite(&["diff", zlib(), &text]).fails(3, &["text"]);
    varvite(&["diff", zlib()]).fails(2, &["two graphs"]);
    let same = varvite(&["diff", zlib(), zlib()]);
    assert!(same.errors().contains("nothing was compared") && same.output() == "equal\n");
    varvite(&["diff", zlib(), &folder.import("direct", "direct"), "--memory", "1M"]).fails(6, &["--memory"]);
}

/// The two graphs come from tables with the same rows, but in different orders. No node, value or edge
/// differs, but the graphs are not equal.
#[test]
fn another_order_of_roots_is_a_difference() {
    let folder = Folder::new();
    let [first, second] = [("first", ["1,x", "2,y"]), ("second", ["2,y", "1,x"])].map(|(name, rows)| {
        let (table, graph) = (folder.path(&format!("{name}.csv")), folder.path(&format!("{name}.varvite")));
        fs::write(&table, format!(":ID,name\n{}\n", rows.join("\n"))).unwrap();
        varvite(&["import", "--format", "neo4j-csv", "--nodes", &format!("A={table}"), "-o", &graph]).text();
        graph
    });
    assert!(differs(&["diff", &first, &second]).contains("common roots in a different order (1)"));
    let rows: Json = serde_json::from_str(&differs(&["diff", &first, &second, "--format", "json"])).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(
        (&rows[0]["change"], &rows[0]["first"], &rows[0]["second"]),
        (&json!("root_order"), &json!(0), &json!(1))
    );
}
