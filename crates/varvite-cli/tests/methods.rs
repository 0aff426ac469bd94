//! Tests of `varvite callers` and `varvite callees`. The expected answers were found by reading zlib's
//! source.

use serde_json::{Value as Json, json};

use crate::command::{top_call_names, varvite, zlib};

fn callers(name: &str) -> Json {
    varvite(&["callers", zlib(), name, "--format", "json"]).json()
}

#[test]
fn callers_are_shown_with_their_place() {
    let rows = callers("deflateInit2_");
    let places: Vec<Json> =
        rows.as_array().unwrap().iter().map(|row| json!([row["caller"], row["file"]])).collect();
    assert_eq!(places, [json!(["deflateInit_", "deflate.c"]), json!(["gz_init", "gzwrite.c"])]);
    let code = rows[0]["code"].as_str().unwrap();
    assert!(code.starts_with("deflateInit2_(strm, level, Z_DEFLATED,"), "{code}");
}

#[test]
fn callers_are_as_many_as_there_are_calls() {
    let [name, calls] = &top_call_names()[1];
    assert_eq!(name, "<operator>.assignment");
    assert_eq!(callers("<operator>.assignment").as_array().unwrap().len(), *calls);
}

#[test]
fn people_see_file_and_line_as_one() {
    let text = varvite(&["callers", zlib(), "compressBound_z"]).text();
    let line = text.lines().find(|line| line.contains("compressBound ")).unwrap();
    assert!(line.contains(" compress.c:97 "), "{text}");
}

#[test]
fn nobody_calls_an_entry_point() {
    assert_eq!(callers("main"), json!([]));
}

#[test]
fn callees_are_counted_without_operators_unless_asked_for() {
    let callees = |more: &[&str]| {
        let words = ["callees", zlib(), "compressBound", "--format", "json"];
        let rows = varvite(&[&words, more].concat()).json();
        let rows = rows.as_array().unwrap().iter().map(|row| json!([row["callee"], row["calls"]]));
        rows.collect::<Vec<Json>>()
    };
    assert_eq!(callees(&[]), [json!(["compressBound_z", 1])]);
    let mut all = callees(&["--operators"]);
    all.sort_by_key(Json::to_string);
    let operators = [("assignment", 1), ("cast", 3), ("conditional", 1), ("minus", 1), ("notEquals", 1)];
    let operators = operators.map(|(name, calls)| json!([format!("<operator>.{name}"), calls]));
    assert_eq!(all[..5], operators);
    assert_eq!(all.len(), 6);
}

#[test]
fn callers_and_callees_agree() {
    let names = varvite(&["callees", zlib(), "inflate", "--format", "json"]).column("callee");
    assert!(names.contains(&json!("inflate_fast")), "{names:?}");
    for name in names {
        let callers =
            varvite(&["callers", zlib(), name.as_str().unwrap(), "--format", "json"]).column("caller");
        assert!(callers.contains(&json!("inflate")), "{name}");
    }
}

#[test]
fn an_unknown_name_comes_with_the_nearest() {
    for command in ["callers", "callees"] {
        let answer = varvite(&[command, zlib(), "deflateInt2_"]);
        answer.fails(4, &["no METHOD named \"deflateInt2_\"", "nearest is \"deflateInit2_\""]);
    }
}

/// zlib has three METHODs with the NAME main; only one of them has the FULL_NAME main.
#[test]
fn an_exact_full_name_comes_before_names() {
    let tops =
        |name: &str| varvite(&["tree", zlib(), name, "--depth", "0", "--format", "json"]).column("node");
    let ids = |names: &[&str]| names.iter().flat_map(|name| tops(name)).collect::<Vec<Json>>();
    assert_eq!(tops("main").len(), 1);
    let all = varvite(&["find", zlib(), "METHOD", "NAME=main", "--format", "json"]).column("node");
    assert_eq!(ids(&["main", "main<duplicate>0", "main<duplicate>1"]), all);
}

#[test]
fn callers_of_many_methods_are_found_by_a_regular_expression() {
    let union: Vec<Json> = ["deflateInit_", "deflateInit2_"]
        .iter()
        .flat_map(|name| callers(name).as_array().unwrap().clone())
        .collect();
    let found = callers("~deflateInit2?_");
    assert_eq!(found.as_array().unwrap().len(), union.len());
    assert!(union.iter().all(|row| found.as_array().unwrap().contains(row)));
    varvite(&["callers", zlib(), "~deflateInit("]).fails(2, &["regular expression"]);
    varvite(&["callers", zlib(), "~noSuch.*"]).fails(4, &["no METHOD named"]);
}
