//! Tests of `varvite export` for a part of a graph, as DOT and as GraphML.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value as Json, json};

use crate::command::{Answer, Folder, varvite, zlib};

fn export(graph: &str, folder: &Folder, format: &str, more: &[&str]) -> (Answer, String) {
    let path = folder.path("part");
    let answer = varvite(&[&["export", graph, "-o", &path, "--force", "--format", format], more].concat());
    (answer, path)
}

/// The nodes and edges of a text in DOT.
#[derive(Debug, PartialEq, Eq)]
struct Drawing {
    nodes: Vec<(String, String)>,
    edges: Vec<(String, String, String)>,
}

fn draw(more: &[&str]) -> Drawing {
    let folder = Folder::new();
    let (answer, path) = export(zlib(), &folder, "dot", more);
    answer.text();
    Drawing::read(&fs::read_to_string(path).unwrap())
}

impl Drawing {
    /// Reads a text in DOT by the grammar of Graphviz, as far as drawings use it. Fails on anything else.
    fn read(text: &str) -> Self {
        let mut words = Words(words_of(text).into_iter());
        words.expect("digraph");
        assert!(words.next().starts_with('"'));
        words.expect("{ node [ shape = box ] ;");
        let mut drawing = Self { nodes: Vec::new(), edges: Vec::new() };
        loop {
            let node = words.next();
            if node == "}" {
                assert_eq!(words.0.next(), None);
                return drawing;
            }
            assert!(node.starts_with('n') && node[1..].parse::<u32>().is_ok(), "{node}");
            let word = words.next();
            if word == "->" {
                let (target, word) = (words.next(), words.next());
                let label = words.label(&word);
                drawing.edges.push((node, target, label));
            } else {
                let label = words.label(&word);
                drawing.nodes.push((node, label));
            }
        }
    }
}

/// The words of a text that are not read yet.
struct Words(std::vec::IntoIter<String>);

impl Words {
    fn next(&mut self) -> String {
        self.0.next().expect("the text has more words")
    }

    fn expect(&mut self, words: &str) {
        words.split(' ').for_each(|word| assert_eq!(self.next(), word));
    }

    /// The label after this word, in its quotes; empty if there is none.
    fn label(&mut self, word: &str) -> String {
        if word == ";" {
            return String::new();
        }
        assert_eq!(word, "[");
        self.expect("label =");
        let label = self.next();
        assert!(label.starts_with('"'), "{label}");
        self.expect("] ;");
        label
    }
}

/// The words of a text in DOT: identifiers, signs, and texts in double quotes with their quotes.
fn words_of(text: &str) -> Vec<String> {
    let (mut words, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => {
                let mut is_escaped = true;
                let is_end = |character: char| {
                    let is_end = character == '"' && !is_escaped;
                    is_escaped = character == '\\' && !is_escaped;
                    is_end
                };
                rest.find(is_end).expect("the quotes are closed") + 1
            }
            '-' => "->".len(),
            first if first.is_ascii_alphanumeric() => {
                rest.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(rest.len())
            }
            first => first.len_utf8(),
        };
        words.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    words
}

/// The nodes below a METHOD in the syntax tree.
fn tree(name: &str) -> BTreeSet<String> {
    let rows = varvite(&["tree", zlib(), name, "--format", "json"]).json();
    rows.as_array().unwrap().iter().map(|row| format!("n{}", row["node"])).collect()
}

/// A plan that begins with the METHOD `inflate_fast`.
fn of_inflate_fast(more: Json) -> String {
    let mut steps = json!([
        { "step": "nodes", "labels": ["METHOD"] },
        { "step": "has", "property": "NAME", "is": { "eq": "inflate_fast" } }
    ]);
    steps.as_array_mut().unwrap().extend(more.as_array().unwrap().iter().cloned());
    json!({ "version": 1, "steps": steps }).to_string()
}

#[test]
fn a_drawing_of_a_syntax_tree_has_its_nodes_and_one_edge_less() {
    let drawing = draw(&["--part", "ast", "--of", "inflate_fast", "--limit", "100000"]);
    let nodes: BTreeSet<String> = drawing.nodes.iter().map(|(node, _)| node.clone()).collect();
    assert_eq!(nodes, tree("inflate_fast"));
    assert_eq!(drawing.edges.len(), nodes.len() - 1);
    assert!(
        drawing.nodes[0].1.starts_with("\"METHOD\\ninflate_fast\\ninffast.c:50"),
        "{:?}",
        drawing.nodes[0]
    );
}

#[test]
fn a_drawing_of_control_flow_has_all_edges_cfg_below_the_method() {
    let drawing = draw(&["--part", "cfg", "--of", "inffast.c:60", "--limit", "100000"]);
    let below = tree("inflate_fast");
    assert!(drawing.nodes.iter().all(|(node, _)| below.contains(node)) && drawing.nodes.len() > 500);
    // The plan counts the edges CFG from the METHOD and from the nodes that it contains.
    let folder = Folder::new();
    let plan = folder.path("plan.json");
    fs::write(&plan, of_inflate_fast(json!([
        { "step": "out", "labels": ["CONTAINS"] }, { "step": "out", "labels": ["CFG"] }, { "step": "count" }
    ]))).unwrap();
    let counted = varvite(&["query", zlib(), &plan, "--format", "csv"]).text();
    let contained: usize = counted.lines().last().unwrap().parse().unwrap();
    // Two edges CFG from one node to another are one line, with their number.
    let count = |label: &str| label.trim_matches('"').parse().unwrap_or(1);
    let edges: usize = drawing.edges.iter().map(|(_, _, label)| count(label)).sum();
    assert_eq!(edges, contained + 1);
}

#[test]
fn a_drawing_of_calls_has_the_callees_with_their_numbers_of_calls() {
    let drawing = draw(&["--part", "calls", "--of", "deflateInit2_"]);
    let rows = varvite(&["callees", zlib(), "deflateInit2_", "--format", "json"]).json();
    let expected: BTreeSet<(String, String)> = rows
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let calls = row["calls"].as_u64().unwrap();
            (format!("n{}", row["node"]), if calls == 1 { String::new() } else { format!("\"{calls}\"") })
        })
        .collect();
    let found: BTreeSet<(String, String)> =
        drawing.edges.iter().map(|(_, callee, calls)| (callee.clone(), calls.clone())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_file_stands_for_all_its_methods() {
    let drawing = draw(&["--part", "calls", "--of", "compress.c"]);
    let names =
        ["compress2_z", "compress2", "compress_z", "compress", "compressBound_z", "compressBound", "deflate"];
    for name in names {
        assert!(drawing.nodes.iter().any(|(_, label)| label.contains(&format!("\\n{name}\\n"))), "{name}");
    }
}

#[test]
fn graphml_of_a_part_imports_as_a_graph_of_its_nodes_and_edges() {
    let folder = Folder::new();
    let (answer, path) = export(zlib(), &folder, "graphml", &["--part", "ast", "--of", "inflate_fast"]);
    let (text, back) = (answer.text(), folder.path("back.varvite"));
    let nodes = tree("inflate_fast").len();
    assert!(text.contains(&format!(" {nodes} nodes, {} edges, ", nodes - 1)), "{text}");
    varvite(&["import", &path, "-o", &back, "--format", "graphml"]).text_beside_notes();
    let info = varvite(&["info", &back, "--format", "json"]).json();
    assert_eq!((&info["nodes"], &info["edges"]), (&json!(nodes), &json!(nodes - 1)));
    let (answer, path) = export(zlib(), &folder, "graphml", &["--part", "calls", "--of", "compress.c"]);
    answer.text();
    let text = fs::read_to_string(path).unwrap();
    assert!(
        text.contains("labels=\":CALL\"")
            && text.contains("label=\"CONTAINS\"")
            && !text.contains("label=\"AST\"")
    );
}

#[test]
fn the_nodes_of_a_plan_are_drawn_with_the_edges_between_them() {
    let folder = Folder::new();
    let plan = folder.path("plan.json");
    fs::write(&plan, of_inflate_fast(json!([{ "step": "out", "labels": ["AST"] }]))).unwrap();
    let all = draw(&["--plan", &plan]);
    let flow = draw(&["--plan", &plan, "--along", "CFG"]);
    let children = varvite(&["query", zlib(), &plan, "--format", "jsonl"]).lines();
    assert_eq!((all.nodes.len(), &all.nodes), (children, &flow.nodes));
    assert!(flow.edges.is_empty());
    fs::write(&plan, of_inflate_fast(json!([{ "step": "values", "property": "NAME" }]))).unwrap();
    export(zlib(), &folder, "dot", &["--plan", &plan]).0.fails(2, &["have no nodes"]);
}

#[test]
fn a_limit_cuts_a_drawing_and_a_note_counts_the_rest() {
    let folder = Folder::new();
    let (answer, path) =
        export(zlib(), &folder, "dot", &["--part", "ast", "--of", "inflate_fast", "--limit", "10"]);
    let rest = tree("inflate_fast").len() - 10;
    let expected = format!("{rest} more nodes not exported; raise --limit");
    assert!(answer.errors().contains(&expected), "{} {expected}", answer.errors());
    assert_eq!(Drawing::read(&fs::read_to_string(path).unwrap()).nodes.len(), 10);
}

#[test]
fn names_of_a_graph_stay_in_their_labels() {
    let folder = Folder::new();
    let (graph, diff) = (folder.import("graph.varvite", "direct"), folder.path("diff.jsonl"));
    let rows = varvite(&["find", &graph, "METHOD", "NAME=deflateInit_", "--format", "json"]).json();
    for name in
        ["a\"]; n1 -> n2 [label=\"b", "back\\", "\\\"", "\\N\\G", "line\nbreak\r\u{0}\u{1b}[2J", "<b>&amp;"]
    {
        let set = json!({ "set": { "node": rows[0]["node"], "property": "FULL_NAME", "value": name } });
        fs::write(&diff, format!("{set}\n")).unwrap();
        varvite(&["apply", &graph, &diff]).text();
        let node = rows[0]["node"].to_string();
        let (answer, path) = export(&graph, &folder, "dot", &["--part", "calls", "--of", &node]);
        answer.text();
        let text = fs::read_to_string(path).unwrap();
        let drawing = Drawing::read(&text);
        assert_eq!((drawing.nodes.len(), drawing.edges.len()), (6, 5), "{text}");
        assert!(!text.contains(['\u{0}', '\u{1b}', '\r']), "{text}");
    }
}

#[test]
fn a_part_that_the_format_or_the_graph_cannot_give_is_refused() {
    let folder = Folder::new();
    for (format, more, code, parts) in [
        ("dot", &[][..], 2, "--part and --of"),
        ("flatgraph", &["--part", "ast", "--of", "main"], 2, "--format graphml or dot"),
        ("graphml", &["--limit", "3"], 2, "--limit needs a part"),
        ("graphml", &["--along", "AST"], 2, "--along needs --plan"),
        ("functions-jsonl", &["--part", "ast", "--of", "main"], 2, "whole METHODs"),
        ("functions-jsonl", &["--along", "ASTT"], 4, "the nearest is \"AST\""),
        ("functions-jsonl", &["--memory", "1K"], 6, "--memory"),
        ("dot", &["--part", "ast"], 2, "--of"),
        ("dot", &["--part", "ast", "--of", "mian"], 4, "no METHOD named \"mian\""),
        ("dot", &["--part", "tree", "--of", "main"], 2, "calls"),
        ("dot", &["--part", "ast", "--of", "inflate", "--memory", "1K"], 6, "--memory"),
        ("dot", &["--plan", "/no/plan.json"], 3, "/no/plan.json"),
    ] {
        export(zlib(), &folder, format, more).0.fails(code, &[parts]);
        assert!(folder.files().is_empty(), "{format} {more:?}");
    }
}
