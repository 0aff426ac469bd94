//! Tests of `varvite export`.

use std::fs;

use crate::command::{Folder, varvite, zlib};

fn export(file: &str, output: &str, more: &[&str]) -> crate::command::Answer {
    varvite(&[&["export", file, "-o", output, "--format", "flatgraph"], more].concat())
}

#[test]
fn an_export_imports_to_the_same_answers() {
    let folder = Folder::new();
    let (foreign, back) = (folder.path("cpg.bin"), folder.path("back.varvite"));
    let text = export(zlib(), &foreign, &[]).text();
    assert!(text.contains("44,073 nodes, 512,785 edges"), "{text}");
    varvite(&["import", &foreign, "-o", &back]).text();
    let tree = |file| varvite(&["tree", file, "METHOD:inflate", "--format", "jsonl"]).text();
    assert_eq!(tree(&back), tree(zlib()));
}

#[test]
fn every_profile_exports_the_same_bytes() {
    let folder = Folder::new();
    let bytes = |profile: &str| {
        let (graph, foreign) = (folder.import(profile, profile), folder.path("cpg.bin"));
        export(&graph, &foreign, &["--force"]).text();
        fs::read(foreign).unwrap()
    };
    let compact = bytes("compact");
    assert!(bytes("direct") == compact && bytes("archive") == compact);
}

#[test]
fn an_existing_file_is_refused_and_untouched() {
    let folder = Folder::new();
    let path = folder.path("precious");
    fs::write(&path, "mine").unwrap();
    export(zlib(), &path, &[]).fails(3, &["precious exists already", "--force"]);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn the_graph_is_not_replaced() {
    export(zlib(), zlib(), &["--force"]).fails(2, &["names the graph itself"]);
}

#[test]
fn an_export_to_standard_output_is_refused() {
    for words in [&["export", zlib(), "--format", "graphml", "-o", "-"][..], &["export", "-o", "-"]] {
        let message = varvite(words).fails(2, &["-o", "standard output", "name a file"]);
        assert!(!message.contains("Usage"), "{message}");
    }
    assert!(!std::path::Path::new("-").exists());
}

#[test]
fn the_foreign_format_must_be_named() {
    let answer = varvite(&["export", zlib(), "-o", "x", "--format", "pajek"]);
    answer.fails(2, &["pajek", "flatgraph"]);
}
