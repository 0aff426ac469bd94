//! Tests of nodes that are named by a file and a line.

use serde_json::json;

use crate::command::{varvite, zlib};

fn answer(words: &[&str]) -> String {
    varvite(&[&words[..1], &[zlib()], &words[1..]].concat()).text()
}

#[test]
fn a_line_names_the_method_around_it_in_every_command() {
    for (by_line, by_name) in [
        (["callers", "inffast.c:60"], ["callers", "inflate_fast"]),
        (["callees", "./inffast.c:60"], ["callees", "inflate_fast"]),
        (["tree", "METHOD:inffast.c:60"], ["tree", "inflate_fast"]),
        (["callers", "adler32.c:55"], ["callers", "adler32.c:MOD:ANY(1)"]),
    ] {
        assert_eq!(answer(&by_line), answer(&by_name), "{by_line:?}");
    }
    let path = |to: &str| answer(&["path", "inflate.c:500", to, "--along", "CALL"]);
    assert_eq!(path("inffast.c:60"), path("inflate_fast"));
}

#[test]
fn a_label_and_a_line_name_the_nodes_that_begin_there() {
    let words = ["tree", zlib(), "CALL:inflate.c:917", "--depth", "0", "--format", "json"];
    let found = varvite(&words).json();
    let calls: Vec<_> =
        found.as_array().unwrap().iter().map(|row| (&row["label"], &row["LINE_NUMBER"])).collect();
    assert!(!calls.is_empty() && calls.iter().all(|call| *call == (&json!("CALL"), &json!(917))), "{found}");
    assert!(found.as_array().unwrap().iter().any(|row| row["CODE"] == "inflate_fast(strm, out)"), "{found}");
    let found = varvite(&["path", zlib(), "inflate", "METHOD_RETURN:inflate.c:474", "--along", "AST"]).text();
    assert!(found.contains("METHOD_RETURN"), "{found}");
}

#[test]
fn a_line_that_names_nothing_is_an_error_that_says_why() {
    let fails = |words: &str, parts: &[&str]| varvite(&["callers", zlib(), words]).fails(4, parts);
    fails("inflatee.c:500", &["no FILE named \"inflatee.c\"", "the nearest is \"inflate.c\""]);
    fails("inflate.c:1", &["no METHOD at inflate.c:1 "]);
    fails("inflate.c:99999", &["no METHOD at inflate.c:99999 "]);
    fails("inflate.c:0", &["no METHOD named \"inflate.c:0\""]);
    varvite(&["tree", zlib(), "LOCAL:inflate.c:1"]).fails(4, &["no LOCAL at inflate.c:1 "]);
    varvite(&["path", zlib(), "IDENTIFIER:inflate.c:917", "main"])
        .fails(4, &["IDENTIFIER nodes", "inflate.c:917"]);
}

#[test]
fn the_help_lists_the_ways_to_name_a_node() {
    let help = varvite(&["--help"]).text();
    for words in ["17 or #17", "TYPE_DECL:z_stream", "inflate.c:500", "CALL:inflate.c:917"] {
        assert!(help.contains(words), "{words}");
    }
}
