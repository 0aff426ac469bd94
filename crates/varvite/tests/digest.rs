//! Tests that digests are equal for equal graphs, no matter how their files are encoded, and different for
//! different graphs.

use std::collections::BTreeSet;

use varvite::compare::{ContentHash, Digest};
use varvite::{Profile, Task};
use varvite_model::{AST, ModelGraph, NodeId, RandomGraph, Value};
use varvite_testing::draft::{Draft, DraftValues};

use crate::model::for_each_graph;

fn digest(draft: &Draft, profile: Profile) -> Digest {
    Digest::of(&draft.open(profile), &Task::new().threads(2)).unwrap()
}

#[test]
fn profile_layout_and_order_of_rows_and_texts_make_no_difference() {
    for_each_graph(0..100, |model, profile| {
        let draft = Draft::of(model);
        let expected = digest(&draft, Profile::Direct);
        assert_eq!(digest(&draft, profile), expected);
        let listed = Draft { is_forest_listed: true, ..draft.clone() };
        assert_eq!(digest(&listed, profile), expected);
        assert_eq!(digest(&draft.clone().with_shared_texts(), profile), expected);
        assert_eq!(digest(&draft.turned(), profile), expected);
    });
}

/// A small graph whose AST is a forest, with parallel edges, lists and nulls.
fn sample() -> ModelGraph {
    let mut graph = ModelGraph::default();
    let labels = ["METHOD", "BLOCK", "CALL", "IDENTIFIER", "METHOD", "CALL"];
    let [main, block, call, x, f, stray] = labels.map(|label| graph.add_node(&[label]));
    for (parent, child) in [(main, block), (block, call), (call, x)] {
        graph.add_edge(parent, AST, child, None);
    }
    for (source, target) in [(call, f), (stray, f), (call, main)] {
        graph.add_edge(source, "CALL", target, None);
    }
    for name in ["a", "b", "a"] {
        graph.add_edge(x, RandomGraph::EDGE_PROPERTY_LABEL, call, Some(Value::string(name)));
    }
    graph.add_edge(block, RandomGraph::EDGE_PROPERTY_LABEL, call, None);
    for (node, name) in [(main, "main"), (call, "f"), (x, "x"), (f, "f")] {
        graph.set_property(node, "NAME", vec![Value::string(name)]);
        graph.set_property(node, "ORDER", vec![Value::I32(node.0 as i32)]);
        graph.set_property(node, "STRING_LIST", vec![Value::string(name), Value::Null, Value::string("")]);
    }
    graph.set_property(x, "EVIDENCE", vec![Value::Ref(Some(f))]);
    graph.set_property(x, "F64", vec![Value::F64(0.0)]);
    graph.set_property(x, "BYTES", vec![Value::Bytes(vec![1, 2])]);
    graph
}

fn columns_that_differ(a: &Digest, b: &Digest) -> BTreeSet<String> {
    let a: BTreeSet<_> = a.columns.iter().cloned().collect();
    let b: BTreeSet<_> = b.columns.iter().cloned().collect();
    a.symmetric_difference(&b).map(|column| column.name.clone()).collect()
}

/// Checks that a change of the graph changes the root and exactly the `expected` columns.
#[track_caller]
fn check_change(change: impl FnOnce(&mut ModelGraph), expected: &[&str]) {
    let mut changed = sample();
    change(&mut changed);
    check_draft(&Draft::of(&changed), expected);
}

#[track_caller]
fn check_draft(changed: &Draft, expected: &[&str]) {
    for profile in Profile::ALL {
        let [before, after] = [&Draft::of(&sample()), changed].map(|draft| digest(draft, profile));
        let columns = columns_that_differ(&before, &after);
        assert_eq!(columns.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        assert_eq!(before.root == after.root, expected.is_empty());
    }
}

const X: NodeId = NodeId(3);

#[test]
fn a_changed_value_changes_its_property() {
    check_change(|_| {}, &[]);
    check_change(|graph| graph.set_property(X, "NAME", vec![Value::string("y")]), &["property NAME"]);
    check_change(|graph| graph.set_property(X, "NAME", vec![Value::string("")]), &["property NAME"]);
    check_change(|graph| graph.set_property(X, "NAME", vec![]), &["property NAME"]);
    check_change(|graph| graph.set_property(X, "ORDER", vec![Value::I32(-3)]), &["property ORDER"]);
    check_change(|graph| graph.set_property(X, "F64", vec![Value::F64(-0.0)]), &["property F64"]);
    check_change(|graph| graph.set_property(X, "BYTES", vec![Value::Bytes(vec![1])]), &["property BYTES"]);
    check_change(|graph| graph.set_property(X, "EVIDENCE", vec![Value::Ref(None)]), &["property EVIDENCE"]);
    check_change(|graph| graph.set_property(X, "EVIDENCE", vec![]), &["property EVIDENCE"]);
}

#[test]
fn order_and_nulls_of_a_list_count() {
    let list = |texts: [Option<&'static str>; 3]| {
        let value = |text: Option<&str>| text.map_or(Value::Null, Value::string);
        move |graph: &mut ModelGraph| graph.set_property(X, "STRING_LIST", texts.map(value).to_vec())
    };
    check_change(list([Some("x"), None, Some("")]), &[]);
    check_change(list([Some("x"), Some(""), None]), &["property STRING_LIST"]);
    check_change(list([Some("x"), Some(""), Some("")]), &["property STRING_LIST"]);
    check_change(list([Some("x"), Some("null"), Some("")]), &["property STRING_LIST"]);
}

#[test]
fn a_value_on_another_node_is_another_graph() {
    let moved = |graph: &mut ModelGraph| {
        graph.set_property(X, "F64", vec![]);
        graph.set_property(NodeId(4), "F64", vec![Value::F64(0.0)]);
    };
    check_change(moved, &["property F64"]);
}

#[test]
fn the_order_of_each_list_of_edges_counts() {
    let swapped = |graph: &mut ModelGraph| graph.permute_in(NodeId(4), "CALL", &[1, 0]);
    check_change(swapped, &["edges CALL in"]);
    // The k-th of several parallel edges in an in-list belongs to the k-th in the out-list, so a permutation
    // of the in-list changes their places.
    let rotated = |graph: &mut ModelGraph| graph.permute_in(NodeId(2), "REACHING_DEF", &[3, 0, 1, 2]);
    check_change(rotated, &["edges REACHING_DEF in", "edges REACHING_DEF places"]);
    let reordered = |graph: &mut ModelGraph| {
        graph.remove_edge(NodeId(2), "CALL", 0);
        graph.add_edge(NodeId(2), "CALL", NodeId(4), None);
        graph.permute_in(NodeId(4), "CALL", &[1, 0]);
    };
    check_change(reordered, &["edges CALL out"]);
}

#[test]
fn an_edge_more_or_less_is_another_graph() {
    let all = ["edges CALL", "edges CALL in", "edges CALL out"];
    check_change(|graph| graph.add_edge(X, "CALL", X, None), &all);
    check_change(|graph| graph.add_edge(NodeId(2), "CALL", NodeId(4), None), &all);
    check_change(|graph| graph.remove_edge(NodeId(2), "CALL", 0), &all);
    let turned = |graph: &mut ModelGraph| {
        graph.remove_edge(NodeId(2), "CALL", 1);
        graph.add_edge(NodeId(0), "CALL", NodeId(2), None);
    };
    check_change(turned, &["edges CALL in", "edges CALL out"]);
}

#[test]
fn the_property_of_an_edge_counts_at_its_place() {
    let label = RandomGraph::EDGE_PROPERTY_LABEL;
    let set = |position, name: Option<&'static str>| {
        move |graph: &mut ModelGraph| {
            graph.set_edge_property(X, label, position, name.map(Value::string));
        }
    };
    check_change(set(0, Some("a")), &[]);
    check_change(set(0, Some("b")), &["property REACHING_DEF.VARIABLE"]);
    check_change(set(1, None), &["property REACHING_DEF.VARIABLE"]);
}

#[test]
fn a_node_with_another_label_is_another_graph() {
    let mut draft = Draft::of(&sample());
    let block = draft.labels.iter().position(|label| label.name == "BLOCK").unwrap();
    draft.labels[block].name = "KLOTZ".to_owned();
    check_draft(&draft, &["label BLOCK", "label KLOTZ", "node labels"]);
}

#[test]
fn a_node_more_is_another_graph() {
    let added = |graph: &mut ModelGraph| {
        graph.add_node(&["BLOCK"]);
    };
    check_change(added, &["label BLOCK", "node labels"]);
}

#[test]
fn the_schema_counts() {
    let name = |draft: &mut Draft| draft.properties.iter().position(|p| p.spec.name == "NAME").unwrap();
    let mut draft = Draft::of(&sample());
    let index = name(&mut draft);
    draft.properties[index].spec.default = Some("nothing".to_owned());
    check_draft(&draft, &["property NAME"]);
    draft.properties[index].spec.default = None;
    check_draft(&draft, &["property NAME"]);

    let mut draft = Draft::of(&sample());
    draft.properties[index].spec.cardinality = varvite::Cardinality::List;
    check_draft(&draft, &["property NAME"]);

    let mut draft = Draft::of(&sample());
    draft.properties[index].spec.layer = 1;
    check_draft(&draft, &["property NAME"]);

    let mut draft = Draft::of(&sample());
    draft.properties.retain(|property| property.spec.name != "NOWHERE");
    check_draft(&draft, &["property NOWHERE"]);
}

#[test]
fn where_nodes_come_from_counts() {
    let mut draft = Draft::of(&sample());
    let method = draft.labels.iter().position(|label| label.name == "METHOD").unwrap();
    draft.labels[method].origin_count += 1;
    check_draft(&draft, &["label METHOD"]);

    let mut draft = Draft::of(&sample());
    draft.labels[method].origin = Some(vec![1, 0]);
    check_draft(&draft, &["label METHOD"]);
    // Origins that equal the ranks of the nodes need not be stored.
    draft.labels[method].origin = Some(vec![0, 1]);
    let stored = digest(&draft, Profile::Compact);
    draft.labels[method].origin = None;
    assert_eq!(digest(&draft, Profile::Compact), stored);
}

#[test]
fn a_text_that_nothing_uses_makes_no_difference() {
    let mut draft = Draft::of(&sample());
    for property in &mut draft.properties {
        if let DraftValues::Texts { texts, codes, .. } = &mut property.values {
            let null = texts.len() as u32;
            texts.push(b"unused".to_vec());
            codes.iter_mut().filter(|code| **code == null).for_each(|code| *code += 1);
        }
    }
    check_draft(&draft, &[]);
}

#[test]
fn digests_are_what_their_description_says() {
    let mut graph = ModelGraph::default();
    let [a, b] = ["B", "A"].map(|label| graph.add_node(&[label]));
    graph.add_edge(a, "CALL", b, None);
    graph.add_edge(a, "CALL", b, None);
    graph.set_property(b, "ORDER", vec![Value::I32(-1)]);
    graph.set_property(b, "NAME", vec![Value::string("x")]);
    let digest = digest(&Draft::of(&graph), Profile::Compact);
    let hash = |stream: &[&[u8]]| blake3::hash(&stream.concat()).as_bytes().to_vec();
    let [u32s, u64s] =
        [|number: i64| number.to_le_bytes()[..4].to_vec(), |number: i64| number.to_le_bytes().to_vec()];
    // The two nodes are in one leaf of one group.
    let check = |name: &str, header: &[&[u8]], leaf: &[&[u8]]| {
        let column = digest.columns.iter().find(|column| column.name == name).unwrap();
        let group = hash(&[&u32s(0), &hash(leaf)]);
        let expected = match leaf {
            [] => hash(&[&hash(header)]),
            _ => hash(&[&hash(header), &u32s(0), &group]),
        };
        assert_eq!(column.hash.0[..], expected, "{name}");
    };
    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    let set = |label: &str| hash(&[&u64s(1), &text(label)]);
    check("node labels", &[], &[&u32s(0), &u32s(1), &set("B"), &set("A")]);
    check("label A", &[&text("code"), &u32s(1)], &[&u32s(1), &u32s(0)]);
    check("edges CALL", &[&text("code"), &u64s(2)], &[]);
    check("edges CALL out", &[], &[&u32s(0), &u64s(2), &u32s(1), &u32s(1)]);
    check("edges CALL in", &[], &[&u32s(1), &u64s(2), &u32s(0), &u32s(0)]);
    check("edges NEVER out", &[], &[]);
    let header = |value_type, cardinality| [text("code"), text(value_type), text(cardinality)].concat();
    let order = [header("i32", "one"), u64s(0), text("")].concat();
    check("property ORDER", &[&order], &[&u32s(1), &u64s(1), &u64s(-1)]);
    let name = [header("string", "optional"), u64s(1), text("<empty>")].concat();
    check("property NAME", &[&name], &[&u32s(1), &u64s(1), blake3::hash(b"x").as_bytes()]);
    check("layers", &[&text("code"), &text("code/dataflow")], &[]);
    let root = digest.columns.iter().map(|column| [text(&column.name), column.hash.0.to_vec()].concat());
    assert_eq!(digest.root, ContentHash(*blake3::hash(&root.collect::<Vec<_>>().concat()).as_bytes()));
}

#[test]
fn json_holds_the_root_and_every_column() {
    let digest = digest(&Draft::of(&sample()), Profile::Compact);
    let json: serde_json::Value = serde_json::from_str(&digest.to_json()).unwrap();
    assert_eq!(json["root"], digest.root.to_string());
    assert_eq!(json["columns"].as_object().unwrap().len(), digest.columns.len());
    assert_eq!(json["columns"]["edges CALL out"].as_str().unwrap().len(), 64);
}
