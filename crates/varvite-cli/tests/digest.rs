//! `varvite digest`.

use serde_json::Value as Json;

use crate::command::{Folder, varvite, zlib};

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
