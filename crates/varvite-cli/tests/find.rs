//! Tests of `varvite find`.

use serde_json::{Value as Json, json};

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

/// The rows that `find` shows for these conditions, with these columns.
fn rows(conditions: &[&str], columns: &str) -> Vec<Json> {
    let words = [&["find", zlib(), "CALL"], conditions, &["--columns", columns, "--format", "json"]].concat();
    varvite(&words).json().as_array().unwrap().clone()
}

#[test]
fn a_regular_expression_matches_whole_texts() {
    let copies = rows(&["NAME~mem(cpy|set)"], "NAME");
    assert!(copies.iter().all(|row| row["NAME"] == "memcpy" || row["NAME"] == "memset"));
    assert_eq!(copies.len(), nodes(&["CALL", "NAME=memcpy"]) + nodes(&["CALL", "NAME=memset"]));
    assert_eq!(nodes(&["CALL", "NAME~em(cpy|set)"]), 0);
    let all = rows(&[], "CODE");
    let with_strm = all.iter().filter(|row| row["CODE"].as_str().unwrap().contains("strm")).count();
    assert!(with_strm > 100 && with_strm < all.len());
    assert_eq!(nodes(&["CALL", "CODE~.*strm.*"]), with_strm);
}

#[test]
fn numbers_are_compared_in_order() {
    let orders: Vec<i64> = rows(&[], "ORDER").iter().map(|row| row["ORDER"].as_i64().unwrap()).collect();
    let count = |passes: fn(i64) -> bool| orders.iter().filter(|order| passes(**order)).count();
    assert!(count(|order| order == 2) > 0);
    for (condition, expected) in [
        ("ORDER>2", count(|order| order > 2)),
        ("ORDER>=2", count(|order| order >= 2)),
        ("ORDER<2", count(|order| order < 2)),
        ("ORDER<=2", count(|order| order <= 2)),
        ("ORDER=2", count(|order| order == 2)),
        ("ORDER!=2", count(|order| order != 2)),
        ("ORDER>-1", orders.len()),
        ("ORDER<18446744073709551615", orders.len()),
    ] {
        assert_eq!(nodes(&["CALL", condition]), expected, "{condition}");
    }
    assert_eq!(nodes(&["CALL", "ORDER>2", "ORDER<4"]), nodes(&["CALL", "ORDER=3"]));
}

#[test]
fn another_value_is_not_an_absent_one() {
    let (all, memcpy) = (nodes(&["CALL"]), nodes(&["CALL", "NAME=memcpy"]));
    assert_eq!(nodes(&["CALL", "NAME!=memcpy"]), all - memcpy);
    let absent = nodes(&["METHOD", "LINE_NUMBER!=0"]);
    assert!(absent < nodes(&["METHOD"]), "a METHOD without the property has no other value");
}

#[test]
fn the_first_sign_ends_the_property() {
    assert_eq!(
        nodes(&["CALL", "NAME~<operator>.assignment"]),
        nodes(&["CALL", "NAME=<operator>.assignment"])
    );
    assert!(nodes(&["CALL", "CODE~.*[!=]= Z_NULL"]) > 0);
    assert!(nodes(&["CALL", "CODE=s->status == FINISH_STATE"]) > 0);
}

#[test]
fn what_cannot_be_compared_is_told_with_the_condition() {
    let refused = |condition: &str, words: &[&str]| {
        let message = varvite(&["find", zlib(), "CALL", "ORDER=1", condition]).fails(2, words);
        assert!(!message.contains("step"), "nobody wrote steps: {message}");
    };
    refused(
        "NAME>3",
        &[
            "\"NAME>3\": property NAME holds string, but gt (>) compares numbers: use eq (=), ne (!=) or regex (~)",
        ],
    );
    refused(
        "ORDER~3",
        &[
            "\"ORDER~3\": property ORDER holds i32, but regex (~) tests texts: use eq (=), ne (!=), lt (<), lte",
        ],
    );
    varvite(&["find", zlib(), "METHOD", "IS_EXTERNAL>=true"])
        .fails(2, &["IS_EXTERNAL holds bool, but gte (>=) compares numbers: use eq (=) or ne (!=)"]);
    refused("ORDER>3.5", &["property ORDER holds i32, \"3.5\" does not fit"]);
    refused("NAME~mem(", &["\"NAME~mem(\"", "does not compile", "mem( ^ error: unclosed group"]);
    refused("NAME~(\\w{1000}){1000}", &["more than 2097152 bytes compiled"]);
    refused("NAME!memcpy", &["is not a condition", "PROPERTY=VALUE", "!="]);
}

#[test]
fn a_search_can_be_explained_and_measured() {
    let words = ["find", zlib(), "CALL", "NAME~mem(cpy|set)", "--limit", "3"];
    let plan = varvite(&[&words[..], &["--explain", "--format", "csv"]].concat()).text();
    assert!(plan.starts_with("step,depth,operator,rows_expected\n\"1-2 nodes, has\",0,"), "{plan}");
    assert!(plan.lines().nth(2).unwrap().starts_with("3 limit,0,limit 3,"), "{plan}");
    let answer = varvite(&[&words[..], &["--profile"]].concat());
    let profile = answer.errors();
    assert_eq!((answer.lines(), profile.lines().count()), (1 + 3, 1 + 2));
    let rows = profile.lines().nth(1).unwrap().split_whitespace().rev().nth(2).unwrap();
    assert!(
        rows.parse::<usize>().unwrap() < nodes(&["CALL", "NAME~mem(cpy|set)"]),
        "it stops early: {profile}"
    );
}

#[test]
fn an_index_changes_the_way_and_not_the_answer() {
    let folder = Folder::new();
    let file = folder.import("graph", "compact");
    let find = |more: &[&str]| varvite(&[&["find", &file, "CALL", "NAME=memcpy"], more].concat()).text();
    let (plan, answer) = (find(&["--explain"]), find(&[]));
    varvite(&["index", &file, "--add", "NAME"]).text();
    assert!(find(&["--explain"]).contains("index lookup on NAME") && !plan.contains("index lookup on NAME"));
    assert_eq!(find(&[]), answer);
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

#[test]
fn a_property_that_no_node_of_the_label_has_is_refused_with_the_labels_that_have_it() {
    varvite(&["find", zlib(), "CALL", "FILENAME=inflate.c"])
        .fails(4, &["FILENAME=inflate.c", "no CALL has the property FILENAME", "METHOD", "have it"]);
    assert_eq!(nodes(&["METHOD", "FILENAME=no such file"]), 0);
}

#[test]
fn a_sign_too_many_is_refused_with_what_was_meant() {
    varvite(&["find", zlib(), "METHOD", "NAME==inflate"]).fails(2, &["write NAME=inflate", "NAME~=.*"]);
    assert_eq!(nodes(&["METHOD", "NAME~=.*"]), 0, "a value that begins with = can still be asked for");
}

#[test]
fn a_list_is_shown_as_a_list_in_every_format() {
    let find = |format: &str| {
        varvite(&["find", zlib(), "METHOD", "--limit", "1", "--columns", "OVERLAYS", "--format", format])
    };
    assert_eq!(find("json").json()[0]["OVERLAYS"], json!([]));
    let one = varvite(&["find", zlib(), "META_DATA", "--columns", "OVERLAYS", "--format", "json"]).json();
    assert!(one[0]["OVERLAYS"].is_array(), "{one}");
    assert!(find("csv").text().trim_end().ends_with(",[]"));
    assert!(find("table").text().trim_end().ends_with("[]"));
    let plan = r#"{"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "limit", "count": 1},
        {"step": "columns", "columns": [{"property": "OVERLAYS"}]}]}"#;
    let rows = crate::command::send(plan, &["query", zlib(), "-", "--format", "json"]).json();
    assert_eq!(rows, json!([{"OVERLAYS": []}]));
}

#[test]
fn a_star_finds_nodes_of_any_label() {
    let find = |words: &[&str]| varvite(&[&["find", zlib()], words].concat());
    let all = find(&["*", "NAME=deflate", "--format", "json"]).json();
    let labels: std::collections::BTreeSet<&str> =
        all.as_array().unwrap().iter().map(|row| row["label"].as_str().unwrap()).collect();
    assert!(labels.contains("METHOD") && labels.len() > 1, "{labels:?}");
    for label in labels {
        let of_label = find(&[label, "NAME=deflate", "--format", "json"]).json().as_array().unwrap().len();
        let counted = all.as_array().unwrap().iter().filter(|row| row["label"] == label).count();
        assert_eq!(counted, of_label, "{label}");
    }
    find(&["*", "NAMES=deflate"]).fails(4, &["no property \"NAMES\""]);
}
