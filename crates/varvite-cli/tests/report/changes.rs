//! The comparison with another graph.

use std::fs;

use serde_json::{Value as Json, json};

use super::page::number;
use super::report;
use crate::command::{Folder, varvite, zlib};

const PROFILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data");
const TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");

/// A copy of zlib, changed by these operations.
fn changed(folder: &Folder, lines: &[serde_json::Value]) -> String {
    let (graph, diff) = (folder.import("changed.varvite", "compact"), folder.path("diff.jsonl"));
    fs::write(&diff, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    varvite(&["apply", &graph, &diff]).text();
    graph
}

fn node(words: &[&str]) -> u64 {
    let words = [&["find", zlib()], words, &["--format", "json"]].concat();
    varvite(&words).json()[0]["node"].as_u64().unwrap()
}

#[test]
fn equal_graphs_have_only_equal_functions() {
    let folder = Folder::new();
    let other = folder.import("other.varvite", "archive");
    let page = report(zlib(), &["--diff", &other, "--sections", "changes"]);
    let sizes = page.table("Sizes");
    assert!(sizes.column("change").iter().all(|change| *change == "0"), "{:?}", sizes.rows);
    let said = page.paragraphs.iter().find(|it| it.contains("are equal")).unwrap();
    assert!(said.starts_with("0 functions were added, 0 were removed, 0 have another content"), "{said}");
    assert_eq!(page.tables.len(), 1);
}

#[test]
fn edited_added_and_removed_functions_are_listed() {
    let folder = Folder::new();
    let call = node(&["CALL", "NAME=memcpy"]);
    let renamed = node(&["METHOD", "FULL_NAME=deflateEnd"]);
    let moved = node(&["METHOD", "FULL_NAME=inflateEnd"]);
    let graph = changed(
        &folder,
        &[
            json!({ "set": { "node": call, "property": "CODE", "value": "something_else()" } }),
            json!({ "set": { "node": renamed, "property": "FULL_NAME", "value": "deflateFinish" } }),
            json!({ "set": { "node": moved, "property": "LINE_NUMBER", "value": 7 } }),
        ],
    );
    let page = report(&graph, &["--diff", zlib(), "--sections", "changes"]);
    let words =
        ["find", zlib(), "CALL", "NAME=memcpy", "--columns", "method", "--limit", "1", "--format", "json"];
    let method = varvite(&words).column("method").remove(0);
    assert_eq!(page.table("Edited functions").column("function"), [method.as_str().unwrap()]);
    assert_eq!(page.table("Added functions").column("function"), ["deflateFinish"]);
    assert_eq!(page.table("Removed functions").column("function"), ["deflateEnd"]);
}

#[test]
fn two_runs_are_compared_by_function() {
    let folder = Folder::new();
    let [before, after] = ["before.varvite", "after.varvite"].map(|name| folder.import(name, "compact"));
    varvite(&["import", "--into", &before, &format!("{PROFILES}/zlib.heaptrack.zst")]).text();
    let other = format!("{PROFILES}/sqlite.heaptrack.zst");
    varvite(&["import", "--into", &after, &other]).text_beside_complaints();
    let page = report(&after, &["--diff", &before, "--sections", "changes"]);
    let answer = varvite(&["heap", "diff", &before, &after, "--limit", "1000", "--format", "json"]).json();
    let change = |row: &Json| row["change"]["calls"].as_i64().unwrap().unsigned_abs();
    let expected: Vec<u64> = answer["rows"].as_array().unwrap().iter().map(change).collect();
    let table = page.table("Functions by the change of calls");
    let found =
        table.column("change").into_iter().map(|change| number(change.trim_start_matches(['+', '-'])));
    assert_eq!(found.collect::<Vec<_>>(), expected[..table.rows.len()]);
    assert_eq!(table.rows.len() as u64 + table.more, answer["rows_found"].as_u64().unwrap());
    let totals = ["before", "after"].map(|side| answer[side]["totals"]["calls"].to_string());
    let said = format!("calls: {} before, {} after.", totals[0], totals[1]);
    assert!(page.paragraphs.contains(&said), "{said}: {:?}", page.paragraphs);
}

#[test]
fn two_traces_are_compared_by_function() {
    let folder = Folder::new();
    let [before, after] = ["before.varvite", "after.varvite"].map(|name| folder.path(name));
    for (graph, more) in [(&before, &[][..]), (&after, &["--inlined"][..])] {
        varvite(&["import", &format!("{TRACE}/shapes.cpg.bin"), "-o", graph]).text();
        let binary = format!("{TRACE}/shapes");
        let words = ["import", "--into", graph, &format!("{TRACE}/shapes.vtrace"), "--binary", &binary];
        varvite(&[&words[..], more].concat()).text();
    }
    let page = report(&after, &["--diff", &before, "--sections", "changes"]);
    let table = page.table("Functions by the change of instructions");
    // With --inlined, the code of square is no longer that of its callers.
    let square = table.column("function").iter().position(|name| name.starts_with("square")).unwrap();
    assert_eq!(table.rows[square][2..], ["0", "64", "+64"]);
}

#[test]
fn a_missing_or_damaged_other_graph_is_named() {
    let folder = Folder::new();
    let output = folder.path("report.html");
    varvite(&["report", zlib(), "--diff", "missing.varvite", "-o", &output]).fails(3, &["missing.varvite"]);
    assert!(folder.files().is_empty());
}
