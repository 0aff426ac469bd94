//! Tests of `varvite schema`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};

use crate::command::{Folder, expected, varvite, zlib};

fn schema(more: &[&str]) -> Json {
    varvite(&[&["schema", zlib(), "--format", "json"], more].concat()).json()
}

#[test]
fn edges_are_counted_as_flatgraph_counts_them() {
    let mut found = serde_json::Map::new();
    for row in schema(&[])["edges"].as_array().unwrap() {
        let text = |name: &str| row[name].as_str().unwrap();
        found.insert(format!("{} {} {}", text("edge"), text("source"), text("target")), row["edges"].clone());
    }
    assert_eq!(Json::Object(found), expected()["edge_triples"]);
}

#[test]
fn labels_and_owners_are_counted_as_flatgraph_counts_them() {
    let schema = schema(&[]);
    let labels = schema["labels"].as_array().unwrap().iter();
    let labels = labels.map(|row| (row["label"].as_str().unwrap().to_owned(), row["nodes"].clone()));
    assert_eq!(Json::Object(labels.collect()), expected()["labels"]);
    let mut owners: BTreeMap<String, u64> = BTreeMap::new();
    for row in schema["properties"].as_array().unwrap() {
        *owners.entry(row["property"].as_str().unwrap().to_owned()).or_default() +=
            row["owners"].as_u64().unwrap();
    }
    for (name, facts) in expected()["properties"].as_object().unwrap() {
        assert_eq!(json!(owners[name]), facts["nodes"], "{name}");
    }
}

#[test]
fn a_property_of_a_label_is_told_as_its_nodes_have_it() {
    let rows = schema(&["METHOD"]);
    let row = |property: &str| -> Json {
        let rows = rows["properties"].as_array().unwrap();
        rows.iter().find(|row| row["property"] == property).unwrap().clone()
    };
    let names = varvite(&["find", zlib(), "METHOD", "--format", "json"]).column("FULL_NAME");
    let distinct = names.iter().map(Json::to_string).collect::<BTreeSet<_>>().len();
    let name = row("FULL_NAME");
    assert_eq!((&name["count"], &name["owners"], &name["share"]), (&json!(425), &json!(425), &json!(1.0)));
    assert_eq!((&name["distinct"], &name["example"]), (&json!(distinct), &names[0]));
    let lines = varvite(&["find", zlib(), "METHOD", "--format", "json"]).column("LINE_NUMBER");
    let with_line = lines.iter().filter(|line| !line.is_null()).count();
    let line = row("LINE_NUMBER");
    assert_eq!(
        (&line["owners"], &line["type"], &line["values"]),
        (&json!(with_line), &json!("i32"), &json!("optional"))
    );
    assert_eq!(line["share"], json!((with_line as f64 / 425.0 * 1e4).round() / 1e4));
}

#[test]
fn a_label_narrows_it() {
    let of = |label: &str| schema(&[label]);
    assert!(of("METHOD")["properties"].as_array().unwrap().iter().all(|row| row["label"] == "METHOD"));
    let ends = of("LOCAL")["edges"].clone();
    assert!(
        ends.as_array().unwrap().iter().all(|row| row["source"] == "LOCAL" || row["target"] == "LOCAL"),
        "{ends}"
    );
    let flows = of("REACHING_DEF");
    assert!(flows["edges"].as_array().unwrap().iter().all(|row| row["edge"] == "REACHING_DEF"));
    let variable = &flows["properties"][0];
    assert_eq!(
        (&variable["label"], &variable["property"]),
        (&json!("edges REACHING_DEF"), &json!("VARIABLE"))
    );
    assert_eq!(variable["count"], json!(194_858));
    varvite(&["schema", zlib(), "METHODS"]).fails(4, &["no label \"METHODS\"", "nearest is \"METHOD\""]);
}

#[test]
fn every_format_has_the_same_rows() {
    let document = schema(&["BLOCK"]);
    for (words, key) in [(&[][..], "properties"), (&["--edges"], "edges")] {
        let words = [&["schema", zlib(), "BLOCK"], words].concat();
        let lines = varvite(&[&words[..], &["--format", "jsonl"]].concat()).text();
        let lines: Vec<Json> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(json!(lines), document[key]);
        let csv = varvite(&[&words[..], &["--format", "csv"]].concat()).text();
        assert_eq!(csv::Reader::from_reader(csv.as_bytes()).records().count(), lines.len());
    }
    let rows = |key: &str| document[key].as_array().unwrap().len();
    let table = varvite(&["schema", zlib(), "BLOCK"]).text();
    assert_eq!(table.lines().count(), 3 + rows("properties") + rows("edges"), "{table}");
    assert!(table.contains("100.0 %") && table.contains("REACHING_DEF"), "{table}");
    assert_eq!(varvite(&["schema", zlib(), "BLOCK", "--edges"]).lines(), 1 + rows("edges"));
}

#[test]
fn a_long_example_is_cut() {
    let rows = schema(&["METHOD"]);
    let examples = rows["properties"].as_array().unwrap().iter().filter_map(|row| row["example"].as_str());
    assert!(examples.into_iter().all(|example| example.chars().count() <= 61));
    let content = schema(&["FILE"]);
    let row = content["properties"].as_array().unwrap().iter().find(|row| row["property"] == "NAME");
    assert_eq!(row.unwrap()["example"], "adler32.c");
}

#[test]
fn answers_are_equal_in_every_profile_and_with_any_number_of_threads() {
    let folder = Folder::new();
    let of = |file: &str, more: &[&str]| varvite(&[&["schema", file], more].concat()).text();
    let answer = of(zlib(), &["--threads", "1"]);
    for profile in ["direct", "compact", "archive"] {
        let file = folder.import(profile, profile);
        assert_eq!(of(&file, &["--threads", "3"]), answer, "{profile}");
        assert_eq!(of(&file, &["--buffered"]), answer, "{profile}, buffered");
    }
}
