//! Tests of `varvite ask`, on the graph of zlib.

use serde_json::{Value as Json, json};

use crate::command::{Answer, CONTENT, Folder, expected, send, varvite, zlib};

fn ask(query: &str) -> Answer {
    varvite(&["ask", zlib(), query])
}

/// The first lines of a failure: its message, the line of the query, and the marks below it.
fn refusal(query: &str, code: i32) -> Vec<String> {
    let answer = ask(query);
    let message = answer.errors();
    assert_eq!(answer.code(), code, "{message}");
    message.lines().map(str::to_owned).collect()
}

#[test]
fn one_value_is_printed_alone() {
    let methods = expected()["labels"]["METHOD"].as_u64().unwrap();
    assert_eq!(ask("cpg.method.size").text(), format!("{methods}\n"));
    assert_eq!(ask("cpg.method.name(\"inflate\").nonEmpty").text(), "true\n");
    assert_eq!(ask("\"a\" + cpg.method.size").text(), format!("a{methods}\n"));
    assert_eq!(varvite(&["ask", zlib(), "cpg.method.size", "--format", "json"]).json(), json!(methods));
}

#[test]
fn rows_are_those_of_the_plan() {
    let query = "cpg.method(\"memcpy\").callIn.whereNot(_.argument(3).isIdentifier)";
    let plan = varvite(&["ask", zlib(), query, "--plan"]).text();
    let rows = ["--format", "json"];
    let by_plan: Json = send(&plan, &["query", zlib(), "-", rows[0], rows[1]]).json();
    let by_text: Json = varvite(&["ask", zlib(), query, rows[0], rows[1]]).json();
    assert!(by_text.as_array().is_some_and(|rows| !rows.is_empty()));
    assert_eq!(by_text, by_plan);
}

#[test]
fn a_tuple_is_a_row_of_columns() {
    let query = "cpg.method(\"crc32\").map(m => (m.name, m.parameter.name.l, m.lineNumber)).l";
    let rows = varvite(&["ask", zlib(), query, "--format", "json"]).json();
    assert_eq!(rows[0]["NAME"], json!("crc32"));
    assert_eq!(rows[0]["_2"], json!(["crc", "buf", "len"]));
    assert!(rows[0]["LINE_NUMBER"].is_number());
}

#[test]
fn a_fault_is_marked_in_its_line() {
    let lines = refusal("cpg.call.nme(\"x\").l", 4);
    assert_eq!(lines[0], "varvite: 1:10: no step or property of CALL is named nme; the nearest is name");
    assert_eq!(lines[1..], ["  cpg.call.nme(\"x\").l".to_owned(), format!("{}^^^", " ".repeat(11))]);
}

#[test]
fn what_a_plan_cannot_hold_is_refused_with_its_reason() {
    for (query, word) in [
        ("cpg.call.map { case c: Call => 1; case _ => 2 }.l", "case"),
        ("class A", "class"),
        ("for (c <- cpg.call) yield c", "for"),
        ("s\"${cpg.call.size}\"", "interpolated"),
        ("var x = 1", "var"),
        ("throw new Exception", "throw"),
        ("cpg.call.reachableBy(cpg.method)", "flows"),
        ("cpg.call.newTagNode(\"a\").store", "changes the graph; use `varvite apply GRAPH DIFF`"),
        ("cpg.method.dotCfg.l", "dotCfg draws; use `varvite draw GRAPH METHOD --view cfg`"),
        ("cpg.method.plotDotPdg", "plotDotPdg draws; use `varvite draw GRAPH METHOD --view pdg`"),
        ("cpg.method.dump", "dump prints source code; use `varvite source GRAPH METHOD`"),
        ("cpg.method.browse", "only answers"),
        ("cpg.call.filter(_.argument)", "where"),
        ("cpg.call.filter(_.lineNumber == 5)", "Some(5)"),
    ] {
        let message = refusal(query, 2).join("\n");
        assert!(message.contains(word), "{query}: {message}");
    }
}

#[test]
fn the_first_of_no_rows_is_an_error_and_no_empty_answer() {
    ask("cpg.method(\"no such name\").head").fails(4, &["headOption"]);
    assert_eq!(ask("cpg.method(\"no such name\").headOption").text_beside_notes().lines().count(), 1);
}

#[test]
fn a_query_can_come_from_standard_input() {
    let text = "// copies\ndef copies = cpg.call(\"memcpy\")\ncopies\n  .size\n";
    assert_eq!(send(text, &["ask", zlib(), "-"]).text(), "34\n");
}

/// Names of the schema that a file lacks are not misspelt: no node has them.
#[test]
fn names_of_the_schema_that_a_graph_lacks_give_no_rows() {
    let folder = Folder::new();
    let graph = folder.path("content.varvite");
    varvite(&["import", CONTENT, "-o", &graph]).text_beside_notes();
    for query in [
        "cpg.tag.name(\"x\").call.size",
        "cpg.typeDecl.baseTypeDecl.size",
        "cpg.call.dynamicTypeHintFullName.size",
        "cpg.configFile.content.size",
        "cpg.method.where(_.aliasTypeFullName(\"x\")).size",
    ] {
        assert_eq!(varvite(&["ask", &graph, query]).text(), "0\n", "{query}");
    }
}

#[test]
fn a_query_that_is_too_deep_is_refused() {
    let deep = format!("cpg.method{}{}", ".where(_.callee".repeat(2000), ")".repeat(2000));
    assert!(refusal(&deep, 2)[0].len() < 300);
}

#[test]
fn a_query_stays_within_its_memory() {
    let query = "cpg.method.repeat(_.callee)(_.emit.maxDepth(50)).map(m => (m, m.name)).sortBy(x => x._2).l";
    let answer = varvite(&["ask", zlib(), query, "--memory", "32M"]);
    answer.fails(6, &["--memory"]);
}
