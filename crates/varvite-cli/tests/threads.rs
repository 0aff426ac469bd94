//! Tests of a system that can't start threads, for example because of a limit on processes. To simulate this,
//! the stack size is set to one that can't be allocated.

use crate::command::{Answer, Folder, ZLIB, command, varvite, zlib};

const NO_STACK: &str = "140737488355328";

fn alone(words: &[&str]) -> Answer {
    Answer::of(command().args(words).env("RUST_MIN_STACK", NO_STACK).output().unwrap())
}

#[test]
fn every_command_answers_without_another_thread() {
    let (folder, threads) = (Folder::new(), ["--threads", "4"]);
    let digest = [&["digest", zlib()][..], &threads].concat();
    let find = [&["find", zlib(), "CALL", "NAME~mem"][..], &threads].concat();
    for words in [&digest, &find, &["facts", zlib()][..]] {
        assert_eq!(alone(words).text(), varvite(words).text(), "{words:?}");
    }
    assert!(alone(&["verify", zlib(), "--threads", "4"]).text().contains("whole"));
    let archive = folder.path("archive");
    alone(&["import", ZLIB, "-o", &archive, "--profile", "archive", "--threads", "4"]).text();
    assert_eq!(alone(&["digest", &archive]).text(), varvite(&["digest", zlib()]).text());
    assert!(alone(&["verify", &archive, "--buffered", "--threads", "4"]).text().contains("whole"));
}
