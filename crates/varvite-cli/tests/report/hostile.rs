//! A graph whose names and code try to leave their place.

use std::fs;

use serde_json::json;

use super::page::Page;
use super::report;
use crate::command::{Folder, varvite};

/// Texts that a page would run, obey or hide if it did not escape them.
const HOSTILE: [&str; 8] = [
    "</td></table><script>alert(1)</script>",
    "\" onmouseover=\"alert(1)",
    "' onload='alert(1)",
    "{{constructor.constructor('alert(1)')()}}${alert(1)}",
    "]]></script><!--",
    "javascript:alert(1)",
    "\u{202e}txt.exe\u{2066}\u{1b}[2J\u{0}\u{ffff}",
    "&lt;img src=x onerror=alert(1)&gt;&#60;",
];

/// The ids of the METHODs with these names.
fn methods(graph: &str, names: &[&str]) -> Vec<u64> {
    let node = |name: &&str| {
        let rows =
            varvite(&["find", graph, "METHOD", &format!("FULL_NAME={name}"), "--format", "json"]).json();
        rows[0]["node"].as_u64().unwrap()
    };
    names.iter().map(node).collect()
}

/// Sets names, files and code of large functions to hostile texts.
fn hostile(folder: &Folder) -> String {
    let graph = folder.import("<img src=x onerror=alert(1)>.varvite", "compact");
    let names = [
        "inflate",
        "deflate",
        "inflateBack",
        "deflateInit2_",
        "inflate_table",
        "deflateParams",
        "inflate_fast",
        "main",
    ];
    let mut lines = String::new();
    for (node, text) in methods(&graph, &names).into_iter().zip(HOSTILE) {
        for property in ["FULL_NAME", "FILENAME", "CODE"] {
            lines +=
                &format!("{}\n", json!({ "set": { "node": node, "property": property, "value": text } }));
        }
    }
    let calls = varvite(&["find", &graph, "CALL", "NAME=<operator>.pointerCall", "--format", "json"]).json();
    for (call, text) in calls.as_array().unwrap().iter().zip(HOSTILE) {
        lines +=
            &format!("{}\n", json!({ "set": { "node": call["node"], "property": "CODE", "value": text } }));
    }
    let diff = folder.path("diff.jsonl");
    fs::write(&diff, lines).unwrap();
    varvite(&["apply", &graph, &diff]).text();
    graph
}

#[test]
fn hostile_texts_are_shown_as_text() {
    let folder = Folder::new();
    let graph = hostile(&folder);
    // The reader fails at every element and attribute that no report has.
    let page = report(&graph, &["--title", HOSTILE[0]]);
    let shown: Vec<&String> = page.tables.iter().flat_map(|table| table.rows.iter().flatten()).collect();
    for text in HOSTILE.iter().filter(|text| !text.contains('\u{202e}')) {
        assert!(shown.iter().any(|cell| cell.contains(text)), "{text}");
    }
    assert!(shown.iter().any(|cell| cell.contains("\\u{202e}txt.exe\\u{2066}\\u{1b}[2J\\u{0}\u{fffd}")));
    assert!(!page.text.contains(['\u{202e}', '\u{2066}', '\u{1b}', '\u{0}', '\u{ffff}']));
    assert_eq!(page.text.matches("<script").count(), 1);
    let files = page.table("Files by lines");
    assert!(files.column("file").contains(&HOSTILE[1]), "{:?}", files.column("file"));
}

#[test]
fn hostile_functions_of_a_profile_are_shown_as_text() {
    let folder = Folder::new();
    let graph = folder.import("zlib.varvite", "compact");
    let stacks: String = HOSTILE
        .iter()
        .enumerate()
        .map(|(number, text)| {
            let name = text.replace([';', '\u{0}', '\u{1b}', '\u{ffff}'], ":");
            format!("main;{name} {}\n", 10 + number)
        })
        .collect();
    let profile = folder.path("run.folded");
    fs::write(&profile, stacks).unwrap();
    varvite(&["import", "--into", &graph, &profile, "--format", "collapsed"]).text_beside_complaints();
    let page = report(&graph, &["--sections", "runs"]);
    assert_eq!(page.groups, HOSTILE.len() + 1);
    let functions = page.table("Functions by their own cost");
    assert!(functions.column("function").contains(&HOSTILE[1]), "{:?}", functions.column("function"));
    assert!(!page.text.contains('\u{202e}'));
}

#[test]
fn long_texts_do_not_make_a_long_page() {
    let folder = Folder::new();
    let graph = folder.import("zlib.varvite", "compact");
    let node = methods(&graph, &["inflate"])[0];
    let long = "<".repeat(1 << 20);
    let lines: String = ["FULL_NAME", "CODE", "FILENAME"]
        .iter()
        .map(|property| {
            format!("{}\n", json!({ "set": { "node": node, "property": property, "value": long } }))
        })
        .collect();
    let diff = folder.path("diff.jsonl");
    fs::write(&diff, lines).unwrap();
    varvite(&["apply", &graph, &diff]).text();
    let html = varvite(&["report", &graph]).text();
    Page::read(&html);
    assert!(html.len() < 1 << 20, "{}", html.len());
}
