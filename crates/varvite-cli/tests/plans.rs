//! Tests the plans in `examples/plans` on small programs: each plan finds the expected rows, and no near
//! misses.
//!
//! In `data/plans/review.c` and `Review.java`, the mark `//> plan` means that the plan has a row for this
//! line. The mark `//< plan` means that it has no row, although the line looks similar. The graphs were made
//! by Joern's frontends, overlays and data flow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value as Json;

use crate::command::{Folder, varvite};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/plans");
const PLANS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/plans");

/// A plan whose rows are not lines of the source: its name, its columns, rows that it must have, and near
/// misses.
type Table = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

const TABLES: [Table; 25] = [
    ("arguments", &["nodes"], &["memcpy(one, one, n + i) > n + i"], &["memcpy(to, from, rest) > rest"]),
    ("call_names", &["NAME", "count"], &["free 10", "<operator>.alloc 2"], &["strlen 0", "LIMIT 1"]),
    ("callees", &["FULL_NAME"], &["free", "copies_a_constant"], &["read", "third"]),
    (
        "callers_within_three",
        &["FULL_NAME", "depth"],
        &["copies_a_length 1", "copies_a_constant 1", "first 2", "second 3"],
        &["third 4"],
    ),
    ("calls_of_files", &["FILENAME", "count"], &["review.c 157"], &["<unknown> 1"]),
    ("conditions_of_returns", &["CODE"], &["!toFree", "a = b"], &["rest", "kind", "close(file)"]),
    ("count", &["count"], &["2"], &[]),
    ("deepest_nesting", &["line", "depth"], &["196 2", "197 1", "50 1"], &["198 1", "52 1"]),
    ("external_functions", &["NAME", "count"], &["puts 2", "putchar 1"], &["LIMIT 1", "T 3", "first 1"]),
    ("fields_accessed", &["CANONICAL_NAME", "count"], &["text 2", "size 1"], &["next 1"]),
    ("flows", &["target_line", "target_method"], &["177 compressBound"], &["169 main"]),
    ("identifier_names", &["NAME", "count"], &["p 8", "n 13"], &["strm 1"]),
    ("labels", &["label", "count"], &["RETURN 26", "LOCAL 43"], &["FILE 1", "TYPE 1"]),
    ("largest_methods", &["method", "count"], &["prints 57", "jumps 28"], &["prints 58"]),
    ("largest_switches", &["line", "count"], &["121 2", "117 1"], &["121 3", "115 1"]),
    ("last_lines", &["LINE_NUMBER"], &["246", "244"], &["239"]),
    (
        "lines_of_files",
        &["FILENAME", "min_LINE_NUMBER", "max_LINE_NUMBER"],
        &["review.c 1 239"],
        &["<unknown>  ", " 1 246"],
    ),
    ("local_types", &["TYPE_FULL_NAME", "count"], &["char[8] 1", "int 10"], &["short 1"]),
    (
        "long_texts",
        &["CODE"],
        &["\"a long text that the code holds\""],
        &["\"short\"", "\"and/or one or two\""],
    ),
    (
        "longest_parameter_lists",
        &["method", "count"],
        &["copies_a_length 4", "uses_after_free 3"],
        &["main 0", "copies_a_length 5"],
    ),
    ("magic_numbers", &["CODE", "count"], &["100 2", "0x1234 1"], &["12 1", "10 3"]),
    ("most_called", &["FULL_NAME", "count"], &["keep 19", "free 10"], &["first 1"]),
    ("reach", &["NAME", "depth"], &["first 2", "third 4"], &["memcpy 0", "main 1"]),
    ("returns_of_methods", &["method", "count"], &["jumps 2", "assigns_in_a_condition 2"], &["first 1"]),
    ("stack_buffers", &["NAME", "TYPE_FULL_NAME"], &["line char[64]", "to char[8]"], &["rest int"]),
];

/// For each plan, the lines of a program that are marked for it with this sign.
fn marked(source: &str, sign: &str) -> BTreeMap<String, BTreeSet<u64>> {
    let mut lines: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for (line, text) in (1..).zip(source.lines()) {
        for mark in text.split(sign).skip(1) {
            let plan = mark.split_whitespace().next().unwrap().to_owned();
            lines.entry(plan).or_default().insert(line);
        }
    }
    lines
}

/// Imports a graph that Joern made.
fn import(folder: &Folder, name: &str) -> String {
    let graph = folder.path(&format!("{name}.varvite"));
    varvite(&["import", &format!("{DATA}/{name}.cpg.bin"), "-o", &graph]).text();
    graph
}

fn answer(graph: &str, plan: &str) -> Vec<Json> {
    let rows = varvite(&["query", graph, &format!("{PLANS}/{plan}.json"), "--format", "json"]).json();
    rows.as_array().unwrap().clone()
}

/// A cell as text. For a path, this is the CODE of its nodes.
fn text(cell: &Json) -> String {
    match cell {
        Json::String(text) => text.clone(),
        Json::Null => String::new(),
        Json::Array(nodes) => {
            let codes = nodes.iter().filter_map(|node| node["code"].as_str());
            codes.collect::<Vec<_>>().join(" > ")
        }
        other => other.to_string(),
    }
}

/// Compares the rows of plans that return nodes with the marks in a program.
#[track_caller]
fn check_marks(name: &str, source: &str) -> BTreeSet<String> {
    let folder = Folder::new();
    let graph = import(&folder, name);
    let source = fs::read_to_string(format!("{DATA}/{source}")).unwrap();
    let (rows, misses) = (marked(&source, "//> "), marked(&source, "//< "));
    for (plan, lines) in &rows {
        let found: Vec<u64> = answer(&graph, plan).iter().map(|row| row["line"].as_u64().unwrap()).collect();
        let distinct: BTreeSet<u64> = found.iter().copied().collect();
        assert_eq!(&distinct, lines, "{plan}");
        assert_eq!(found.len(), distinct.len(), "{plan} has a row twice");
        let misses = misses.get(plan).unwrap_or_else(|| panic!("{plan} has no near miss"));
        assert!(misses.is_disjoint(lines), "{plan}");
    }
    rows.into_keys().collect()
}

#[test]
fn plans_find_what_the_source_marks_and_no_near_miss() {
    let marked = check_marks("review", "review.c");
    let tables = TABLES.map(|(plan, ..)| plan.to_owned());
    let checked: BTreeSet<String> = marked.into_iter().chain(tables).collect();
    let shipped = fs::read_dir(PLANS).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let shipped = shipped.filter_map(|name| name.strip_suffix(".json").map(str::to_owned)).collect();
    assert_eq!(checked, shipped, "each plan has a positive and a near miss");
}

#[test]
fn plans_find_what_java_marks_and_overloads_are_methods_of_their_own() {
    assert!(check_marks("review_java", "Review.java").len() > 7);
    let folder = Folder::new();
    let graph = import(&folder, "review_java");
    let lists = answer(&graph, "longest_parameter_lists");
    let sends = lists.iter().filter(|row| row["method"].as_str().unwrap().contains(".send:"));
    let sends: Vec<[&Json; 2]> = sends.map(|row| [&row["method"], &row["count"]]).collect();
    // Joern resolves neither of the two signatures, so both methods have the same FULL_NAME. `this` is a
    // parameter.
    assert_eq!(sends.len(), 2);
    assert!(sends[0] == sends[1] && *sends[0][1] == 3, "{sends:?}");
}

#[test]
fn plans_that_group_and_count_have_their_rows_and_no_near_miss() {
    let folder = Folder::new();
    let graph = import(&folder, "review");
    for (plan, columns, expected, misses) in TABLES {
        let line = |row: &Json| columns.iter().map(|name| text(&row[name])).collect::<Vec<_>>().join(" ");
        let found: BTreeSet<String> = answer(&graph, plan).iter().map(line).collect();
        for row in expected {
            assert!(found.contains(*row), "{plan} has no row {row:?}: {found:?}");
        }
        for row in misses {
            assert!(!found.contains(*row), "{plan} has the row {row:?}");
        }
    }
}
