//! Tests of `varvite facts`.

use serde_json::Value as Json;

use crate::command::{Folder, expected, varvite, zlib};

#[test]
fn the_facts_are_those_that_flatgraph_sees() {
    let facts = varvite(&["facts", zlib()]).json();
    let expected = expected();
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(facts[name], *value, "{name}");
    }
    assert_eq!(facts, expected);
}

#[test]
fn the_facts_are_equal_in_every_profile_and_mode() {
    let folder = Folder::new();
    let text = varvite(&["facts", zlib()]).text();
    for profile in ["direct", "archive"] {
        let file = folder.import(profile, profile);
        assert_eq!(varvite(&["facts", &file]).text(), text, "{profile}");
        assert_eq!(varvite(&["facts", &file, "--buffered"]).text(), text, "{profile}, buffered");
    }
}

#[test]
fn facts_are_json_on_as_many_lines_as_asked_for() {
    let line = varvite(&["facts", zlib(), "--format", "jsonl"]).text();
    assert_eq!(line.lines().count(), 1);
    assert_eq!(serde_json::from_str::<Json>(&line).unwrap(), expected());
    varvite(&["facts", zlib(), "--format", "csv"]).fails(2, &["--format json"]);
}
