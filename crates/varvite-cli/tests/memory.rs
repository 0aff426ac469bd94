//! `--memory` of commands that read a whole graph.

use crate::command::{Folder, varvite, zlib};

/// A file that says in 14 KB that it has 2^32 nodes.
const CLAIMS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/files/damaged/claimed-nodes.varvite");

#[test]
fn a_command_that_needs_more_memory_than_it_may_take_says_so() {
    let folder = Folder::new();
    let [out, sources] = ["out", "sources"].map(|name| folder.path(name));
    let archive = folder.import("archive", "archive");
    let commands: [&[&str]; 6] = [
        &["facts", zlib()],
        &["digest", zlib()],
        &["schema", zlib()],
        &["verify", &archive],
        &["export", &archive, "--format", "flatgraph", "-o", &out],
        &["generate", "java", &archive, "--package", "p", "-o", &sources],
    ];
    for words in commands {
        let little = [words, &["--memory", "200K"]].concat();
        varvite(&little).fails(6, &["bytes of memory are needed", "raise the budget with --memory"]);
        let enough = [words, &["--memory", "512M"]].concat();
        assert_eq!(varvite(&enough).errors(), "", "{words:?}");
    }
}

#[test]
fn claims_out_of_proportion_are_damage_in_every_command() {
    varvite(&["verify", CLAIMS]).fails(1, &["is damaged: 1 problem found"]);
    for command in ["facts", "digest", "info", "schema"] {
        varvite(&[command, CLAIMS]).fails(3, &["values in a file of", "found 4294967"]);
    }
}
