//! Tests of `varvite memory`, and of the option `--memory` of commands that read a whole graph.

use serde_json::Value as Json;
#[cfg(target_os = "linux")]
use varvite::write::NewGraphOptions;

use crate::command::{Folder, varvite, zlib};

/// A file of 14 KB that claims to have 2^32 nodes.
const CLAIMS: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/files/damaged/claimed-nodes.varvite");

#[test]
fn a_command_that_needs_more_memory_than_it_may_take_says_so() {
    let folder = Folder::new();
    let [out, sources] = ["out", "sources"].map(|name| folder.path(name));
    let archive = folder.import("archive", "archive");
    let commands: [&[&str]; 7] = [
        &["memory", &archive, "--touch", "all"],
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

fn report(words: &[&str]) -> Json {
    varvite(&[&["memory"], words, &["--format", "json"]].concat()).json()
}

/// The part of a report that has this name.
fn part<'r>(report: &'r Json, name: &str) -> Option<&'r Json> {
    report["parts"].as_array().unwrap().iter().find(|part| part["name"] == name)
}

fn bytes_of(holder: &Json, state: &str) -> u64 {
    holder["bytes"][state].as_u64().unwrap_or(0)
}

#[test]
fn a_graph_that_was_opened_has_its_directory_in_memory() {
    let report = report(&[zlib()]);
    assert!(bytes_of(part(&report, "directory").unwrap(), "tables") > 0, "{report}");
    let parts = report["parts"].as_array().unwrap();
    assert!(parts.iter().all(|part| bytes_of(part, "mapped") + bytes_of(part, "decoded") == 0), "{report}");
}

#[test]
fn what_was_touched_is_told_by_part_and_column() {
    let folder = Folder::new();
    for (profile, state) in [("direct", "mapped"), ("archive", "decoded")] {
        let graph = folder.import(profile, profile);
        let report = report(&[&graph, "--touch", "property NAME"]);
        let name = part(&report, "property NAME").unwrap();
        assert!(bytes_of(name, state) > 1000, "{report}");
        assert!(part(&report, "property CODE").is_none_or(|code| bytes_of(code, state) == 0), "{report}");
        for state in ["mapped", "resident", "decoded", "pinned"] {
            let columns = name["columns"].as_array().unwrap();
            let sum: u64 = columns.iter().map(|column| bytes_of(column, state)).sum();
            assert_eq!(sum, bytes_of(name, state), "{state}: {report}");
            let parts: u64 =
                report["parts"].as_array().unwrap().iter().map(|part| bytes_of(part, state)).sum();
            assert_eq!(parts, report["total"][state].as_u64().unwrap_or(0), "{state}: {report}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_system_says_stands_beside_it() {
    let report = report(&[zlib(), "--touch", "all", "--all"]);
    let [rss, anonymous, file, unaccounted] =
        ["rss", "rss_anon", "rss_file", "unaccounted"].map(|name| report["process"][name].as_u64().unwrap());
    let total = |state: &str| report["total"][state].as_u64().unwrap();
    assert_eq!(rss, anonymous + file);
    assert_eq!(anonymous, unaccounted + total("decoded") + total("scratch") + total("tables"));
    let len = std::fs::metadata(zlib()).unwrap().len();
    assert!(total("mapped") > len / 2 && total("resident") > len / 2 && total("resident") <= len, "{report}");
    assert!(file >= total("resident"), "{report}");
    assert!(total("pinned") >= total("mapped") && unaccounted < 8 << 20, "{report}");
}

#[test]
fn kinds_and_beginnings_of_names_are_parts_too() {
    let touched = |words: &str| {
        let report = report(&[zlib(), "--touch", words]);
        let parts = report["parts"].as_array().unwrap().iter().filter(|part| bytes_of(part, "pinned") > 0);
        parts.map(|part| part["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(touched("edges CFG"), ["edges CFG out", "edges CFG in"]);
    assert_eq!(touched("tree,label METHOD"), ["subtree", "parent", "label METHOD"]);
    assert!(touched("labels").iter().all(|name| name == "node" || name.starts_with("label ")));
    varvite(&["memory", zlib(), "--touch", "NAMES"]).fails(2, &["no part \"NAMES\"", "properties"]);
}

#[test]
fn people_see_a_tree_and_programs_rows() {
    let text = varvite(&["memory", zlib(), "--touch", "edges CFG"]).text();
    assert!(text.contains("\n  edges CFG out ") && text.contains("\n    neighbours "), "{text}");
    let csv = varvite(&["memory", zlib(), "--touch", "edges CFG", "--format", "csv"]).text();
    assert!(csv.starts_with("part,column,state,bytes\nprocess,,rss,"), "{csv}");
    assert!(csv.contains("\nedges CFG out,neighbours,mapped,"), "{csv}");
    assert!(csv.contains("\ndirectory,,tables,"), "{csv}");
}

/// The limit is smaller than the file, and smaller than the memory of the process at its start.
#[cfg(target_os = "linux")]
#[test]
fn pages_are_given_back_under_a_limit_and_read_again() {
    let folder = Folder::new();
    let graph = folder.import("direct", "direct");
    let count = |memory: &[&str]| {
        let words = ["find", graph.as_str(), "CALL", "CODE~.*mem.*", "--columns", "CODE", "--format", "csv"];
        varvite(&[&words[..], memory].concat()).text()
    };
    assert_eq!(count(&["--memory", "2M"]), count(&[]));
}

/// The largest memory of a child in bytes, once it does not grow any more: its output is full.
#[cfg(target_os = "linux")]
fn most_of_blocked(child: &std::process::Child) -> u64 {
    use std::time::{Duration, Instant};

    let status = format!("/proc/{}/status", child.id());
    let most = || -> u64 {
        let text = std::fs::read_to_string(&status).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    };
    let (began, mut last) = (Instant::now(), (0, Instant::now()));
    while last.1.elapsed() < Duration::from_secs(1) && began.elapsed() < Duration::from_secs(60) {
        let now = most();
        if now > last.0 {
            last = (now, Instant::now());
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    last.0
}

/// Each graph has 40 nodes that share a text of 500 kB, so a row of a few bytes in the file is half a
/// megabyte in the answer.
#[cfg(target_os = "linux")]
#[test]
fn rows_of_many_graphs_that_wait_stay_within_the_memory() {
    use std::io::Read;
    use std::process::Stdio;

    const ROWS: usize = 40;
    const TEXT: usize = 500_000;
    let folder = Folder::new();
    std::fs::create_dir(folder.path("corpus")).unwrap();
    let text = "x".repeat(TEXT);
    for number in 0..6 {
        let mut graph =
            NewGraphOptions::new().create(folder.path(&format!("corpus/{number}.varvite"))).unwrap();
        for _ in 0..ROWS {
            let node = graph.add_node(&["N"]).unwrap();
            graph.set(node, "CODE", text.as_str()).unwrap();
        }
        graph.finish().unwrap();
    }
    let mut command = crate::command::command();
    let words =
        ["find", &folder.path("corpus"), "N", "--columns", "CODE", "--memory", "32M", "--format", "csv"];
    let mut child = command.args(words).args(["--threads", "2"]).stdout(Stdio::piped()).spawn().unwrap();
    let most = most_of_blocked(&child);
    let (mut output, mut len) = (child.stdout.take().unwrap(), 0);
    let mut buffer = vec![0; 1 << 20];
    while let count @ 1.. = output.read(&mut buffer).unwrap() {
        len += count;
    }
    assert!(child.wait().unwrap().success());
    assert!(len > 6 * ROWS * TEXT, "{len}");
    assert!(most < 64 << 20, "{most} bytes");
}
