//! Tests of `varvite import` with SCIP indexes.

use std::fs;

use serde_json::Value as Json;

use crate::command::{Folder, varvite};
use crate::guide::{ROOT, commands_of};

const GUIDE: &str = include_str!("../../../docs/guide/importing.md");
/// An index of scip-python, with its sources.
const INICONFIG: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-import/tests/scip/data/iniconfig");

/// The words of a command on the page about `iniconfig`, with paths in a folder and in the repository.
fn words(command: &str, folder: &Folder) -> Vec<String> {
    let word = |word: &str| match word {
        "iniconfig.varvite" => folder.path(word),
        word if word.starts_with("crates/") => format!("{ROOT}/{word}"),
        word => word.to_owned(),
    };
    command.split(' ').skip(1).map(word).collect()
}

#[test]
fn an_index_answers_as_the_guide_shows() {
    let folder = Folder::new();
    let commands = commands_of(GUIDE);
    let commands: Vec<_> = commands.iter().filter(|(command, _)| command.contains("iniconfig")).collect();
    assert!(commands.len() >= 3);
    for (command, expected) in commands {
        let words = words(command, &folder);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = varvite(&words);
        let shown = match words[0] {
            // The summary begins with a path, and ends with sizes and the time.
            "import" => {
                let (notes, summary) = (answer.errors(), answer.text_beside_notes());
                let counts = summary.rsplit('/').next().unwrap().split(" edges").next().unwrap();
                format!("{notes}{counts}")
            }
            _ => answer.text(),
        };
        assert_eq!(shown.lines().count(), expected.len(), "{command}\n{shown}");
        for (line, expected) in shown.lines().zip(expected) {
            let is_same = line.trim_end() == expected.trim_end();
            assert!(is_same || words[0] == "import" && expected.starts_with(line), "{line}\n{expected}");
        }
    }
}

#[test]
fn the_report_counts_what_was_read() {
    let folder = Folder::new();
    let (index, graph) = (format!("{INICONFIG}/index.scip"), folder.path("g.varvite"));
    let report = varvite(&["import", &index, "-o", &graph, "--report", "json"]).text_beside_notes();
    let report: Json = serde_json::from_str(&report).unwrap();
    for (name, count) in [("documents", 4), ("occurrences", 630), ("calls", 0), ("method_refs", 57)] {
        assert_eq!(report[name], count, "{name}");
    }
    assert_eq!(report["indexer"], "scip-python 0.6.6");
    let notes = varvite(&["import", &index, "-o", &graph, "--force"]).errors();
    assert!(notes.contains("none of them a CALL without the source: give it with --source"), "{notes}");
}

#[test]
fn indexes_are_recognized_by_their_bytes_or_their_name() {
    let folder = Folder::new();
    let [plain, named, graph] = ["plain", "empty.scip", "g.varvite"].map(|name| folder.path(name));
    fs::copy(format!("{INICONFIG}/index.scip"), &plain).unwrap();
    varvite(&["import", &plain, "-o", &graph]).text_beside_notes();
    fs::write(&named, "").unwrap();
    let message =
        varvite(&["import", &named, "-o", &graph, "--force"]).fails(3, &["empty.scip: byte 0: ", "metadata"]);
    assert_eq!(message.lines().count(), 1);
    varvite(&["import", &plain, "-o", &graph, "--force", "--format", "graphml", "--source", "."])
        .fails(2, &["--source is for flatgraph files and SCIP indexes"]);
    varvite(&["import", &plain, "-o", &graph, "--force", "--node-labels", "x"])
        .fails(2, &["are for GraphML"]);
    varvite(&["import", &plain, "-o", &graph, "--force", "--source", &named])
        .fails(3, &["cannot read", "empty.scip"]);
}

#[test]
fn an_index_that_is_cut_off_leaves_no_file() {
    let folder = Folder::new();
    let [cut, graph] = ["cut.scip", "g.varvite"].map(|name| folder.path(name));
    let whole = fs::read(format!("{INICONFIG}/index.scip")).unwrap();
    fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let message = varvite(&["import", &cut, "-o", &graph]).fails(3, &["cut.scip: byte ", "the index ends "]);
    assert_eq!(message.lines().count(), 1);
    assert!(!fs::exists(&graph).unwrap());
}
