//! Tests of `varvite verify`.

use std::fs;

use crate::command::{Folder, command, varvite, zlib};

/// Makes a copy of the graph of zlib with one byte changed.
fn damaged_at(folder: &Folder, at: usize) -> String {
    let path = folder.path("damaged.varvite");
    let mut bytes = fs::read(zlib()).unwrap();
    bytes[at] ^= 1;
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_whole_file_is_whole_in_every_profile() {
    let folder = Folder::new();
    for profile in ["direct", "compact", "archive"] {
        let file = folder.import(profile, profile);
        let text = varvite(&["verify", &file, "--threads", "3"]).text();
        assert!(text.contains("whole") && text.lines().count() == 1, "{text}");
    }
}

#[test]
fn a_damaged_block_is_named_with_its_columns_and_place() {
    let folder = Folder::new();
    let whole = fs::read(zlib()).unwrap().len();
    for at in [3 * 4096, whole / 4, whole / 2] {
        let file = damaged_at(&folder, at);
        let output = command().args(["verify", &file]).output().unwrap();
        let (text, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{text}{errors}");
        assert!(errors.starts_with("varvite: ") && errors.contains("damaged.varvite is damaged"), "{errors}");
        assert!(text.contains("at byte"), "{text}");
        assert!(text.contains(" holds "), "{text}");
    }
}

#[test]
fn damage_that_keeps_a_file_from_opening_is_found_too() {
    let folder = Folder::new();
    let whole = fs::read(zlib()).unwrap();
    // The damage is in the header, or in the directory at the file's end.
    for at in [40, whole.len() - 1] {
        varvite(&["verify", &damaged_at(&folder, at)])
            .fails(1, &["damaged.varvite is damaged: 1 problem found"]);
    }
    let cut = folder.path("cut.varvite");
    for len in [4096, whole.len() / 2, whole.len() - 1] {
        fs::write(&cut, &whole[..len]).unwrap();
        varvite(&["verify", &cut]).fails(1, &["cut.varvite is damaged"]);
    }
}

#[test]
fn what_never_was_a_graph_is_not_called_damaged() {
    let folder = Folder::new();
    varvite(&["verify", crate::command::ZLIB]).fails(3, &["varvite import"]);
    varvite(&["verify", &folder.path("none")]).fails(3, &["none"]);
}

#[test]
fn programs_get_the_problems_as_a_list() {
    let folder = Folder::new();
    let whole = varvite(&["verify", zlib(), "--format", "json"]).json();
    assert_eq!((&whole["whole"], &whole["problems"]), (&true.into(), &serde_json::json!([])));
    let file = damaged_at(&folder, 3 * 4096);
    let output = command().args(["verify", &file, "--format", "json"]).output().unwrap();
    let damaged: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(damaged["whole"], false);
    assert!(!damaged["problems"].as_array().unwrap().is_empty());
}
