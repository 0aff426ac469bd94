//! Tests of `varvite digest`.

use serde_json::Value as Json;

use crate::command::{CONTENT, Folder, varvite, zlib};

fn digest(file: &str) -> Json {
    varvite(&["digest", file, "--format", "json"]).json()
}

#[test]
fn the_digest_is_equal_in_every_profile() {
    let folder = Folder::new();
    let expected = digest(zlib());
    assert_eq!(expected["root"].as_str().unwrap().len(), 64);
    for profile in ["direct", "archive"] {
        assert_eq!(digest(&folder.import(profile, profile)), expected, "{profile}");
    }
}

#[test]
fn the_digest_survives_an_export() {
    let folder = Folder::new();
    let (foreign, back) = (folder.path("cpg.bin"), folder.path("back.varvite"));
    varvite(&["export", zlib(), "-o", &foreign, "--format", "flatgraph"]).text();
    varvite(&["import", &foreign, "-o", &back]).text();
    assert_eq!(digest(&back), digest(zlib()));
}

#[test]
fn rows_hold_the_same_hashes() {
    let json = digest(zlib());
    let text = varvite(&["digest", zlib(), "--format", "csv"]).text();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let (root, columns) = rows.split_last().unwrap();
    assert_eq!((&root[0], &root[1]), (json["root"].as_str().unwrap(), "root"));
    assert_eq!(columns.len(), json["columns"].as_object().unwrap().len());
    assert!(columns.iter().all(|row| json["columns"][&row[1]] == row[0]));
    let table = varvite(&["digest", zlib()]).text();
    assert!(table.lines().last().unwrap().starts_with(json["root"].as_str().unwrap()));
}

#[test]
fn a_digest_is_stored_and_compared() {
    let folder = Folder::new();
    let (direct, stored, brief) =
        (folder.import("direct", "direct"), folder.path("a.digest"), folder.path("b"));
    varvite(&["digest", zlib(), "-o", &stored]).text();
    varvite(&["digest", zlib(), "-o", &brief, "--brief"]).text();
    assert!(std::fs::metadata(&brief).unwrap().len() < 64 << 10);
    assert_eq!(digest(&stored), digest(zlib()));
    for other in [&direct, &brief, &stored] {
        assert_eq!(varvite(&["digest", "compare", &stored, other]).text(), "equal\n");
    }
    varvite(&["digest", zlib(), "-o", &stored]).fails(3, &["exists"]);
    varvite(&["digest", "compare", &stored]).fails(2, &["two graphs"]);
}

#[test]
fn digests_of_different_graphs_are_told_apart() {
    let folder = Folder::new();
    let content = folder.path("content");
    varvite(&["import", CONTENT, "-o", &content]).text();
    let answer = varvite(&["digest", "compare", zlib(), &content, zlib(), "--format", "json"]);
    assert!(answer.errors().contains("content differs from the others"), "{}", answer.errors());
    let (status, output) = answer.status_and_output();
    let json: Json = serde_json::from_slice(&output).unwrap();
    assert_eq!((status, &json["odd_one_out"]), (Some(1), &content.as_str().into()));
    assert_eq!(json["first"], json["columns"][0]);
    let name = json["columns"].as_array().unwrap().iter().find(|column| column["column"] == "property NAME");
    assert_eq!(name.unwrap()["first"], name.unwrap()["last"]);
    varvite(&["digest", "compare", zlib(), &content]).fails(1, &["differ in"]);
}

#[test]
fn ranges_of_a_column_are_shown_narrower_and_narrower() {
    let rows = |words: &[&str]| {
        varvite(&[&["digest", zlib(), "--column", "property NAME", "--format", "json"], words].concat())
            .json()
    };
    let (all, owners) = (rows(&[]), rows(&["--range", "0..10"]));
    assert_eq!((&all[0]["first"], &all[0]["last"]), (&0.into(), &65535.into()));
    let owners = owners.as_array().unwrap();
    assert!(!owners.is_empty() && owners.iter().all(|row| row["first"] == row["last"]));
    varvite(&["digest", zlib(), "--column", "property NAM"]).fails(4, &["the nearest is \"property NAME\""]);
    varvite(&["digest", zlib(), "--column", "layers", "--range", "5..1"]).fails(2, &["FROM..TO"]);
}

#[test]
fn a_stored_digest_is_trusted_only_for_its_own_file() {
    let folder = Folder::new();
    let (one, other) = (folder.import("one", "direct"), folder.import("other", "compact"));
    varvite(&["digest", &one, "-o", &folder.path("one.digest")]).text();
    varvite(&["digest", &one, "-o", &folder.path("other.digest")]).text();
    varvite(&["digest", "compare", &one, &one, "--stored"]).text();
    varvite(&["digest", "compare", &one, &other, "--stored"]).fails(3, &["other.digest", "write it again"]);
}

#[test]
fn a_node_that_only_one_graph_has_is_no_damage() {
    let folder = Folder::new();
    let longer = folder.import("longer", "compact");
    let added = r#"{"add_node": {"labels": ["METHOD"], "properties": {"NAME": "added"}}}"#;
    crate::command::send(added, &["apply", &longer, "-"]).text();
    for words in [[zlib(), &longer], [&longer, zlib()]] {
        varvite(&["digest", "compare", words[0], words[1]]).fails(1, &["differ in"]);
    }
    let (code, output) =
        varvite(&["digest", "compare", zlib(), &longer, "--format", "json"]).status_and_output();
    let json: Json = serde_json::from_slice(&output).unwrap();
    let added = json["columns"].as_array().unwrap().iter().filter(|column| column["first"] == 44_073);
    let nodes: Vec<&Json> = added.map(|column| &column["nodes"]).collect();
    assert!(nodes.len() > 1 && nodes.iter().all(|nodes| **nodes == serde_json::json!([null, 44_073])));
    assert_eq!(code, Some(1));
}
