//! Tests of the system's limit on the length of files (`ulimit -f`): exceeding the limit causes the same kind
//! of error as a full disk, and leaves every file unchanged.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::command::{Answer, Folder, ZLIB, varvite};

/// Size of a block in bytes, the unit of `ulimit` in `sh`.
const BLOCK: u64 = 512;

/// Runs the command with a limit of `bytes` on the length of files.
fn limited(bytes: u64, words: &[&str]) -> Answer {
    let script = format!("ulimit -f {}; exec \"$@\"", bytes / BLOCK);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_varvite")]).args(words);
    Answer::of(shell.output().unwrap())
}

/// Checks that the command ends with the system's error, and that no file was added or removed.
#[track_caller]
fn is_stopped(folder: &Folder, bytes: u64, words: &[&str]) {
    let names = || folder.files().into_iter().collect::<BTreeSet<_>>();
    let before = names();
    let message = limited(bytes, words).fails(3, &["File too large", "size limit of this user"]);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert_eq!(before, names(), "{words:?} within {bytes} bytes");
}

fn len(path: &str) -> u64 {
    fs::metadata(path).unwrap().len()
}

#[test]
fn a_new_file_that_may_not_be_so_long_is_not_there() {
    let folder = Folder::new();
    let [graph, foreign] = ["g.varvite", "g.cpg.bin"].map(|name| folder.path(name));
    for bytes in [BLOCK, 64 << 10, 256 << 10] {
        is_stopped(&folder, bytes, &["import", ZLIB, "-o", &graph]);
    }
    varvite(&["import", ZLIB, "-o", &graph]).text();
    let whole = fs::read(&graph).unwrap();
    is_stopped(&folder, 64 << 10, &["import", ZLIB, "-o", &graph, "--force"]);
    is_stopped(&folder, 64 << 10, &["export", &graph, "-o", &foreign, "--format", "flatgraph"]);
    is_stopped(&folder, 64 << 10, &["export", &graph, "-o", &foreign, "--format", "graphml"]);
    #[cfg(feature = "parquet")]
    is_stopped(&folder, 64 << 10, &["export", &graph, "-o", &folder.path("tables"), "--format", "parquet"]);
    is_stopped(&folder, 64 << 10, &["compact", &graph, "-o", &folder.path("new.varvite")]);
    is_stopped(&folder, 64 << 10, &["compact", &graph]);
    assert!(fs::read(&graph).unwrap() == whole);
    varvite(&["verify", &graph]).text();
}

#[test]
fn a_graph_that_may_not_grow_is_at_its_last_commit() {
    let folder = Folder::new();
    let (graph, diff) = (folder.import("g.varvite", "compact"), folder.path("d.jsonl"));
    let operations = r#"{"declare_label": "SINK"}
{"add_node": {"name": "a", "labels": ["SINK", "METHOD"], "properties": {"NAME": "sink_of_mine"}}}
{"add_edge": {"label": "CFG", "from": 0, "to": "a"}}
"#;
    fs::write(&diff, operations).unwrap();
    let digest = || varvite(&["digest", &graph]).text();
    let (before, committed) = (digest(), fs::read(&graph).unwrap());
    let whole = committed.len() as u64;
    let changes: [&[&str]; 2] = [&["apply", &graph, &diff], &["index", &graph, "--add", "NAME"]];
    for change in changes {
        // With these limits, nothing can be written, or only a part of the columns, or everything except the
        // directory.
        for bytes in [BLOCK, whole, whole + BLOCK, whole + 4 * BLOCK] {
            is_stopped(&folder, bytes, change);
            // A failed commit may have written bytes after the last commit; they are not part of the graph.
            assert!(fs::read(&graph).unwrap().starts_with(&committed), "{change:?} within {bytes} bytes");
            varvite(&["verify", &graph]).text();
            assert_eq!(digest(), before, "{change:?} within {bytes} bytes");
        }
    }
    for change in changes {
        varvite(change).text();
        varvite(&["verify", &graph]).text();
    }
    assert_ne!(digest(), before);
}

#[test]
fn an_answer_that_may_not_be_so_long_is_an_error() {
    let folder = Folder::new();
    let (graph, answer) = (folder.import("g.varvite", "compact"), folder.path("answer"));
    let script = format!("ulimit -f 8; exec \"$@\" > {answer}");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_varvite"), "find", &graph, "CALL"]);
    Answer::of(shell.output().unwrap()).fails(3, &["cannot write the answer", "File too large"]);
    assert!(Path::new(&answer).exists() && len(&answer) <= 8 * BLOCK);
}
