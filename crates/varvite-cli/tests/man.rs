//! Tests of `varvite man`.

use std::fs;

use crate::command::{Folder, varvite};

#[test]
fn every_command_has_a_page() {
    let folder = Folder::new();
    let pages = folder.path("man1");
    let said = varvite(&["man", "-o", &pages]).text();
    let names: Vec<String> = fs::read_dir(&pages)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(said.contains(&format!("{} pages, {} written", names.len(), names.len())), "{said}");
    for name in ["varvite.1", "varvite-find.1", "varvite-schema.1", "varvite-trace.1", "varvite-trace-cat.1"]
    {
        assert!(names.iter().any(|found| found == name), "{name} is not among {names:?}");
    }
    let find = fs::read_to_string(format!("{pages}/varvite-find.1")).unwrap();
    assert!(find.contains(".TH varvite-find 1") && find.contains("order\\-by"), "{find}");
    assert_eq!(varvite(&["man", "find"]).text(), find);
    assert!(varvite(&["man", "-o", &pages]).text().contains("0 written"));
    assert!(varvite(&["man"]).text().contains("Exit codes"));
}

#[test]
fn pages_are_written_beside_nobody_else_s_files_unless_told_so() {
    let folder = Folder::new();
    fs::write(folder.path("other.1"), ".TH other 1\n").unwrap();
    let into = folder.path("");
    varvite(&["man", "-o", &into]).fails(3, &["other.1"]);
    varvite(&["man", "-o", &into, "--force"]).text();
    assert_eq!(fs::read_to_string(folder.path("other.1")).unwrap(), ".TH other 1\n");
}

#[test]
fn a_command_that_is_none_has_no_page() {
    varvite(&["man", "finds"]).fails(2, &["no command \"finds\""]);
}
