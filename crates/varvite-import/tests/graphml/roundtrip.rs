//! A written document can be read back, and has a form that other programs can read.

use std::fs;
use std::sync::Arc;

use varvite::change::{Diff, NewValue, PropertyOwner};
use varvite::write::GraphChange;
use varvite::{Cardinality, Graph, IfExists, NewGraph, Task, ValueType};
use varvite_import::graphml::{GraphmlExport, GraphmlExportError, GraphmlImport};
use varvite_import::{ExportSettings, Import};
use varvite_store::vfs::RealVfs;

use super::{Documents, edge_values, networkx};
use crate::neo4j_csv::{Tables, edges, labels, open_checked, values};

/// Writes a graph as a document, and reads the document.
fn again(documents: &Documents, graph: &Graph) -> Graph {
    let (document, target) = (documents.path("out.graphml"), documents.path("again.varvite"));
    let settings = ExportSettings::new().if_exists(IfExists::Replace);
    let report = GraphmlExport::new(graph).settings(settings).write_to(&document).unwrap();
    assert_eq!(report.file_len, fs::metadata(&document).unwrap().len());
    GraphmlImport::new(document).if_exists(IfExists::Replace).write_to(&target).unwrap();
    open_checked(&target)
}

#[test]
fn a_graph_of_every_type_comes_back() {
    let nodes = "id:ID,b:byte,s:short,i:int,l:long,f:float,d:double,t:boolean,text,list:string[],numbers:long[],:LABEL\n\
        1,-128,300,70000,9223372036854775807,0.1,1e-300,true,\"<&>\"\"\n\r\t' é\",\"a\n;<b>;\",1;-2,A;B\n\
        2,,,,,,,,,,,\n3,1,2,3,4,Infinity,NaN,false, blanks ,,,B\n";
    let relationships =
        ":START_ID,:END_ID,:TYPE,w:double,note\n1,2,\"T & <x>\",0.5,\"a\nb\"\n2,3,U,,\n1,2,\"T & <x>\",,\n";
    let (_, graph) = Tables::new().import(nodes, relationships).unwrap();
    let found = again(&Documents::new(), &graph);
    assert_eq!(labels(&found), labels(&graph));
    for property in graph.properties().iter().filter(|property| property.edge_label.is_none()) {
        assert_eq!(values(&found, &property.name), values(&graph, &property.name), "{}", property.name);
        let of = |graph: &Graph| graph.property(&property.name).unwrap();
        assert_eq!(of(&found).value_type(), of(&graph).value_type(), "{}", property.name);
        assert_eq!(of(&found).cardinality(), of(&graph).cardinality(), "{}", property.name);
    }
    for label in ["T & <x>", "U"] {
        assert_eq!(edges(&found, label), edges(&graph, label));
    }
    for property in ["w", "note"] {
        assert_eq!(edge_values(&found, "T & <x>", property), edge_values(&graph, "T & <x>", property));
    }
}

/// A code property graph keeps its facts (the counts and sums that equal graphs share), except for those that
/// GraphML can't express.
#[test]
fn a_real_graph_comes_back() {
    let documents = Documents::new();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/content.cpg.bin");
    let path = documents.path("code.varvite");
    Import::new(source).write_to(&path).unwrap();
    let graph = Graph::open(path).unwrap();
    let found = again(&documents, &graph);
    assert_eq!((found.node_count(), found.edge_count()), (graph.node_count(), graph.edge_count()));
    assert_eq!((found.tree_label(), found.forest_label()), (Some("AST"), Some("AST")));
    assert_eq!(labels(&found), labels(&graph));
    for label in graph.edge_labels() {
        assert_eq!(edges(&found, &label.name), edges(&graph, &label.name), "{}", label.name);
    }
    for property in graph.properties().iter().filter(|property| property.edge_label.is_none()) {
        assert_eq!(values(&found, &property.name), values(&graph, &property.name), "{}", property.name);
    }
}

#[test]
fn equal_graphs_give_equal_documents() {
    let documents = Documents::new();
    let (_, graph) = documents.import(networkx("people")).unwrap();
    let found = again(&documents, &graph);
    let first = fs::read(documents.path("out.graphml")).unwrap();
    again(&documents, &found);
    assert_eq!(fs::read(documents.path("out.graphml")).unwrap(), first);
}

#[test]
fn what_xml_cannot_hold_is_refused_and_leaves_nothing() {
    let documents = Documents::new();
    let refused = |nodes: &str| {
        let (_, graph) = Tables::new().import(nodes, "").unwrap();
        let error = GraphmlExport::new(&graph).write_to(documents.path("out.graphml")).unwrap_err();
        assert!(!documents.path("out.graphml").exists());
        error
    };
    let error = refused(":ID,t\n1,a\n2,\u{1}\n");
    assert_eq!(error.to_string(), "node 1: t has the character U+0001, which XML cannot hold");
    assert!(matches!(refused(":ID,labels\n1,a\n"), GraphmlExportError::Labels { .. }));
}

/// If such values were written, a list would lose its nulls, and no program could read a number outside the
/// range of a `long`.
#[test]
fn a_value_that_graphml_cannot_hold_is_refused_and_leaves_nothing() {
    let refused = |cardinality, value_type, values: &[NewValue<'_>]| {
        let documents = Documents::new();
        documents.import(networkx("people")).unwrap();
        let path = documents.path("g.varvite");
        let mut diff = Diff::new();
        diff.declare_property("X", PropertyOwner::Nodes, value_type, cardinality);
        diff.set(1, "X", values.iter().cloned());
        GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
        let error = GraphmlExport::new(&Graph::open(path).unwrap()).write_to(documents.path("out.graphml"));
        assert!(!documents.path("out.graphml").exists());
        error.unwrap_err().to_string()
    };
    let (beyond, list) = (u64::MAX.into(), Cardinality::List);
    let too_large = "node 1: X has 18446744073709551615, more than a long, which GraphML cannot hold";
    assert_eq!(refused(Cardinality::Optional, ValueType::U64, &[u64::MAX.into()]), too_large);
    assert_eq!(refused(list, ValueType::U64, &[1u64.into(), beyond]), too_large);
    let null = "node 1: X has a null in its list, which GraphML cannot hold";
    assert_eq!(refused(list, ValueType::String, &["a".into(), NewValue::Null, "b".into()]), null);
}

#[test]
fn integers_without_a_sign_come_back_as_they_were() {
    let documents = Documents::new();
    let path = documents.path("new.varvite");
    let kinds = [ValueType::U8, ValueType::U16, ValueType::U32, ValueType::U64];
    let mut new = NewGraph::create(&path).unwrap();
    let node = new.add_node(&["A"]).unwrap();
    for kind in kinds {
        new.declare_property(kind.name(), PropertyOwner::Nodes, kind, Cardinality::One).unwrap();
        new.set(node, kind.name(), 200u64).unwrap();
    }
    new.finish().unwrap();
    let graph = Graph::open(path).unwrap();
    let found = again(&documents, &graph);
    for kind in kinds {
        let property = found.property(kind.name()).unwrap();
        assert_eq!((property.value_type(), property.get(0).unwrap().to_string()), (kind, "200".to_owned()));
    }
}

/// The graph file has the text once; the document has it once for each node.
#[test]
fn a_text_that_many_nodes_share_is_written_for_each() {
    let documents = Documents::new();
    let (path, document) = (documents.path("shared.varvite"), documents.path("shared.graphml"));
    let (nodes, text) = (50_000u32, "x".repeat(500));
    let mut new = NewGraph::create(&path).unwrap();
    new.declare_property("text", PropertyOwner::Nodes, ValueType::String, Cardinality::One).unwrap();
    for _ in 0..nodes {
        let node = new.add_node(&["A"]).unwrap();
        new.set(node, "text", text.as_str()).unwrap();
    }
    new.finish().unwrap();
    let texts = u64::from(nodes) * text.len() as u64;
    assert!(fs::metadata(&path).unwrap().len() * 1024 < texts);
    let report = GraphmlExport::new(&Graph::open(path).unwrap()).write_to(document).unwrap();
    assert!(report.file_len > texts);
}
