//! Tests of `--format`, and of escaping texts on a terminal and for other programs.

use std::io::Read;
use std::process::Stdio;

use serde_json::Value as Json;

use crate::command::{command, send, varvite, zlib};

const QUESTION: [&str; 3] = ["CALL", "NAME=<operator>.assignment", "--format"];

fn find(format: &str) -> String {
    varvite(&[&["find", zlib()], &QUESTION[..], &[format]].concat()).text()
}

#[test]
fn json_lines_and_csv_hold_the_same_rows() {
    let json: Json = serde_json::from_str(&find("json")).unwrap();
    let json = json.as_array().unwrap();
    let lines: Vec<Json> = find("jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(*json, lines);
    let text = find("csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    assert_eq!(
        reader.headers().unwrap(),
        vec!["node", "NAME", "LINE_NUMBER", "CODE", "file", "line", "method"]
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), json.len());
    for (row, object) in rows.iter().zip(json) {
        assert_eq!(row[0], object["node"].to_string());
        assert_eq!(row[3], *object["CODE"].as_str().unwrap());
    }
    assert!(rows.iter().any(|row| row[3].contains('\n')), "a text of several lines is among them");
}

#[test]
fn a_row_of_a_table_is_one_line_and_long_texts_are_cut() {
    let text = find("table");
    assert_eq!(text.lines().count(), 1 + 1769);
    assert!(text.lines().any(|line| line.ends_with('…')));
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn columns_of_a_table_stay_aligned_in_long_answers() {
    let text = varvite(&["find", zlib(), "IDENTIFIER", "--columns", "ORDER,NAME"]).text();
    let header = text.lines().next().unwrap();
    let name = header.find("NAME").unwrap();
    let misplaced =
        text.lines().skip(1).filter(|line| &line[name - 2..name] != "  " || line[name..].is_empty());
    assert_eq!(misplaced.count(), 0);
}

#[test]
fn a_table_has_one_line_for_each_row_whatever_their_number() {
    for rows in [0, 1, 999, 1000, 1001, 2000] {
        let text = varvite(&["find", zlib(), "CALL", "--limit", &rows.to_string()]).text();
        assert_eq!(text.lines().count(), 1 + rows);
    }
}

#[test]
fn control_characters_are_escaped_for_people_and_whole_for_programs() {
    let words = ["find", zlib(), "METHOD", "NAME=compressBound"];
    let table = varvite(&words).text();
    assert!(table.contains("{\\n    z_size_t"), "{table}");
    assert_eq!(table.lines().count(), 2);
    let code = varvite(&[&words[..], &["--format", "json"]].concat()).column("CODE");
    assert!(code[0].as_str().unwrap().contains("{\n    z_size_t"));
}

#[test]
fn no_colour_reaches_a_pipe_whatever_the_environment_says() {
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm-256color"), ("CLICOLOR_FORCE", "1")] {
        let output = command().args(["find", zlib(), "METHOD"]).env(name, value).output().unwrap();
        assert!(!output.stdout.contains(&0x1b), "{name}");
        assert!(!output.stderr.contains(&0x1b), "{name}");
    }
}

#[test]
fn a_reader_who_leaves_early_is_no_error() {
    for format in ["table", "json", "jsonl", "csv"] {
        let words = ["find", zlib(), "IDENTIFIER", "--format", format];
        let mut child = command().args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{format}");
    }
}

#[test]
fn an_unknown_format_is_refused_with_those_known() {
    let answer = varvite(&["find", zlib(), "METHOD", "--format", "xml"]);
    answer.fails(2, &["xml", "table, json, jsonl, csv"]);
}

/// All nodes, with cells of every type.
fn all_nodes(more: &[&str]) -> Vec<u8> {
    let columns =
        "node,label,NAME,CODE,LINE_NUMBER,IS_EXTERNAL,OVERLAYS,CONTAINED_REF,file,line,method,location";
    let words = ["query", zlib(), "-", "--columns", columns];
    let plan = r#"{"version": 1, "steps": [{"step": "nodes"}]}"#;
    let (code, output) = send(plan, &[&words[..], more].concat()).status_and_output();
    assert_eq!(code, Some(0));
    output
}

#[test]
fn rows_that_threads_write_are_those_that_are_written_cell_by_cell() {
    for format in ["csv", "jsonl", "json"] {
        // Sorted rows are written one by one; unsorted rows are written by several threads.
        let expected = all_nodes(&["--format", format, "--order-by", "node"]);
        for threads in ["1", "2", "5"] {
            let found = all_nodes(&["--format", format, "--threads", threads]);
            assert!(found == expected, "{format} with {threads} threads");
        }
    }
}

#[test]
fn rows_end_at_the_limit_on_any_number_of_threads() {
    let all = String::from_utf8(all_nodes(&["--format", "jsonl"])).unwrap();
    for limit in [0, 1, 2048, 2049, 30_000] {
        let expected: String = all.split_inclusive('\n').take(limit).collect();
        for threads in ["1", "3"] {
            let more = ["--format", "jsonl", "--threads", threads, "--limit", &limit.to_string()];
            assert!(all_nodes(&more) == expected.as_bytes(), "{limit} rows, {threads} threads");
        }
    }
}

#[test]
fn rows_whose_texts_are_long_are_whole_and_in_order() {
    let columns = [r#"{"property": "CODE"}"#; 40].join(", ");
    let plan = format!(
        r#"{{"version": 1, "steps": [{{"step": "nodes", "labels": ["CALL"]}}, {{"step": "columns", "columns": ["itself", {columns}]}}]}}"#
    );
    let words = ["query", zlib(), "-", "--format", "csv", "--order-by", "node"];
    let expected = send(&plan, &words).text();
    assert!(expected.len() > 4 << 20, "several times what goes out at once");
    for threads in ["1", "2"] {
        let found = send(&plan, &[&words[..5], &["--threads", threads]].concat()).text();
        assert!(found == expected, "{threads} threads");
    }
}

#[test]
fn edges_and_groups_are_written_alike_on_any_number_of_threads() {
    let plans = [
        r#"{"step": "edges", "labels": ["REACHING_DEF", "CALL"]}"#,
        r#"{"step": "nodes"}, {"step": "columns", "columns": ["label", {"property": "CODE"}, {"property": "OVERLAYS"}]}"#,
        r#"{"step": "nodes"}, {"step": "group_count", "by": {"property": "CODE"}}"#,
        r#"{"step": "nodes", "labels": ["METHOD"]}, {"step": "out", "labels": ["CONTAINS"]}, {"step": "columns", "columns": ["itself", "label", {"property": "NAME"}]}"#,
    ];
    for steps in plans {
        let plan = format!("{{\"version\": 1, \"steps\": [{steps}]}}");
        for format in ["csv", "jsonl"] {
            let ask = |threads| {
                let words = ["query", zlib(), "-", "--format", format, "--threads", threads];
                send(&plan, &words).text()
            };
            let expected = ask("1");
            assert!(expected.lines().count() > 10_000 || steps.contains("group_count"), "{steps}");
            assert!(ask("3") == expected, "{steps} as {format}");
        }
    }
}

/// Messages of success are also escaped: the name of a file stays on one line, without control characters.
#[cfg(unix)]
#[test]
fn names_of_files_are_escaped_in_every_line() {
    let folder = crate::command::Folder::new();
    let graph = folder.path("a\u{1b}[31m\nverified.varvite");
    std::fs::copy(zlib(), &graph).unwrap();
    let exported = folder.path("b\u{1b}\n.graphml");
    let other = folder.path("c\u{1b}\n.varvite");
    let commands: [&[&str]; 7] = [
        &["verify", &graph],
        &["info", &graph],
        &["export", &graph, "--format", "graphml", "-o", &exported],
        &["digest", &graph, "-o", &format!("{graph}.digest")],
        &["diff", zlib(), &graph],
        &["import", crate::command::ZLIB, "-o", &other],
        &["compact", &graph],
    ];
    for words in commands {
        let text = varvite(words).text();
        assert!(!text.contains('\u{1b}') && !text.contains("\nverified"), "{words:?}: {text:?}");
    }
}
