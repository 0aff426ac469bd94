//! Indexes that scip-python and scip-typescript made (`data`): iniconfig 2.0.0 and mitt 3.0.1, both under the
//! MIT licence. `cargo xtask reference` compares their counts with those of Google's decoder.

use std::path::PathBuf;

use varvite::Graph;
use varvite_import::scip::{ScipCounts, ScipImport};

use super::{Indexes, edges, shown};

fn import(name: &str, has_sources: bool) -> (ScipCounts, Graph) {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scip/data")).join(name);
    let index = std::fs::read(folder.join("index.scip")).unwrap();
    let with = |import: ScipImport<'static>| if has_sources { import.sources(folder) } else { import };
    let (report, graph) = Indexes::new().import_with(&index, with).unwrap();
    (report.counts, graph)
}

/// The METHODs whose CALLs lead to METHODs with this name, with the line of the CALL.
fn callers(graph: &Graph, name: &str) -> Vec<String> {
    let (calls, containers) = (graph.out("CALL").unwrap(), graph.in_("CONTAINS").unwrap());
    let is_callee = |node| shown(graph, node).split(' ').nth(1) == Some(name);
    let mut callers: Vec<String> = (0..graph.node_count())
        .filter(|call| calls.neighbors(*call).any(is_callee))
        .map(|call| {
            let caller =
                containers.neighbors(call).next().map_or("-".to_owned(), |caller| shown(graph, caller));
            let line = shown(graph, call).rsplit(' ').next().unwrap_or_default().to_owned();
            format!("{caller}: {line}")
        })
        .collect();
    callers.sort();
    callers
}

#[test]
fn every_occurrence_of_scip_python_is_in_the_graph() {
    let (counts, _) = import("iniconfig", true);
    let found =
        [counts.documents, counts.occurrences, counts.symbols, counts.external_symbols, counts.local_symbols];
    assert_eq!(found, [4, 630, 141, 54, 27]);
    let became = [counts.definitions, counts.further_definitions, counts.references, counts.relationships];
    assert_eq!(became, [111, 40, 479, 2]);
    assert_eq!((counts.calls, counts.calls + counts.method_refs), (32, 57));
    assert_eq!((counts.invalid, counts.without_symbol, counts.sources.misplaced), (0, 0, 0));
}

#[test]
fn every_occurrence_of_scip_typescript_is_in_the_graph() {
    let (counts, _) = import("mitt", true);
    let found =
        [counts.documents, counts.occurrences, counts.symbols, counts.external_symbols, counts.local_symbols];
    assert_eq!(found, [1, 183, 38, 8, 18]);
    assert_eq!([counts.definitions, counts.further_definitions, counts.references], [48, 9, 126]);
}

#[test]
fn callers_are_those_that_a_reader_finds_in_the_source() {
    let (_, graph) = import("iniconfig", true);
    assert_eq!(callers(&graph, "_parseline"), ["METHOD parse_lines 17: 21"]);
    assert_eq!(callers(&graph, "parse_lines"), ["METHOD __init__ 109: 120"]);
    assert_eq!(callers(&graph, "iscommentline"), ["METHOD _parseline 47: 49"]);
    // scip-python gives the function `lineof` in line 95 the symbol of the method `lineof` in line 43.
    assert_eq!(callers(&graph, "lineof"), ["METHOD lineof 43: 44", "METHOD lineof 43: 96"]);
}

#[test]
fn classes_inherit_from_those_that_the_index_names() {
    let (_, graph) = import("iniconfig", false);
    assert_eq!(
        edges(&graph, "INHERITS_FROM"),
        ["TYPE_DECL ParseError 8 > TYPE_DECL Exception", "TYPE_DECL _ParsedLine 10 > TYPE_DECL NamedTuple"]
    );
}
