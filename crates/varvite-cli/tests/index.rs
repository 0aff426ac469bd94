//! Tests of `varvite index`, and `varvite import --index`.

use std::fs;

use serde_json::json;

use crate::command::{Folder, ZLIB, varvite};

#[test]
fn the_compacted_file_is_the_same_however_its_indexes_came_about() {
    let folder = Folder::new();
    for profile in ["direct", "compact", "archive"] {
        let path = folder.import(profile, profile);
        let compacted = |path: &str| {
            let target = folder.path("compacted");
            varvite(&["compact", path, "-o", &target, "--force"]).text();
            fs::read(target).unwrap()
        };
        let bare = compacted(&path);
        varvite(&["index", &path, "--add", "NAME"]).text();
        varvite(&["index", &path, "--add", "CODE,FULL_NAME", "--threads", "1"]).text();
        varvite(&["index", &path, "--drop", "CODE"]).text();
        let imported = folder.path("imported");
        let words = ["import", ZLIB, "-o", &imported, "--force", "--profile", profile];
        varvite(&[&words[..], &["--index", "FULL_NAME,NAME"]].concat()).text();
        assert!(compacted(&path) == compacted(&imported), "{profile}: made with the graph, or added");
        varvite(&["index", &path, "--drop", "NAME,FULL_NAME"]).text();
        assert!(compacted(&path) == bare, "{profile}: nothing stays behind");
    }
}

#[test]
fn a_graph_with_indexes_is_the_same_graph() {
    let folder = Folder::new();
    let path = folder.import("graph", "compact");
    let of = |command: &str| varvite(&[command, &path]).text();
    let exported = |name: &str| {
        let target = folder.path(name);
        varvite(&["export", &path, "-o", &target, "--format", "flatgraph"]).text();
        fs::read(target).unwrap()
    };
    let before = (of("facts"), of("digest"), exported("before.cpg.bin"));
    varvite(&["index", &path, "--add", "NAME,FULL_NAME,CODE"]).text();
    assert!(of("verify").contains("whole"));
    assert!(before == (of("facts"), of("digest"), exported("after.cpg.bin")));
}

#[test]
fn indexes_are_listed() {
    let folder = Folder::new();
    let path = folder.import("graph", "compact");
    let list = || varvite(&["index", &path, "--format", "json"]).json();
    assert_eq!(list(), json!([]));
    let text = varvite(&["index", &path, "--add", "NAME,FULL_NAME"]).text();
    assert!(text.contains("graph: indexes of FULL_NAME, NAME; "), "{text}");
    let listed = list();
    assert_eq!((&listed[0]["property"], &listed[1]["property"]), (&json!("FULL_NAME"), &json!("NAME")));
    assert!(listed[1]["texts"].as_u64().unwrap() > 100, "{listed}");
    let info = varvite(&["info", &path, "--format", "json"]).json();
    assert_eq!(info["indexes"], listed);
    assert!(varvite(&["info", &path]).text().contains("\nindexes  "));
    let fields = varvite(&["index", &path, "--drop", "NAME", "--format", "json"]).json();
    assert_eq!(fields["indexes"], json!(["FULL_NAME"]));
}

#[test]
fn what_makes_no_sense_changes_nothing_and_is_said() {
    let folder = Folder::new();
    let path = folder.import("graph", "direct");
    let before = fs::read(&path).unwrap();
    let refused = |words: &[&str], code: i32, expected: &str| {
        varvite(&[&["index", &path], words].concat()).fails(code, &[expected]);
        assert!(fs::read(&path).unwrap() == before);
    };
    refused(&["--add", "NAMES"], 4, "no property \"NAMES\" in this graph; the nearest is \"NAME\"");
    refused(&["--drop", "NAMES"], 4, "the nearest is \"NAME\"");
    refused(&["--add", "ORDER"], 2, "property ORDER holds i32, not string");
    refused(&["--add", "NAME,NAME"], 2, "property NAME has an index already");
    refused(&["--drop", "NAME"], 2, "property NAME has no index; no property of this graph has one");
    varvite(&["index", ZLIB, "--add", "NAME"]).fails(3, &["not a Varvite"]);
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn an_import_checks_names_before_it_begins() {
    let folder = Folder::new();
    let target = folder.path("graph");
    for (names, code, expected) in [
        ("NAME,NAMES", 4, "no property \"NAMES\" in this graph; the nearest is \"NAME\""),
        ("ORDER", 2, "property ORDER holds int, not string"),
        ("NAME,NAME", 2, "property NAME has an index already"),
    ] {
        varvite(&["import", ZLIB, "-o", &target, "--index", names]).fails(code, &[expected]);
        assert_eq!(folder.files().len(), 0);
    }
}
