//! Tests of `varvite export --format functions-jsonl`, beside plain loops over the edges of the graph.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value as Json;
use varvite::Graph;

use crate::command::{Folder, varvite, zlib};

fn functions(folder: &Folder, more: &[&str]) -> Vec<Json> {
    let path = folder.path("functions.jsonl");
    varvite(&[&["export", zlib(), "--format", "functions-jsonl", "-o", &path, "--force"], more].concat())
        .text();
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The nodes below a METHOD along AST, without other METHODs.
fn below(graph: &Graph, method: u32, methods: &BTreeSet<u32>) -> BTreeSet<u32> {
    let children = graph.out("AST").unwrap();
    let (mut found, mut waiting) = (BTreeSet::new(), vec![method]);
    while let Some(node) = waiting.pop() {
        found.insert(node);
        waiting.extend(children.neighbors(node).filter(|child| !methods.contains(child)));
    }
    found
}

fn numbers(list: &Json) -> Vec<u32> {
    list.as_array().unwrap().iter().map(|number| number.as_u64().unwrap() as u32).collect()
}

#[test]
fn a_line_for_each_method_has_its_nodes_and_the_edges_between_them() {
    let (folder, graph) = (Folder::new(), Graph::open(zlib()).unwrap());
    let methods: BTreeSet<u32> = graph.nodes("METHOD").unwrap().iter().collect();
    let (code, line, labels) =
        (graph.property("CODE").unwrap(), graph.numbers("LINE_NUMBER").unwrap(), graph.label_sets().unwrap());
    let found = functions(&folder, &[]);
    assert_eq!(found.len(), methods.len());
    for (function, method) in found.iter().zip(&methods) {
        assert_eq!(function["method"], *method);
        let nodes: Vec<u32> = below(&graph, *method, &methods).into_iter().collect();
        assert_eq!(numbers(&function["nodes"]["id"]), nodes);
        let places: BTreeMap<u32, usize> = nodes.iter().copied().zip(0..).collect();
        let mut edges = Vec::new();
        for label in ["AST", "CFG", "REACHING_DEF"] {
            let out = graph.out(label).unwrap();
            for (source, target) in nodes.iter().flat_map(|node| out.neighbors(*node).map(|to| (*node, to))) {
                if let Some(target) = places.get(&target) {
                    edges.push((places[&source], *target, label));
                }
            }
        }
        let of = |name: &str| function["edges"][name].as_array().unwrap();
        let written = of("source").iter().zip(of("target")).zip(of("type"));
        let written = written.map(|((source, target), label)| {
            (source.as_u64().unwrap() as usize, target.as_u64().unwrap() as usize, label.as_str().unwrap())
        });
        assert_eq!(written.collect::<Vec<_>>(), edges);
        for (index, node) in nodes.iter().enumerate() {
            let of = |name: &str| &function["nodes"][name][index];
            assert_eq!(of("code").as_str(), code.str(*node).as_deref());
            assert_eq!(of("line").as_i64(), line.number(*node));
            let label = labels.of(*node).next().unwrap();
            assert_eq!(of("type"), &graph.labels()[label.0 as usize].name);
            let tokens: String =
                of("tokens").as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
            let letters =
                of("code").as_str().unwrap_or_default().chars().filter(|it| !it.is_ascii_whitespace());
            assert_eq!(tokens, letters.collect::<String>());
        }
    }
}

#[test]
fn a_plan_chooses_the_methods() {
    let folder = Folder::new();
    let plan = folder.path("plan.json");
    let text = r#"{"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]},
        {"step": "has", "property": "NAME", "is": {"eq": "inflate"}}]}"#;
    fs::write(&plan, text).unwrap();
    let found = functions(&folder, &["--plan", &plan, "--along", "CFG"]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["full_name"], "inflate");
    let labels = found[0]["edges"]["type"].as_array().unwrap();
    assert!(!labels.is_empty() && labels.iter().all(|label| label == "CFG"));
}

#[test]
fn a_note_names_default_labels_that_the_graph_lacks() {
    let folder = Folder::new();
    let [nodes, edges, graph, lines] =
        ["nodes.csv", "edges.csv", "tree.varvite", "functions.jsonl"].map(|name| folder.path(name));
    fs::write(&nodes, ":ID,:LABEL,NAME\n0,METHOD,f\n1,BLOCK,\n").unwrap();
    fs::write(&edges, ":START_ID,:END_ID,:TYPE\n0,1,AST\n").unwrap();
    let import = ["import", "--format", "neo4j-csv", "--nodes", &nodes, "--relationships", &edges];
    varvite(&[&import[..], &["--tree", "AST", "-o", &graph]].concat()).text_beside_notes();
    let export = ["export", &graph, "--format", "functions-jsonl", "-o", &lines, "--force"];
    let answer = varvite(&export);
    let note = "the graph has no edges CFG, REACHING_DEF; choose others by --along";
    assert!(answer.errors().contains(note), "{}", answer.errors());
    let function: Json = serde_json::from_str(&fs::read_to_string(&lines).unwrap()).unwrap();
    assert_eq!(function["edges"]["type"], serde_json::json!(["AST"]));
    varvite(&[&export[..], &["--along", "AST,CFG"]].concat()).fails(4, &["CFG"]);
}
