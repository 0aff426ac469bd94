//! Tests of `varvite info`.

use std::fs;

use crate::command::{Folder, expected, varvite, zlib};

#[test]
fn json_has_counts_labels_layers_and_columns() {
    let info = varvite(&["info", zlib(), "--json"]).json();
    let expected = expected();
    assert_eq!((&info["nodes"], &info["edges"]), (&expected["nodes"], &expected["edges"]));
    assert_eq!(info["file_bytes"], fs::metadata(zlib()).unwrap().len());
    for label in info["labels"].as_array().unwrap().iter().filter(|label| label["nodes"] != 0) {
        assert_eq!(label["nodes"], expected["labels"][label["name"].as_str().unwrap()]);
    }
    let layers: Vec<_> = info["layers"].as_array().unwrap().iter().map(|layer| &layer["name"]).collect();
    assert_eq!(layers, ["code", "code/dataflow"]);
    for column in info["columns"].as_array().unwrap() {
        assert!(!column["encoding"].as_str().unwrap().is_empty(), "{column}");
        assert!(column["bytes"].is_u64() && column["bits_per_value"].is_number(), "{column}");
    }
    assert_eq!(varvite(&["info", zlib(), "--format", "json"]).json(), info);
    assert_eq!(varvite(&["info", zlib(), "--format", "jsonl"]).json(), info);
}

#[test]
fn columns_take_no_more_bytes_than_the_file() {
    let folder = Folder::new();
    for profile in ["direct", "compact", "archive"] {
        let file = folder.import(profile, profile);
        let info = varvite(&["info", &file, "--json"]).json();
        let rows = info["columns"].as_array().unwrap().iter().filter(|row| row["shared_with"].is_null());
        let bytes: u64 = rows.map(|row| row["bytes"].as_u64().unwrap()).sum();
        let file_len = fs::metadata(&file).unwrap().len();
        assert!(bytes <= file_len && bytes > file_len / 2, "{profile}: {bytes} of {file_len}");
    }
}

#[test]
fn people_see_what_is_in_a_file_on_one_screen() {
    let text = varvite(&["info", zlib()]).text();
    let first = text.lines().next().unwrap();
    assert!(first.contains("44,073 nodes, 512,785 edges") && first.contains("compact profile"), "{first}");
    for title in ["layers", "labels", "edge labels", "properties", "stored in"] {
        assert!(text.contains(&format!("\n{title}  ")), "{title}");
    }
    assert!(text.contains(" METHOD 425,") && text.contains(" CALL 14,910,"), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
    assert!(text.lines().skip(1).all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn indexes_are_named() {
    let folder = Folder::new();
    let file = folder.import("graph", "compact");
    varvite(&["index", &file, "--add", "NAME"]).text();
    let text = varvite(&["info", &file]).text();
    assert!(text.contains("\nindexes      NAME (1,541 texts)\n"), "{text}");
}

#[test]
fn the_columns_of_a_file_are_shown_on_request() {
    let short = varvite(&["info", zlib()]).text();
    let text = varvite(&["info", zlib(), "--columns"]).text();
    let table = text.strip_prefix(&short).unwrap();
    assert!(table.starts_with("\ncolumn  "), "{table}");
    let has_row = |words: &[&str]| {
        table.lines().any(|line| line.split_whitespace().take(words.len()).eq(words.iter().copied()))
    };
    assert!(has_row(&["subtree", "sizes", "44073"]), "{table}");
    assert!(table.lines().count() > 100);
}

#[test]
fn csv_lists_the_columns() {
    let text = varvite(&["info", zlib(), "--format", "csv"]).text();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let names = ["column", "values", "bytes", "bits per value", "codec", "encoding"];
    assert_eq!(reader.headers().unwrap(), names.as_slice());
    assert!(reader.records().count() > 100);
}
