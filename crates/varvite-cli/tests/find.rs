//! `varvite find`.

use serde_json::json;

use crate::command::{Folder, expected, top_call_names, varvite, zlib};

fn nodes(words: &[&str]) -> usize {
    varvite(&[&["find", zlib()], words, &["--format", "json"]].concat()).column("node").len()
}

#[test]
fn a_label_alone_finds_all_its_nodes() {
    for (label, count) in expected()["labels"].as_object().unwrap() {
        assert_eq!(nodes(&[label]) as u64, count.as_u64().unwrap(), "{label}");
    }
}

#[test]
fn the_commonest_names_of_calls_are_found_as_often_as_flatgraph_counts_them() {
    for [name, count] in top_call_names() {
        assert_eq!(nodes(&["CALL", &format!("NAME={}", name.as_str().unwrap())]), count, "{name}");
    }
}

#[test]
fn answers_are_equal_in_every_profile_and_mode() {
    let folder = Folder::new();
    let find = |file: &str, more: &[&str]| {
        let words = ["find", file, "CALL", "NAME=memcpy", "--format", "jsonl"];
        varvite(&[&words, more].concat()).text()
    };
    let answer = find(zlib(), &[]);
    assert!(answer.lines().count() > 5);
    for profile in ["direct", "compact", "archive"] {
        let file = folder.import(profile, profile);
        assert_eq!(find(&file, &[]), answer, "{profile}");
        assert_eq!(find(&file, &["--buffered"]), answer, "{profile}, buffered");
    }
}

#[test]
fn a_method_is_shown_with_what_tells_most_about_it() {
    let rows = varvite(&["find", zlib(), "METHOD", "NAME=compressBound", "--format", "json"]).json();
    let code = "uLong ZEXPORT compressBound(uLong sourceLen) {\n    z_size_t bound = compressBound_z(sourceLen);\n    \
                return (uLong)bound != bound ? (uLong)-1 : (uLong)bound;\n}";
    let row = &rows.as_array().unwrap()[0];
    assert_eq!(row["NAME"], "compressBound");
    assert_eq!(row["FILENAME"], "compress.c");
    assert_eq!(row["LINE_NUMBER"], 96);
    assert_eq!(row["CODE"], code);
    assert_eq!(rows.as_array().unwrap().len(), 1);
}

#[test]
fn every_condition_must_hold_in_any_order() {
    let (name, line) = ("NAME=<operator>.assignment", "LINE_NUMBER=97");
    let both = nodes(&["CALL", name, line]);
    assert!(both > 0 && both < nodes(&["CALL", name]) && both < nodes(&["CALL", line]));
    assert_eq!(nodes(&["CALL", line, name]), both);
    assert_eq!(nodes(&["CALL", line, name, "NAME=memcpy"]), 0);
}

#[test]
fn truth_values_and_numbers_are_compared_by_type() {
    let external = nodes(&["METHOD", "IS_EXTERNAL=true"]);
    assert_eq!(external + nodes(&["METHOD", "IS_EXTERNAL=false"]), 425);
    assert!(external > 0);
    let find = |value| varvite(&["find", zlib(), "METHOD", value]);
    find("IS_EXTERNAL=yes").fails(2, &["IS_EXTERNAL holds bool", "\"yes\""]);
    find("LINE_NUMBER=one").fails(2, &["LINE_NUMBER holds i32", "\"one\""]);
    find("NAME").fails(2, &["PROPERTY=VALUE"]);
}

#[test]
fn a_value_that_no_node_has_is_an_empty_answer() {
    let find = |format| varvite(&["find", zlib(), "METHOD", "NAME=no_such_thing", "--format", format]).text();
    assert_eq!(find("json"), "[]\n");
    assert_eq!(find("jsonl"), "");
    assert_eq!(find("csv").lines().count(), 1);
    assert_eq!(find("table").lines().count(), 1);
}

#[test]
fn a_value_may_hold_the_sign_of_equality() {
    assert!(nodes(&["CALL", "CODE=bound = compressBound_z(sourceLen)"]) > 0);
}

#[test]
fn the_user_chooses_columns_and_number() {
    let words =
        ["find", zlib(), "METHOD", "NAME=inflate", "--columns", "IS_EXTERNAL,NAME", "--format", "csv"];
    let text = varvite(&words).text();
    assert!(text.starts_with("node,IS_EXTERNAL,NAME\n"), "{text}");
    assert!(text.lines().skip(1).all(|line| line.ends_with(",inflate")), "{text}");
    assert_eq!(nodes(&["CALL", "--limit", "7"]), 7);
    assert_eq!(nodes(&["CALL", "--limit", "0"]), 0);
}

#[test]
fn a_limit_gives_the_first_of_all_that_match() {
    let find = |more: &[&str]| {
        let words = ["find", zlib(), "CALL", "NAME=memcpy", "--format", "json"];
        varvite(&[&words, more].concat()).column("node")
    };
    let all = find(&[]);
    for limit in [0, 1, 3, all.len(), all.len() + 1] {
        assert_eq!(find(&["--limit", &limit.to_string()]), all[..limit.min(all.len())]);
    }
}

#[test]
fn a_list_is_an_array_and_found_by_any_of_its_values() {
    let overlays = json!(["base", "controlflow", "typerel", "callgraph", "dataflowOss"]);
    for condition in ["OVERLAYS=base", "OVERLAYS=callgraph"] {
        let words = ["find", zlib(), "META_DATA", condition, "--columns", "OVERLAYS", "--format", "json"];
        assert_eq!(varvite(&words).column("OVERLAYS"), std::slice::from_ref(&overlays));
    }
    assert_eq!(nodes(&["META_DATA", "OVERLAYS=none"]), 0);
}

#[test]
fn an_unknown_name_comes_with_the_nearest() {
    let find = |words: &[&str]| varvite(&[&["find", zlib()], words].concat());
    find(&["METHODS"]).fails(4, &["no label \"METHODS\"", "nearest is \"METHOD\""]);
    find(&["METHOD", "NAM=x"]).fails(4, &["no property \"NAM\"", "nearest is \"NAME\""]);
    find(&["METHOD", "--columns", "NAMES"]).fails(4, &["no property \"NAMES\"", "nearest is \"NAME\""]);
}
