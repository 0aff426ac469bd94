//! The user's own questions.

use std::fs;

use super::report;
use crate::command::{Folder, varvite, zlib};

/// A folder with these files.
fn questions(folder: &Folder, files: &[(&str, &str)]) -> String {
    let questions = folder.path("questions");
    fs::create_dir(&questions).unwrap();
    for (name, text) in files {
        fs::write(format!("{questions}/{name}"), text).unwrap();
    }
    questions
}

const PLAN: &str = r#"{"version": 1, "steps": [
    {"step": "nodes", "labels": ["METHOD"]}, {"step": "values", "property": "NAME"}]}"#;

#[test]
fn each_file_of_the_folder_is_answered() {
    let folder = Folder::new();
    let questions = questions(
        &folder,
        &[
            ("a.json", PLAN),
            ("b.sc", "cpg.call(\"memcpy\").map(c => (c.lineNumber, c.code)).l"),
            ("c.txt", "cpg.method.size"),
            ("d.sc", "cpg.call(\"no_such_function\")"),
            ("notes.md", "not a question"),
        ],
    );
    let page = report(zlib(), &["--sections", "questions", "--plans", &questions]);
    assert_eq!(page.headings.len(), 5, "{:?}", page.headings);
    assert_eq!(page.listings[0], PLAN);
    let methods =
        varvite(&["query", zlib(), &format!("{questions}/a.json"), "--format", "json"]).column("NAME");
    let table = &page.tables[0];
    assert_eq!(table.rows.len() as u64 + table.more, methods.len() as u64);
    assert_eq!(table.column("NAME")[7], methods[7].as_str().unwrap());
    let query = "cpg.call(\"memcpy\").map(c => (c.lineNumber, c.code)).l";
    let calls = varvite(&["ask", zlib(), query, "--format", "json"]).json();
    assert_eq!(page.tables[1].rows.len(), calls.as_array().unwrap().len());
    assert_eq!(page.tables[2].rows, [[methods.len().to_string()]]);
    assert!(page.paragraphs.iter().any(|text| text == "No rows."));
}

#[test]
fn a_bad_question_is_named_and_nothing_is_written() {
    let bad = [
        ("a.json", "{\"version\": 1}", 2),
        ("a.json", r#"{"version": 1, "steps": [{"step": "nodes", "labels": ["METHODS"]}]}"#, 4),
        ("a.sc", "cpg.call(", 2),
        ("a.txt", "cpg.calls", 4),
        ("a.txt", "cpg.call(\"no_such_function\").head", 2),
    ];
    for (name, text, code) in bad {
        let folder = Folder::new();
        let questions = questions(&folder, &[(name, text)]);
        let output = folder.path("report.html");
        varvite(&["report", zlib(), "--plans", &questions, "-o", &output]).fails(code, &[name]);
        assert_eq!(folder.files().len(), 1, "{text}");
    }
}

#[test]
fn a_folder_without_questions_is_an_error() {
    let folder = Folder::new();
    let empty = questions(&folder, &[("notes.md", "")]);
    varvite(&["report", zlib(), "--plans", &empty]).fails(3, &["questions", ".json"]);
    varvite(&["report", zlib(), "--plans", &folder.path("missing")]).fails(3, &["missing"]);
}
