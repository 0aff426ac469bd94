//! Tests of outputs to which writing fails: a full device, and pipes that nobody reads.

use std::fs::File;
use std::io::{PipeWriter, pipe};
use std::process::{Output, Stdio};

use crate::command::{Answer, Folder, ZLIB, command, zlib};

const LACKEY: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/lackey/tiny.lackey");

/// For each subcommand, a command line that changes nothing.
fn questions(folder: &Folder) -> Vec<Vec<String>> {
    let (graph, trace, plan) = (zlib(), trace(folder), folder.path("plan.json"));
    std::fs::write(&plan, r#"{"version": 1, "steps": [{"step": "nodes"}, {"step": "count"}]}"#).unwrap();
    let lines = [
        format!("info {graph}"),
        format!("verify {graph}"),
        format!("schema {graph}"),
        format!("facts {graph}"),
        format!("digest {graph}"),
        format!("find {graph} METHOD --limit 3"),
        format!("find {graph} METHOD --format csv"),
        format!("find {graph} METHOD --format jsonl"),
        format!("find {graph} METHOD --format json"),
        format!("path {graph} compress memcpy --along CALL"),
        format!("tree {graph} METHOD:deflate"),
        format!("callers {graph} memcpy"),
        format!("callees {graph} deflate"),
        format!("index {graph}"),
        format!("trace info {trace}"),
        format!("trace info {trace} --format json"),
        format!("trace cat {trace}"),
        format!("trace verify {trace}"),
        format!("query {graph} {plan}"),
        format!("explain {graph} {plan}"),
        "completions bash".to_owned(),
        "man find".to_owned(),
        "--help".to_owned(),
        "--version".to_owned(),
    ];
    lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

fn trace(folder: &Folder) -> String {
    let trace = folder.path("tiny.vtrace");
    crate::command::varvite(&["trace", "convert", LACKEY, "-o", &trace]).text();
    trace
}

/// A pipe whose reader has closed its end.
fn unread() -> PipeWriter {
    pipe().unwrap().1
}

fn ask(words: &[String], out: impl Into<Stdio>) -> Output {
    command().args(words).stdout(out).output().unwrap()
}

#[test]
fn who_stops_reading_hears_no_complaint() {
    let folder = Folder::new();
    for words in questions(&folder) {
        let found = ask(&words, unread());
        let errors = String::from_utf8_lossy(&found.stderr);
        assert_eq!((found.status.code(), &*errors), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn an_answer_that_a_full_device_does_not_take_is_a_failure() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let folder = Folder::new();
    for words in questions(&folder) {
        let found = ask(&words, full.try_clone().unwrap());
        let message = Answer::of(found).fails(3, &["cannot write the answer"]);
        assert!(!message.contains("panicked"), "{words:?}: {message}");
    }
}

#[test]
fn a_change_is_no_panic_where_its_report_can_not_be_written() {
    let folder = Folder::new();
    let (graph, other) = (folder.path("g.varvite"), folder.path("g.bin"));
    let changes = [
        vec!["import", ZLIB, "-o", &graph],
        vec!["index", &graph, "--add", "NAME"],
        vec!["compact", &graph],
        vec!["export", &graph, "-o", &other, "--format", "flatgraph"],
    ];
    for words in changes {
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let found = ask(&words, unread());
        assert_eq!((found.status.code(), &found.stderr[..]), (Some(0), &b""[..]), "{words:?}");
    }
}

#[test]
fn what_is_wrong_is_told_by_the_exit_code_though_nobody_reads() {
    let folder = Folder::new();
    let trace = trace(&folder);
    let bytes = std::fs::read(&trace).unwrap();
    std::fs::write(&trace, &bytes[..bytes.len() / 2]).unwrap();
    let words = ["trace".to_owned(), "verify".to_owned(), trace];
    assert_eq!(ask(&words, unread()).status.code(), Some(1));
    let words = ["find".to_owned(), zlib().to_owned(), "NOTHING".to_owned()];
    let found = command().args(words).stdout(unread()).stderr(unread()).status().unwrap();
    assert_eq!(found.code(), Some(4));
}

/// Exit code 1 means that the graphs differ; it does not show whether the output was written. So a message
/// says that the answer is incomplete.
#[test]
fn an_answer_that_says_what_is_wrong_is_missed_where_it_cannot_be_written() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let folder = Folder::new();
    let other = folder.path("other.varvite");
    crate::command::varvite(&["import", crate::command::CONTENT, "-o", &other]).text();
    let ask_full = |line: String| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Answer::of(ask(&words, full.try_clone().unwrap()))
    };
    let graph = zlib();
    for line in [
        format!("diff {graph} {other}"),
        format!("diff {graph} {other} --format jsonl"),
        format!("digest compare {graph} {other}"),
    ] {
        ask_full(line).fails(1, &["cannot write the answer", "differ"]);
    }
    // If a diff can't remove all differences, the exit code is also 1. So an incomplete diff needs a
    // different exit code.
    ask_full(format!("diff {graph} {other} --as-diff")).fails(3, &["cannot write the answer"]);
}
