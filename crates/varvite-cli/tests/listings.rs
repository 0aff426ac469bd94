//! Tests of the options that every listing has: locations of nodes, and the choice of the columns and of the
//! order and number of rows.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::command::{send, varvite, zlib};

/// The rows of a command's answer, in JSON.
fn rows(words: &[&str]) -> Vec<Json> {
    let words = [words, &["--format", "json"]].concat();
    varvite(&words).json().as_array().unwrap().clone()
}

fn plan(steps: &str, more: &[&str]) -> Json {
    let words = [&["query", zlib(), "-", "--format", "json"], more].concat();
    send(&format!("{{\"version\": 1, \"steps\": [{steps}]}}"), &words).json()
}

const METHODS: &str = r#"{"step": "nodes", "labels": ["METHOD"]},
    {"step": "has", "property": "NAME", "is": {"eq": "compressBound"}}"#;

#[test]
fn every_listing_says_file_line_and_method() {
    let zlib = zlib();
    let listings: [&[&str]; 5] = [
        &["find", zlib, "CALL", "NAME=compressBound_z"],
        &["callers", zlib, "compressBound_z"],
        &["callees", zlib, "compressBound"],
        &["tree", zlib, "compressBound"],
        &["path", zlib, "compressBound", "compressBound_z", "--along", "CALL"],
    ];
    for words in listings {
        for row in rows(words) {
            assert_eq!(row["file"], "compress.c", "{words:?}");
            assert!(row["line"].is_u64() && row["method"].is_string(), "{words:?}: {row}");
        }
        let table = varvite(words).text();
        assert!(table.lines().next().unwrap().contains("  location"), "{table}");
        assert!(table.lines().skip(1).all(|line| line.contains("compress.c:")), "{table}");
    }
    let call = json!({"file": "compress.c", "line": 97, "method": "compressBound"});
    let found = &rows(listings[0])[0];
    assert_eq!(json!({"file": found["file"], "line": found["line"], "method": found["method"]}), call);
}

#[test]
fn rows_of_a_plan_say_it_too() {
    let nodes = plan(METHODS, &[]);
    assert_eq!((&nodes[0]["file"], &nodes[0]["line"]), (&json!("compress.c"), &json!(96)));
    assert_eq!(nodes[0]["method"], "compressBound");
    let edges = plan(&format!("{METHODS}, {{\"step\": \"in_edges\", \"labels\": [\"CALL\"]}}"), &[]);
    assert!(edges.as_array().unwrap().iter().all(|edge| edge["target_line"] == 96), "{edges}");
    assert!(edges.as_array().unwrap().iter().any(|edge| edge["source_file"] == "zwork.c"), "{edges}");
    let columns = r#"{"step": "columns", "columns": [{"property": "NAME"}, "itself"]}"#;
    let columns = plan(&format!("{METHODS}, {columns}"), &[]);
    assert_eq!((&columns[0]["line"], &columns[0]["NAME"]), (&json!(96), &json!("compressBound")));
    let counted = plan(&format!("{METHODS}, {{\"step\": \"count\"}}"), &[]);
    assert_eq!(counted, json!([{"count": 1}]), "a number is nowhere");
}

#[test]
fn a_path_says_what_its_nodes_are() {
    let steps = format!(
        "{METHODS}, {{\"step\": \"out_edges\", \"labels\": [\"CONTAINS\"]}}, {{\"step\": \"target\"}},
        {{\"step\": \"has\", \"property\": \"NAME\", \"is\": {{\"eq\": \"compressBound_z\"}}}}, {{\"step\": \"path\"}}"
    );
    let paths = plan(&steps, &[]);
    let (path, nodes) = (&paths[0]["path"], &paths[0]["nodes"]);
    assert_eq!(path[1]["edge"], "CONTAINS");
    assert_eq!((&nodes[0]["node"], &nodes[1]["node"]), (&path[0], &path[2]));
    assert_eq!((&nodes[0]["label"], &nodes[1]["label"]), (&json!("METHOD"), &json!("CALL")));
    assert_eq!(nodes[1]["code"], "compressBound_z(sourceLen)");
    assert_eq!((&nodes[1]["file"], &nodes[1]["line"]), (&json!("compress.c"), &json!(97)));
    let chosen = plan(&steps, &["--columns", "location"]);
    assert_eq!(chosen[0]["nodes"][1], json!({"node": path[2], "label": "CALL", "location": "compress.c:97"}));
    let text = format!("{{\"version\": 1, \"steps\": [{steps}]}}");
    let table = send(&text, &["query", zlib(), "-"]).text();
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[1].contains(" METHOD ") && lines[1].contains("compress.c:96"), "{table}");
    assert!(lines[2].contains("-CONTAINS->") && lines[2].ends_with("compressBound_z(sourceLen)"), "{table}");
    send(&text, &["query", zlib(), "-", "--order-by", "node"]).fails(2, &["--order-by cannot sort paths"]);
}

#[test]
fn a_graph_without_places_has_no_columns_for_them() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/files/whole.varvite");
    let text = varvite(&["find", file, "METHOD", "--format", "csv", "--limit", "1"]).text();
    let header = text.lines().next().unwrap();
    assert!(!header.contains("file") && !header.contains("line"), "{header}");
}

#[test]
fn columns_are_properties_and_fields_in_every_listing() {
    let zlib = zlib();
    let chosen = ["--columns", "line,IS_EXTERNAL,method"];
    let listings: [(&[&str], &str); 5] = [
        (&["find", zlib, "METHOD", "NAME=deflate"], "node"),
        (&["callers", zlib, "deflate"], "node"),
        (&["callees", zlib, "deflate"], "node"),
        (&["tree", zlib, "deflate", "--limit", "2"], "node,depth,label"),
        (&["path", zlib, "compress", "deflate", "--along", "CALL"], "path,step,edge,direction,node,label"),
    ];
    for (words, leading) in listings {
        let text = varvite(&[words, &chosen, &["--format", "csv"]].concat()).text();
        assert_eq!(text.lines().next().unwrap(), format!("{leading},line,IS_EXTERNAL,method"), "{words:?}");
        assert!(text.lines().count() > 1);
        let refused = varvite(&[words, &["--columns", "LINE_NUMBERS"]].concat());
        refused.fails(4, &["no property \"LINE_NUMBERS\"", "nearest is \"LINE_NUMBER\""]);
    }
    let edges =
        r#"{"version": 1, "steps": [{"step": "edges", "labels": ["CALL"]}, {"step": "limit", "count": 1}]}"#;
    let words = ["query", zlib, "-", "--format", "csv", "--columns", "source_CODE,target_line"];
    assert!(send(edges, &words).text().starts_with("edge,source,target,source_CODE,target_line\n"));
    send(edges, &["query", zlib, "-", "--columns", "code"])
        .fails(2, &["no column \"code\" here: there are edge"]);
}

#[test]
fn rows_are_sorted_by_what_the_user_names() {
    let lines = |words: &[&str]| -> Vec<i64> {
        let words = [&["find", zlib(), "METHOD"], words].concat();
        rows(&words).iter().map(|row| row["line"].as_i64().unwrap_or(i64::MAX)).collect()
    };
    let mut sorted = lines(&[]);
    let none = sorted.iter().filter(|line| **line == i64::MAX).count();
    sorted.sort_unstable();
    assert!(none > 0, "some have no line");
    assert_eq!(lines(&["--order-by", "line"]), sorted);
    assert_eq!(lines(&["--order-by", "line", "--limit", "7"]), sorted[..7]);
    let down = lines(&["--order-by", "line", "--descending"]);
    let known = sorted.len() - none;
    assert!(down[..known].iter().rev().eq(&sorted[..known]), "{down:?}");
    assert_eq!(down[known..], sorted[known..], "what has no line comes last either way");
    varvite(&["find", zlib(), "METHOD", "--descending"]).fails(2, &["--order-by"]);
}

#[test]
fn several_columns_sort_one_after_the_other() {
    let found =
        rows(&["callees", zlib(), "inflate", "--order-by", "calls,callee", "--columns", "callee,calls"]);
    let keys: Vec<(i64, String)> = found
        .iter()
        .map(|row| (row["calls"].as_i64().unwrap(), row["callee"].as_str().unwrap().to_owned()))
        .collect();
    let mut sorted = keys.clone();
    sorted.sort();
    assert!(keys.len() > 5);
    assert_eq!(keys, sorted);
    let callers = rows(&["callers", zlib(), "memcpy", "--order-by", "location"]);
    let places: Vec<String> = callers.iter().map(|row| format!("{}:{}", row["file"], row["line"])).collect();
    assert!(
        callers.len() > 10 && places.iter().map(|place| place.split(':').next()).is_sorted(),
        "{places:?}"
    );
    let groups =
        r#"{"step": "nodes", "labels": ["CALL"]}, {"step": "group_count", "by": {"property": "NAME"}}"#;
    let groups = plan(groups, &["--order-by", "count", "--descending", "--limit", "5"]);
    assert!(groups.as_array().unwrap().iter().rev().is_sorted_by_key(|row| row["count"].as_u64()));
    assert_eq!(groups.as_array().unwrap().len(), 5);
}

#[test]
fn what_is_sorted_stays_within_the_budget() {
    let words = ["find", zlib(), "CALL", "--order-by", "CODE", "--format", "csv"];
    varvite(&[&words[..], &["--memory", "1M"]].concat())
        .fails(6, &["bytes of memory are needed", "--memory"]);
    // With --limit, only a few of the rows beyond the limit are in memory at a time.
    let some = varvite(&[&words[..], &["--memory", "1M", "--limit", "20"]].concat()).text();
    let all = varvite(&words).text();
    let first = |text: &str| {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.records().take(20).map(Result::unwrap).collect::<Vec<_>>()
    };
    assert_eq!(first(&some), first(&all));
    assert_eq!(first(&some).len(), 20);
}

#[test]
fn a_node_is_named_in_the_same_ways_everywhere() {
    for command in ["tree", "callers", "callees"] {
        let of = |node: &str| varvite(&[command, zlib(), node, "--format", "csv"]).text();
        let expected = of("compress2");
        for node in ["1321", "#1321", "METHOD:compress2"] {
            assert_eq!(of(node), expected, "{command} {node}");
        }
        varvite(&[command, zlib(), "deflat"])
            .fails(4, &["no METHOD named \"deflat\"", "nearest is \"deflate\""]);
        varvite(&[command, zlib(), "METHODE:x"]).fails(4, &["no label \"METHODE\"", "\"METHOD\""]);
        varvite(&[command, zlib(), "44073"]).fails(4, &["no node 44073", "0 to 44072"]);
    }
    for command in ["callers", "callees"] {
        varvite(&[command, zlib(), "TYPE:int"]).fails(2, &["TYPE:int is node", "a TYPE and not a METHOD"]);
    }
}

#[test]
fn null_and_empty_text_differ_in_csv() {
    let none = varvite(&["find", zlib(), "METHOD", "--columns", "LINE_NUMBER,SIGNATURE", "--format", "csv"]);
    let fields: BTreeMap<String, usize> =
        none.text().lines().skip(1).fold(BTreeMap::new(), |mut all, line| {
            *all.entry(line.split_once(',').unwrap().1.to_owned()).or_default() += 1;
            all
        });
    let rows = rows(&["find", zlib(), "METHOD", "--columns", "LINE_NUMBER,SIGNATURE"]);
    let empty = rows.iter().filter(|row| row["LINE_NUMBER"].is_null() && row["SIGNATURE"] == "").count();
    assert!(empty > 0, "{fields:?}");
    assert_eq!(fields[",\"\""], empty, "{fields:?}");
}
