//! Tests of `varvite trace top`, `lines`, `modules` and `histogram`: what a trace tells without a graph.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;

use crate::command::{Folder, varvite};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");

fn data(name: &str) -> String {
    format!("{DATA}/{name}")
}

/// The answer of a command about the trace of the program `shapes`, as JSON.
fn ask(command: &str, more: &[&str]) -> Json {
    let (trace, binary) = (data("shapes.vtrace"), data("shapes"));
    let mut words = vec!["trace", command, &trace, "--format", "json"];
    if command != "histogram" {
        words.extend(["--limit", "100000", "--binary", &binary]);
    }
    words.extend(more);
    let answer = varvite(&words).text_beside_notes();
    serde_json::from_str(&answer).unwrap()
}

fn number(json: &Json, field: &str) -> u64 {
    json[field].as_u64().unwrap()
}

#[test]
fn functions_have_the_counts_of_their_methods() {
    let answer = ask("top", &[]);
    let rows = answer["rows"].as_array().unwrap();
    let of = |name: &str, file: &str| {
        let mut rows = rows.iter().filter(|row| row["function"] == name);
        let row = rows.find(|row| row["file"].as_str().is_some_and(|found| found.ends_with(file))).unwrap();
        number(&row["counts"], "instructions")
    };
    let found =
        [of("fibonacci", "main.c"), of("fill", "main.c"), of("step", "runs.c"), of("step", "squares.c")];
    assert_eq!(found, [2563, 1347, 673, 128]);
    let sum: u64 = rows.iter().map(|row| number(&row["counts"], "instructions")).sum();
    assert_eq!(sum, number(&answer["total"], "instructions"));
    let sorted = rows
        .windows(2)
        .all(|pair| number(&pair[0]["counts"], "instructions") >= number(&pair[1]["counts"], "instructions"));
    assert!(sorted);
}

#[test]
fn lines_have_the_instructions_that_cachegrind_counts() {
    let mut found = BTreeMap::new();
    for row in ask("lines", &[])["rows"].as_array().unwrap() {
        if let Some(file) = row["file"].as_str() {
            let place = format!("{} {}", file.rsplit('/').next().unwrap(), row["line"]);
            *found.entry(place).or_default() += number(&row["counts"], "instructions");
        }
    }
    let text = fs::read_to_string(data("shapes.lines")).unwrap();
    for line in text.lines() {
        let (place, count) = line.rsplit_once(' ').unwrap();
        assert_eq!(found.get(place), Some(&count.parse::<u64>().unwrap()), "{place}");
    }
}

#[test]
fn modules_have_build_ids_and_add_up() {
    let answer = ask("modules", &[]);
    let rows = answer["rows"].as_array().unwrap();
    let program = rows.iter().find(|row| row["module"] == "/tmp/shapes/shapes").unwrap();
    assert_eq!(program["build_id"].as_str().map(str::len), Some(40));
    let sum: u64 = rows.iter().map(|row| number(&row["counts"], "loads")).sum();
    assert_eq!(sum, number(&answer["total"], "loads"));
}

#[test]
fn histograms_count_every_access_once() {
    let (answer, total) = (ask("histogram", &[]), ask("top", &[])["total"].clone());
    let sum = |rows: &str, field: &str| -> u64 {
        answer[rows].as_array().unwrap().iter().map(|row| number(row, field)).sum()
    };
    assert_eq!(
        (sum("sizes", "loads"), sum("sizes", "stores")),
        (number(&total, "loads"), number(&total, "stores"))
    );
    let uses = sum("reuse", "uses") + number(&answer, "first_uses");
    // An access of two cache lines uses both.
    let accesses = number(&total, "loads") + number(&total, "stores");
    assert!((accesses..accesses + accesses / 50).contains(&uses), "{uses} {accesses}");
    let windows = answer["working_set"].as_array().unwrap();
    assert_eq!((windows.len(), number(&windows[19], "to_record")), (20, 170_646));
    assert!(windows.iter().all(|window| number(window, "bytes") <= 64 * number(&answer, "first_uses")));
}

#[test]
fn tables_have_bars_and_other_formats_have_rows() {
    let (trace, binary) = (data("shapes.vtrace"), data("shapes"));
    let top = varvite(&["trace", "top", &trace, "--binary", &binary, "--limit", "3"]).text_beside_notes();
    assert!(top.contains(" instructions, ") && top.contains("████████████"), "{top}");
    let histogram = varvite(&["trace", "histogram", &trace]).text();
    for title in ["Sizes of loads", "Working set", "Reuse distance", "first use", "████████████"]
    {
        assert!(histogram.contains(title), "{title}: {histogram}");
    }
    let rows = varvite(&["trace", "histogram", &trace, "--format", "csv"]).text();
    assert!(rows.starts_with("histogram,from,to,number\nloads_of_bytes,1,1,"), "{rows}");
    let cat = varvite(&["trace", "cat", &trace, "--from", "7", "--limit", "3", "--format", "csv"]).text();
    let ordinals: Vec<&str> = cat.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(ordinals, ["7", "8", "9"]);
}

#[test]
fn a_small_memory_stops_counts_and_samples_lines() {
    let trace = data("shapes.vtrace");
    varvite(&["trace", "top", &trace, "--memory", "4K"]).fails(6, &["raise --memory"]);
    let folder = Folder::new();
    let (text, many) = (folder.path("t.lackey"), folder.path("t.vtrace"));
    let loads: String = (0..5000).map(|line| format!(" L {:x},8\n", 64 * line)).collect();
    fs::write(&text, format!("I  00401129,1\n{loads}==1== Exit code: 0\n")).unwrap();
    varvite(&["trace", "convert", &text, "-o", &many]).text();
    let answer = varvite(&["trace", "histogram", &many, "--memory", "4K", "--format", "json"]);
    let answer: Json = serde_json::from_str(&answer.text_beside_notes()).unwrap();
    assert!(number(&answer, "one_line_in") >= 4);
    let estimate = number(&answer, "first_uses");
    assert!((4000..6000).contains(&estimate), "{estimate}");
}

#[test]
fn a_file_that_is_no_trace_and_a_missing_binary_are_refused() {
    varvite(&["trace", "top", &data("shapes")]).fails(3, &["shapes"]);
    varvite(&["trace", "lines", &data("shapes.vtrace"), "--binary", "/nowhere"]).fails(3, &["/nowhere"]);
}

#[test]
fn rows_beyond_the_limit_are_counted_in_a_note() {
    let (trace, binary) = (data("shapes.vtrace"), data("shapes"));
    let words = ["trace", "top", &trace, "--binary", &binary, "--limit", "3"];
    let found = ask("top", &[])["rows_found"].as_u64().unwrap();
    assert!(found > 10, "{found}");
    for format in ["csv", "table"] {
        let errors = varvite(&[&words[..], &["--format", format]].concat()).errors();
        let expected = format!("note: 3 of {found} rows; --limit {found} shows all");
        assert!(errors.contains(&expected), "{format}: {errors}");
    }
    let all = varvite(&["trace", "top", &trace, "--binary", &binary, "--limit", &found.to_string()]).errors();
    assert!(!all.contains("rows;"), "{all}");
}
