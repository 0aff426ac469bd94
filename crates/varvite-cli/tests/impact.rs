//! Tests of `varvite impact`.

use std::fs;

use serde_json::{Value as Json, json};

use crate::command::{Answer, Folder, send, varvite, zlib};

/// A patch of two lines of `deflate_stored` in zlib, and of a file that the graph lacks.
const PATCH: &str = "diff --git a/src/deflate.c b/src/deflate.c\nindex 1..2 100644\n--- a/src/deflate.c\n\
    +++ b/src/deflate.c\n@@ -1700,4 +1700,5 @@\n a\n-b\n+c\n+d\n e\n f\n\
    diff --git a/README b/README\nindex 1..2 100644\n--- a/README\n+++ b/README\n@@ -1 +1 @@\n-a\n+b\n";

fn impact(patch: &str, more: &[&str]) -> Answer {
    send(patch, &[&["impact", zlib(), "--diff", "-", "--base", "old"], more].concat())
}

fn by_lines(lines: &str, more: &[&str]) -> Json {
    varvite(&[&["impact", zlib(), "--lines", lines, "--format", "json"], more].concat()).json()
}

/// The METHODs at a distance from the change.
fn at(document: &Json, distance: u64) -> Vec<&str> {
    let methods = document["methods"].as_array().unwrap().iter();
    methods.filter(|row| row["distance"] == distance).map(|row| row["method"].as_str().unwrap()).collect()
}

fn document(answer: Answer) -> Json {
    serde_json::from_slice(&answer.status_and_output().1).unwrap()
}

/// The callers that `varvite callers` shows for METHODs, without these METHODs.
fn callers_of(methods: &[&str]) -> Vec<String> {
    let mut callers: Vec<String> = Vec::new();
    for method in methods {
        let rows = varvite(&["callers", zlib(), method, "--format", "json"]).json();
        callers.extend(rows.as_array().unwrap().iter().map(|row| row["caller"].as_str().unwrap().to_owned()));
    }
    callers.sort();
    callers.dedup();
    callers
}

#[test]
fn a_patch_touches_the_methods_on_its_lines_and_reaches_their_callers() {
    let answer = impact(PATCH, &["--format", "json"]);
    assert_eq!(answer.errors(), "varvite: note: 1 of 2 changed files is not in the graph: README\n");
    let found = document(answer);
    assert_eq!((at(&found, 0), at(&found, 1)), (vec!["deflate_stored"], vec!["deflate"]));
    assert_eq!(
        (&found["touched"], &found["lines"], &found["lines_outside"]),
        (&json!(1), &json!(1), &json!(0))
    );
    let file = &found["files"][0];
    assert_eq!((&file["path"], &file["names"]), (&json!("src/deflate.c"), &json!(["deflate.c"])));
    assert_eq!(found["files"][1]["state"], "unknown");
}

#[test]
fn each_method_has_its_least_distance_and_is_shown_once() {
    let found = by_lines("inffast.c:60", &["--depth", "9"]);
    let mut nearer: Vec<&str> = at(&found, 0);
    assert_eq!(nearer, ["inflate_fast"]);
    for distance in 1..9 {
        let (here, before) = (at(&found, distance), at(&found, distance - 1));
        let mut expected = callers_of(&before);
        expected.retain(|caller| !nearer.contains(&caller.as_str()));
        let mut sorted = here.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "{distance}");
        nearer.extend(here);
    }
    assert!(nearer.len() > 15 && nearer.contains(&"main<duplicate>1"), "{nearer:?}");
}

#[test]
fn entry_points_and_tests_are_shown_beyond_the_depth() {
    let found = by_lines("inffast.c:60", &["--depth", "1", "--tests", "zwork\\.c|none"]);
    let beyond: Vec<&Json> = found["methods"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["distance"].as_u64() > Some(1))
        .collect();
    assert!(!beyond.is_empty() && beyond.iter().all(|row| row["entry"] == true || row["test"] == true));
    let main = beyond.iter().find(|row| row["method"] == "main<duplicate>1").unwrap();
    assert_eq!((&main["entry"], &main["test"]), (&json!(true), &json!(true)));
    assert!(found["tests"].as_u64() >= Some(1) && found["callers_beyond"].as_u64() > Some(5), "{found}");
    let entries = found["methods"].as_array().unwrap().iter().filter(|row| row["entry"] == true);
    for entry in entries {
        let name = entry["method"].as_str().unwrap();
        let callers = callers_of(&[name.split("<duplicate>").next().unwrap()]);
        assert!(callers.is_empty(), "{name}: {callers:?}");
    }
}

#[test]
fn callers_of_the_first_method_of_a_name_count_for_its_duplicates() {
    let found = by_lines("deflate.c:1540", &[]);
    assert_eq!(at(&found, 0), ["longest_match<duplicate>0"]);
    assert_eq!(at(&found, 1), callers_of(&["longest_match"]));
}

#[test]
fn a_macro_has_the_lines_of_its_definition() {
    let found = by_lines("zlib.h:1932", &[]);
    assert_eq!(at(&found, 0), ["zlib.h:deflateInit:ANY(2)"]);
    assert_eq!(at(&found, 1), callers_of(&["zlib.h:deflateInit:ANY(2)"]));
}

#[test]
fn lines_outside_of_methods_are_counted() {
    let answer = varvite(&["impact", zlib(), "--lines", "adler32.c:1-20", "--format", "json"]);
    assert!(answer.errors().starts_with("varvite: note: "), "{}", answer.errors());
    assert!(answer.errors().contains(" of 20 changed lines are in no METHOD"), "{}", answer.errors());
    let outside = document(answer)["lines_outside"].as_u64().unwrap();
    assert!((10..20).contains(&outside), "{outside}");
    let twice = by_lines("inffast.c:60-62", &["--lines", "inffast.c:61-64"]);
    assert_eq!((&twice["lines"], &twice["methods"][0]["lines"]), (&json!(5), &json!(5)));
}

#[test]
fn added_lines_touch_the_method_around_them_on_the_old_side() {
    let added = |line: u32| {
        let patch = format!("--- a/inffast.c\n+++ b/inffast.c\n@@ -{line},0 +{},2 @@\n+a\n+b\n", line + 1);
        document(impact(&patch, &["--format", "json"]))["touched"].clone()
    };
    let rows = varvite(&[
        "find",
        zlib(),
        "METHOD",
        "NAME=inflate_fast",
        "--columns",
        "LINE_NUMBER,LINE_NUMBER_END",
        "--format",
        "json",
    ])
    .json();
    let line = |name: &str| u32::try_from(rows[0][name].as_u64().unwrap()).unwrap();
    let (first, last) = (line("LINE_NUMBER"), line("LINE_NUMBER_END"));
    assert_eq!([first - 1, first, last - 1, last].map(added), [0, 1, 1, 0].map(Json::from));
}

#[test]
fn files_of_the_other_side_and_binary_files_are_told() {
    let new = "diff --git a/n.c b/n.c\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/n.c\n@@ -0,0 +1 @@\n+a\n\
        diff --git a/x.png b/x.png\nindex 1..2 100644\nBinary files a/x.png and b/x.png differ\n";
    let errors = impact(new, &[]).errors();
    assert!(errors.contains("1 of 2 changed files is new, ") && errors.contains(": n.c\n"), "{errors}");
    assert!(errors.contains("1 of 2 changed files is binary, and left out: x.png\n"), "{errors}");
}

#[test]
fn a_file_of_the_graph_that_two_files_of_the_patch_may_be_is_left_out() {
    let patch = |path: &str| format!("--- a/{path}\n+++ b/{path}\n@@ -1700 +1700 @@\n-a\n+b\n");
    let two = patch("one/deflate.c") + &patch("two/deflate.c");
    let answer = impact(&two, &["--format", "json"]);
    let errors = answer.errors();
    assert!(
        errors.contains("2 of 2 changed files are ambiguous, and left out: one/deflate.c (deflate.c)"),
        "{errors}"
    );
    assert_eq!(document(answer)["touched"], 0);
}

#[test]
fn a_bad_patch_is_an_error_with_its_line() {
    for (patch, words) in [
        ("hello\n", ["standard input: line 1: ", "not a unified diff"]),
        ("--- a/x\n+++ b/x\n@@ -1,9 +1 @@\n-a\n+b\n", ["line 5: the patch ends", "line 3; missing lines: 8"]),
        ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+c\n", ["line 6: ", "more lines than line 3 says"]),
        ("diff --cc x.c\nindex 1,2..3\n", ["line 1: ", "combined diff"]),
        ("*** a/x\n--- b/x\n***************\n", ["line 1: ", "context diff"]),
    ] {
        impact(patch, &[]).fails(2, &words);
        assert_eq!(impact(patch, &[]).output(), "");
    }
    impact("", &[]).text();
}

#[test]
fn bad_arguments_are_refused() {
    let fails = |words: &[&str], code, parts: &[&str]| {
        varvite(&[&["impact", zlib()], words].concat()).fails(code, parts);
    };
    fails(&[], 2, &["--diff"]);
    fails(&["--diff", "x.patch"], 2, &["--base"]);
    fails(&["--diff", "/no/such.patch", "--base", "old"], 3, &["/no/such.patch: cannot be read"]);
    for lines in ["deflate.c", "deflate.c:0", "deflate.c:9-3", ":7", "deflate.c:x", "deflate.c:1-4294967295"]
    {
        fails(&["--lines", lines], 2, &["FILE:FIRST-LAST"]);
    }
    fails(&["--lines", "defalte.c:7"], 4, &["no FILE named \"defalte.c\"", "nearest is \"deflate.c\""]);
    fails(&["--lines", "deflate.c:7", "--tests", "("], 2, &["--tests ("]);
    fails(&["--lines", "deflate.c:7", "--memory", "1K"], 6, &["--memory"]);
}

#[test]
fn rows_have_the_same_methods_in_all_formats() {
    let rows = |format: &str| {
        let answer = varvite(&["impact", zlib(), "--lines", "inffast.c:60", "--format", format]);
        answer.text().lines().count()
    };
    let methods = by_lines("inffast.c:60", &[])["methods"].as_array().unwrap().len();
    assert_eq!([rows("jsonl"), rows("csv") - 1, rows("table") - 2], [methods; 3]);
    let words = ["impact", zlib(), "--lines", "inffast.c:60", "--limit", "3", "--format", "csv"];
    let limited = varvite(&words);
    assert_eq!(limited.lines(), 4);
    assert!(
        limited.errors().contains(&format!("{} more METHODs are not shown", methods - 3)),
        "{}",
        limited.errors()
    );
}

#[test]
fn markdown_has_a_table_for_each_kind_of_methods() {
    let words =
        ["impact", zlib(), "--lines", "inffast.c:60", "--tests", "zwork.c", "--depth", "1", "--markdown"];
    let text = varvite(&words).text();
    for heading in
        ["## Impact\n", "### Touched METHODs (1)\n", "### Callers (2)\n", "### Entry points (", "### Tests ("]
    {
        assert!(text.contains(heading), "{heading}{text}");
    }
    assert!(text.contains("| 0 | `inflate_fast` | `inffast.c:50` | 1 |  |\n"), "{text}");
    let bars = |line: &str| line.matches('|').count();
    assert!(text.lines().filter(|line| line.starts_with('|')).all(|line| bars(line) == 6), "{text}");
}

#[test]
fn names_of_a_graph_cannot_become_markup() {
    let folder = Folder::new();
    let (graph, diff) = (folder.import("graph.varvite", "direct"), folder.path("diff.jsonl"));
    let name = "x` | <img src=x onerror=alert(1)> @team #1\n## [a](http://b)\u{1b}[2J";
    let rows = varvite(&["find", &graph, "METHOD", "NAME=inflate_fast", "--format", "json"]).json();
    let set = json!({ "set": { "node": rows[0]["node"], "property": "FULL_NAME", "value": name } });
    fs::write(&diff, format!("{set}\n")).unwrap();
    varvite(&["apply", &graph, &diff]).text();
    let text = varvite(&["impact", &graph, "--lines", "inffast.c:60", "--markdown"]).text();
    assert!(!text.contains("<img") && !text.contains("\u{1b}") && !text.contains("[a]"), "{text}");
    let row = text.lines().find(|line| line.starts_with("| 0 |")).unwrap();
    assert!(row.starts_with("| 0 | <code>x&#96;&#32;&#124;") && row.matches('|').count() == 6, "{row}");
}

#[test]
fn measurements_of_a_trace_are_shown_for_each_method() {
    let folder = Folder::new();
    let graph = folder.import("graph.varvite", "direct");
    let layers = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/layers");
    let (trace, binary) = (format!("{layers}/zwork.vtrace"), format!("{layers}/zwork"));
    varvite(&["import", &trace, "--into", &graph, "--binary", &binary]).status_and_output();
    let words = ["impact", &graph, "--lines", "inffast.c:60"];
    let found = varvite(&[&words[..], &["--format", "json"]].concat()).json();
    let measured = varvite(&[
        "find",
        &graph,
        "METHOD",
        "NAME=inflate_fast",
        "--columns",
        "TRACE_LOADS",
        "--format",
        "json",
    ]);
    let (ran, loads) = (&found["methods"][0]["ran"], &measured.json()[0]["TRACE_LOADS"]);
    assert!(ran["TRACE_LOADS"] == *loads && loads.as_u64() > Some(1000), "{ran} {loads}");
    let table = varvite(&words).text();
    assert!(table.lines().nth(1).unwrap().contains("TRACE_INSTRUCTIONS"), "{table}");
}

/// Sizes and times of the import differ from machine to machine.
#[cfg(unix)]
#[test]
fn the_answers_are_those_of_the_guide() {
    let commands = crate::guide::commands_of(include_str!("../../../docs/guide/impact.md"));
    let [(import, _), questions @ ..] = &commands[..] else { panic!("{commands:?}") };
    assert!(import.starts_with("varvite import ") && !questions.is_empty());
    for (command, expected) in questions {
        let answer = crate::guide::run(command, zlib());
        assert_eq!(answer.lines().map(str::trim_end).collect::<Vec<_>>(), *expected, "{command}");
    }
}
