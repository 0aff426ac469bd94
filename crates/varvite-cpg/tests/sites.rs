//! Tests of [`Sites`].

use varvite::Graph;
use varvite_cpg::{Site, Sites};

use crate::{methods, zlib};

/// The location of a node: its file, its line, its METHOD and the METHOD's name.
type Told = (Option<String>, Option<i64>, Option<u32>, Option<String>);

fn told(site: Site<'_>) -> Told {
    (site.file.map(str::to_owned), site.line, site.method, site.method_name.map(str::to_owned))
}

/// The node and its ancestors.
fn upwards(graph: &Graph, node: u32) -> Vec<u32> {
    let parents = graph.in_("AST").unwrap();
    std::iter::successors(Some(node), |above| parents.neighbors(*above).next()).collect()
}

fn expected(graph: &Graph, node: u32) -> Told {
    let has_label = |label: &str, node: u32| graph.nodes(label).unwrap().contains(node);
    let text = |name: &str, node: u32| graph.property(name).unwrap().str(node).map(|text| text.to_string());
    let containers = graph.in_("CONTAINS").unwrap();
    let contains = containers.neighbors(node).find(|above| has_label("METHOD", *above));
    let path = match (has_label("METHOD", node), contains) {
        (false, Some(method)) => [vec![node], upwards(graph, method)].concat(),
        _ => upwards(graph, node),
    };
    let method = path.iter().copied().find(|above| has_label("METHOD", *above));
    let file_of = |above: &u32| {
        let name = if has_label("FILE", *above) { "NAME" } else { "FILENAME" };
        text(name, *above).filter(|name| !["<empty>", "<unknown>", "<includes>", ""].contains(&&**name))
    };
    let file = path.iter().find_map(file_of);
    let line = graph.property("LINE_NUMBER").unwrap().number(node);
    (file, line, method, method.and_then(|method| text("FULL_NAME", method)))
}

#[test]
fn every_node_is_where_plain_loops_find_it() {
    let graph = zlib();
    let sites = Sites::open(graph).unwrap();
    let mut cursor = sites.cursor();
    let mut in_methods = 0;
    for node in (0..graph.node_count()).step_by(7) {
        let found = told(cursor.at(node));
        assert_eq!(found, expected(graph, node), "{node}");
        in_methods += u32::from(found.2.is_some());
    }
    assert!(cursor.is_complete() && in_methods > 5000);
}

#[test]
fn the_order_of_questions_changes_no_answer() {
    let graph = zlib();
    let sites = Sites::open(graph).unwrap();
    let count = graph.node_count();
    let all: Vec<Told> = (0..count).map(|node| told(sites.cursor().at(node))).collect();
    let mut cursor = sites.cursor();
    for node in (0..count).rev() {
        assert_eq!(told(cursor.at(node)), all[node as usize], "{node}");
    }
    // The stride and the count have no common divisor, so every node is visited.
    for place in 0..count {
        let node = (u64::from(place) * 7919 % u64::from(count)) as u32;
        assert_eq!(told(cursor.at(node)), all[node as usize], "{node}");
    }
}

#[test]
fn a_method_is_where_its_source_begins() {
    let sites = Sites::open(zlib()).unwrap();
    let method = methods("compressBound")[0];
    let expected = Site {
        file: Some("compress.c"),
        line: Some(96),
        method: Some(method),
        method_name: Some("compressBound"),
    };
    assert_eq!(sites.cursor().at(method), expected);
    assert_eq!(sites.cursor().method(method + 1), Some(method));
}

#[test]
fn a_graph_without_code_has_no_sites_and_is_no_error() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/files/whole.varvite");
    let graph = Graph::open(file).unwrap();
    let sites = Sites::open(&graph).unwrap();
    let mut cursor = sites.cursor();
    (0..graph.node_count()).for_each(|node| assert_eq!(cursor.at(node).file, None));
    graph.check().unwrap();
}
