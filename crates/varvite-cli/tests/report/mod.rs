//! Tests of `varvite report`: each table is compared with the engine's own answers.

mod changes;
mod hostile;
mod page;
mod questions;
mod runs;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value as Json;

use self::page::{Page, number};
use crate::command::{Folder, varvite, zlib};

/// Writes a report to standard output, and reads it.
fn report(graph: &str, more: &[&str]) -> Page {
    Page::read(&varvite(&[&["report", graph], more].concat()).text())
}

/// The rows of a query in the language of Joern.
fn ask(graph: &str, query: &str) -> Vec<Json> {
    let rows = varvite(&["ask", graph, query, "--format", "json"]).json();
    rows.as_array().unwrap().clone()
}

#[test]
fn a_report_has_its_sections_in_order_and_loads_nothing() {
    let html = varvite(&["report", zlib()]).text();
    let page = Page::read(&html);
    let titles = [
        "What is in the graph",
        "Functions",
        "Files",
        "Code that nothing calls",
        "Findings",
        "What ran, and what it cost",
        "How this report was made",
    ];
    let sections: Vec<&String> = page.headings.iter().filter(|it| titles.contains(&it.as_str())).collect();
    assert_eq!(sections, titles);
    assert!(html.contains("content=\"default-src 'none'; style-src 'sha256-"), "it has a content policy");
    // URLs are texts of the graph, and occur in cells and queries alone.
    for part in ["src=", "url(", "@import", "unsafe-inline", "<link", "<iframe", "<img"] {
        assert!(!html.contains(part), "{part}");
    }
    assert!(html.len() < 1 << 20, "{}", html.len());
}

#[test]
fn equal_graphs_give_equal_reports() {
    let folder = Folder::new();
    let html = varvite(&["report", zlib()]).text();
    assert_eq!(varvite(&["report", zlib()]).text(), html);
    let archive = folder.import("zlib.varvite", "archive");
    let sections = ["--sections", "functions,files,dead,findings"];
    let words = |graph| [&["report", graph, "--title", "zlib"], &sections[..]].concat();
    assert_eq!(varvite(&words(&archive)).text(), varvite(&words(zlib())).text());
}

#[test]
fn counts_are_those_of_the_graph() {
    let (page, info) = (report(zlib(), &[]), varvite(&["info", zlib(), "--format", "json"]).json());
    assert_eq!(number(page.fact("nodes")), info["nodes"].as_u64().unwrap());
    assert_eq!(number(page.fact("edges")), info["edges"].as_u64().unwrap());
    let table = page.table("Labels of nodes");
    let labels: BTreeMap<&str, u64> = table.column("label").into_iter().zip(table.numbers("nodes")).collect();
    for label in ["METHOD", "CALL", "IDENTIFIER", "FILE"] {
        let found = ask(zlib(), &format!("cpg.all.filter(_.label == \"{label}\").id")).len() as u64;
        assert_eq!(labels[label], found, "{label}");
    }
    let digest = varvite(&["digest", zlib(), "--format", "json"]).json();
    assert_eq!(page.fact("digest of the graph's content"), digest["root"].as_str().unwrap());
}

#[test]
fn a_graph_without_calls_does_not_tell_which_code_is_dead() {
    let folder = Folder::new();
    let graph = two_functions(&folder, "1,3,AST\n2,4,AST\n");
    let page = report(&graph, &["--sections", "dead"]);
    assert!(page.paragraphs.iter().any(|it| it.contains("The graph has no calls")), "{:?}", page.paragraphs);
    assert!(!page.text.contains("2 functions"), "{}", page.text);
}

#[test]
fn a_report_of_a_graph_without_a_tree_names_the_questions_that_need_one() {
    let folder = Folder::new();
    let page = report(&two_functions(&folder, "1,3,CONTAINS\n2,4,CONTAINS\n"), &[]);
    assert!(page.text.contains("Questions that need a syntax tree, which the graph lacks"), "{}", page.text);
}

/// The path of a graph of two METHODs and two BLOCKs with these edges.
fn two_functions(folder: &Folder, rows_of_edges: &str) -> String {
    let (nodes, edges, graph) =
        (folder.path("nodes.csv"), folder.path("edges.csv"), folder.path("two-functions.varvite"));
    let head = ":ID,:LABEL,NAME,FULL_NAME,FILENAME,LINE_NUMBER:int,LINE_NUMBER_END:int,IS_EXTERNAL:boolean";
    let rows = "1,METHOD,f,f,a.c,1,4,false\n2,METHOD,g,g,a.c,5,8,false\n3,BLOCK,,,,1,,\n4,BLOCK,,,,5,,";
    fs::write(&nodes, format!("{head}\n{rows}\n")).unwrap();
    fs::write(&edges, format!(":START_ID,:END_ID,:TYPE\n{rows_of_edges}")).unwrap();
    let words =
        ["import", "--format", "neo4j-csv", "--nodes", &nodes, "--relationships", &edges, "-o", &graph];
    varvite(&words).text_beside_complaints();
    graph
}

#[test]
fn functions_have_the_numbers_that_queries_give() {
    let page = report(zlib(), &["--sections", "functions"]);
    let queries = [
        ("Largest functions", "lines", "m.numberOfLines"),
        ("Most called functions", "calls", "m.callIn.size"),
    ];
    for (caption, column, value) in queries {
        let query = format!("cpg.method.internal.nameNot(\"<global>\").map(m => (m.fullName, {value}))");
        let mut expected: Vec<u64> = ask(zlib(), &query).iter().map(last_number).collect();
        expected.sort_unstable_by(|one, other| other.cmp(one));
        let table = page.table(caption);
        assert_eq!(table.numbers(column), expected[..25], "{caption}");
        assert_eq!(table.more, expected.len() as u64 - 25);
    }
}

/// The number in the last column of a row.
fn last_number(row: &Json) -> u64 {
    row.as_object().unwrap().values().filter_map(Json::as_u64).next_back().unwrap()
}

#[test]
fn complexity_is_edges_less_nodes_plus_two() {
    let page = report(zlib(), &["--sections", "functions"]);
    let table = page.table("Most complex functions");
    let count = |query: String| number(varvite(&["ask", zlib(), &query]).text().trim());
    for (name, complexity) in table.column("function").into_iter().zip(table.numbers("complexity")).take(6) {
        let method = format!("cpg.method.fullNameExact(\"{name}\")");
        let edges =
            count(format!("{method}._cfgOut.size")) + count(format!("{method}._containsOut._cfgOut.size"));
        let is_in_flow = "_containsOut.filter(node => node._cfgOut.size + node._cfgIn.size > 0)";
        // The METHOD and its METHOD_RETURN are the first and the last node.
        let nodes = 2 + count(format!("{method}.{is_in_flow}.size"));
        assert_eq!(complexity, edges + 2 - nodes, "{name}");
    }
}

#[test]
fn files_have_all_functions() {
    let page = report(zlib(), &["--sections", "files"]);
    let table = page.table("Files by lines");
    let query = "cpg.method.internal.nameNot(\"<global>\").map(m => (m.filename, m.numberOfLines))";
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for row in ask(zlib(), query) {
        let file = row.as_object().unwrap().values().filter_map(Json::as_str).next_back();
        *expected.entry(file.unwrap().to_owned()).or_default() += 1;
    }
    let files = table.column("file").into_iter().zip(table.numbers("functions"));
    let found: BTreeMap<String, u64> = files
        .filter(|(_, functions)| *functions > 0)
        .map(|(file, functions)| (file.to_owned(), functions))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn dead_code_is_what_the_everyday_question_finds() {
    let page = report(zlib(), &["--sections", "dead"]);
    let query = "cpg.method.internal.nameNot(\"<global>|<clinit>|main\").whereNot(_.callIn)\
                 .whereNot(_._refIn.collectAll[MethodRef]).fullName";
    let expected: BTreeSet<String> = ask(zlib(), query).iter().map(only_text).collect();
    let table = page.table("Functions without calls");
    assert_eq!(table.rows.len() as u64 + table.more, expected.len() as u64);
    assert!(table.column("function").iter().all(|name| expected.contains(*name)));
}

fn only_text(row: &Json) -> String {
    row.as_object().unwrap().values().find_map(Json::as_str).unwrap().to_owned()
}

/// The report shows the query of each finding, so that a reader can ask it again. In the graph of `review.c`
/// most questions have an answer.
#[test]
fn findings_are_the_answers_to_the_queries_below_them() {
    let (folder, data) =
        (Folder::new(), concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/plans/review.cpg.bin"));
    let review = folder.path("review.varvite");
    varvite(&["import", data, "-o", &review]).text();
    for (graph, least) in [(zlib(), 5), (review.as_str(), 9)] {
        let page = report(graph, &["--sections", "findings"]);
        let summary = page.table("Places by question");
        assert_eq!(summary.rows.len(), page.listings.len());
        assert!(summary.rows.len() >= least, "{:?}", page.headings);
        for (query, places) in page.listings.iter().zip(summary.numbers("places")) {
            let rows = ask(graph, query);
            let nodes: BTreeSet<u64> = rows.iter().flat_map(nodes_of).collect();
            assert_eq!(places, nodes.len() as u64, "{query}");
        }
    }
}

/// The node of a row, or the nodes of a group.
fn nodes_of(row: &Json) -> Vec<u64> {
    if let Some(node) = row["node"].as_u64() {
        return vec![node];
    }
    let lists = row.as_object().unwrap().values().filter_map(Json::as_array);
    lists.flatten().map(|node| node.as_u64().or_else(|| node["node"].as_u64()).unwrap()).collect()
}

#[test]
fn findings_show_the_source_line() {
    let folder = Folder::new();
    let graph = folder.path("shapes.varvite");
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");
    let source = format!("{data}/shapes.cpg.bin");
    varvite(&["import", &source, "-o", &graph, "--source", data]).text_beside_complaints();
    let page = report(&graph, &[]);
    assert_eq!(page.fact("files with their source"), "4");
    let files = page.table("Files by lines");
    for (file, lines) in files.column("file").into_iter().zip(files.numbers("lines")) {
        let text = fs::read_to_string(format!("{data}/{file}")).unwrap();
        assert_eq!(lines, text.lines().count() as u64, "{file}");
    }
    for table in page.tables.iter().filter(|table| table.titles.last().is_some_and(|it| it == "source")) {
        for (place, source) in table.column("place").into_iter().zip(table.column("source")) {
            let (file, line) = place.rsplit_once(':').unwrap();
            let text = fs::read_to_string(format!("{data}/{file}")).unwrap();
            assert_eq!(text.lines().nth(line.parse::<usize>().unwrap() - 1).unwrap().trim(), source);
        }
    }
}

#[test]
fn sections_and_title_are_the_users() {
    let page = report(zlib(), &["--sections", "made,dead", "--title", "Release <7>"]);
    assert_eq!(page.headings, ["Code that nothing calls", "How this report was made"]);
    assert!(page.text.contains("<title>Release &lt;7&gt;</title>"));
    assert!(page.fact("options").starts_with("--sections made,dead --title"), "{}", page.fact("options"));
    varvite(&["report", zlib(), "--sections", "deed"]).fails(2, &["deed", "dead"]);
}

#[test]
fn a_file_is_replaced_only_on_request_and_never_a_graph() {
    let folder = Folder::new();
    let output = folder.path("report.html");
    let said = varvite(&["report", zlib(), "-o", &output]).text();
    assert!(said.contains("report.html: "), "{said}");
    Page::read(&fs::read_to_string(&output).unwrap());
    varvite(&["report", zlib(), "-o", &output]).fails(3, &["exists", "--force"]);
    varvite(&["report", zlib(), "-o", &output, "--force", "--title", "new"]).text();
    assert!(fs::read_to_string(&output).unwrap().contains("<title>new</title>"));
    varvite(&["report", zlib(), "-o", zlib(), "--force"]).fails(2, &["the graph itself"]);
    let other = folder.import("other.varvite", "compact");
    varvite(&["report", zlib(), "--diff", &other, "-o", &other, "--force"]).fails(2, &["--diff"]);
}

#[test]
fn a_report_that_needs_more_memory_leaves_no_file() {
    let folder = Folder::new();
    let output = folder.path("report.html");
    varvite(&["report", zlib(), "-o", &output, "--memory", "10K"]).fails(6, &["--memory"]);
    assert!(folder.files().is_empty());
    varvite(&["report", zlib(), "-o", &output, "--memory", "64M"]).text();
}
