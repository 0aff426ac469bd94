//! Tests that comparisons of digests name the column, the node and the value in which two graphs differ.

use std::ops::Range;
use std::sync::Arc;

use varvite::compare::{Comparison, DigestTree, RangeShift, Side, odd_one_out};
use varvite::error::FormatError;
use varvite::{Graph, IfExists, Profile, Task};
use varvite_model::{ModelGraph, NodeId, RandomGraph, Value};
use varvite_testing::draft::Draft;
use varvite_testing::vfs::MemoryVfs;

use crate::model::for_each_graph;

const EVERYTHING: Range<u64> = 0..1 << 32;

fn tree(graph: &Graph) -> DigestTree {
    DigestTree::of(graph, &Task::new().threads(2)).unwrap()
}

fn open(model: &ModelGraph) -> Graph {
    Draft::of(model).open(Profile::Compact)
}

fn compare(graphs: &[&Graph]) -> Comparison {
    let trees: Vec<DigestTree> = graphs.iter().map(|graph| tree(graph)).collect();
    let sides = graphs.iter().zip(&trees).map(|(graph, digest)| Side { digest, graph: Some(graph) });
    Comparison::of(&sides.collect::<Vec<_>>(), &Task::new()).unwrap()
}

/// A graph of many METHODs, each with a name, a number and a list. Each METHOD calls the next.
fn sample(nodes: usize) -> ModelGraph {
    let mut graph = ModelGraph::default();
    for number in 0..nodes {
        let node = graph.add_node(&["METHOD"]);
        graph.set_property(node, "NAME", vec![Value::string(if number % 2 == 0 { "even" } else { "odd" })]);
        graph.set_property(node, "ORDER", vec![Value::I32(number as i32)]);
    }
    for number in 1..nodes {
        graph.add_edge(NodeId(number - 1), "CALL", NodeId(number), None);
    }
    let label = RandomGraph::EDGE_PROPERTY_LABEL;
    for number in 0..5 {
        graph.add_edge(NodeId(number), label, NodeId(0), Some(Value::string("v")));
        graph.add_edge(NodeId(number), label, NodeId(1), Some(Value::string("w")));
    }
    graph.set_property(NodeId(7), "STRING_LIST", ["a", "b", "c"].map(Value::string).to_vec());
    graph
}

fn changed(change: impl FnOnce(&mut ModelGraph)) -> Comparison {
    let (one, mut other) = (sample(700), sample(700));
    change(&mut other);
    compare(&[&open(&one), &open(&other)])
}

/// Checks that exactly one column differs, and checks its name, the differing owner, and the owner's
/// differing entry in each graph.
#[track_caller]
fn check(comparison: &Comparison, name: &str, owner: u64, position: u64, entries: [Option<&str>; 2]) {
    let [column] = &comparison.columns[..] else { panic!("{:?}", comparison.columns) };
    assert_eq!((column.name.as_str(), column.groups.len()), (name, 2));
    let place = column.place.as_ref().unwrap();
    assert_eq!(place.owners, owner..owner + 1);
    let found = place.owner.as_ref().unwrap();
    assert_eq!(
        (found.position, found.entries.iter().map(Option::as_deref).collect()),
        (position, entries.to_vec())
    );
}

#[test]
fn a_changed_value_is_named_with_its_node() {
    let comparison = changed(|graph| graph.set_property(NodeId(611), "NAME", vec![Value::string("x")]));
    check(&comparison, "property NAME", 611, 0, [Some("\"odd\""), Some("\"x\"")]);
    let comparison = changed(|graph| graph.set_property(NodeId(3), "ORDER", vec![]));
    check(&comparison, "property ORDER", 3, 0, [Some("3"), None]);
    let list = ["a", "b", "d"].map(Value::string).to_vec();
    let comparison = changed(|graph| graph.set_property(NodeId(7), "STRING_LIST", list));
    check(&comparison, "property STRING_LIST", 7, 2, [Some("\"c\""), Some("\"d\"")]);
}

#[test]
fn the_first_of_many_differences_is_named() {
    let comparison = changed(|graph| {
        for number in [600, 299, 301] {
            graph.set_property(NodeId(number), "ORDER", vec![Value::I32(-1)]);
        }
    });
    check(&comparison, "property ORDER", 299, 0, [Some("299"), Some("-1")]);
}

#[test]
fn a_changed_edge_property_is_named_with_its_edge_and_source() {
    let label = RandomGraph::EDGE_PROPERTY_LABEL;
    let comparison = changed(|graph| graph.set_edge_property(NodeId(2), label, 1, Some(Value::string("z"))));
    check(&comparison, "property REACHING_DEF.VARIABLE", 5, 0, [Some("\"w\""), Some("\"z\"")]);
    let place = comparison.columns[0].place.as_ref().unwrap();
    assert!(place.are_edges);
    assert_eq!(place.owner.as_ref().unwrap().nodes, [Some(2), Some(2)]);
}

#[test]
fn another_order_of_an_in_list_is_named() {
    let label = RandomGraph::EDGE_PROPERTY_LABEL;
    let comparison = changed(|graph| graph.permute_in(NodeId(0), label, &[1, 0, 2, 3, 4]));
    check(&comparison, "edges REACHING_DEF in", 0, 0, [Some("#0"), Some("#1")]);
}

#[test]
fn columns_that_one_graph_lacks_and_schemas_that_differ_are_named() {
    let (one, mut other) = (Draft::of(&sample(8)), Draft::of(&sample(8)));
    other.properties.retain(|property| property.spec.name != "NOWHERE");
    let index = other.properties.iter().position(|property| property.spec.name == "NAME").unwrap();
    other.properties[index].spec.default = Some("none".to_owned());
    let comparison = compare(&[&one.open(Profile::Compact), &other.open(Profile::Direct)]);
    let [name, nowhere] = &comparison.columns[..] else { panic!("{comparison:?}") };
    assert_eq!(
        (nowhere.name.as_str(), &nowhere.missing[..], &nowhere.place),
        ("property NOWHERE", &[1][..], &None)
    );
    let headers = name.headers.as_ref().unwrap();
    assert!(headers[0].as_ref().unwrap().ends_with("default \"<empty>\""), "{headers:?}");
    assert!(headers[1].as_ref().unwrap().ends_with("default \"none\""), "{headers:?}");
}

#[test]
fn the_odd_one_out_of_three_is_named() {
    let (one, mut other) = (sample(9), sample(9));
    other.set_property(NodeId(4), "ORDER", vec![Value::I32(0)]);
    let [one, other] = [&one, &other].map(open);
    let comparison = compare(&[&one, &other, &one]);
    assert_eq!(comparison.groups, [vec![0, 2], vec![1]]);
    assert_eq!(odd_one_out(&comparison.groups), Some(1));
    assert_eq!(odd_one_out(&[vec![0], vec![1]]), None);
    assert_eq!(odd_one_out(&[vec![0, 1], vec![2, 3]]), None);
    assert_eq!(odd_one_out(&[vec![0, 1], vec![2], vec![3]]), None);
}

#[test]
fn equal_graphs_have_no_difference_however_they_are_stored() {
    for_each_graph(0..20, |model, profile| {
        let draft = Draft::of(model);
        let graphs = [draft.open(profile), draft.clone().turned().open(Profile::Direct)];
        assert!(compare(&[&graphs[0], &graphs[1]]).is_equal());
    });
}

/// Tests that a comparison finds the same node as a plain search: the first one whose values differ.
#[test]
fn random_changes_are_found() {
    for_each_graph(0..60, |model, profile| {
        let nodes = model.nodes();
        let Some(node) = nodes.get(nodes.len() / 2) else { return };
        let mut other = model.clone();
        let wanted = vec![Value::string("a text that no graph has")];
        other.set_property(*node, "NAME", wanted);
        let graphs = [Draft::of(model).open(profile), Draft::of(&other).open(Profile::Direct)];
        let comparison = compare(&[&graphs[0], &graphs[1]]);
        let place = comparison.columns[0].place.as_ref().unwrap();
        assert_eq!((comparison.columns.len(), place.owners.start), (1, node.0 as u64));
        assert_eq!(place.owner.as_ref().unwrap().entries[1].as_deref(), Some("\"a text that no graph has\""));
    });
}

/// Tests that cursors and scans, which read a column in different ways, give the same hash.
#[test]
fn ranges_have_the_hashes_of_leaves() {
    for_each_graph(0..60, |model, profile| {
        let graph = Draft::of(model).open(profile);
        for column in &tree(&graph).columns {
            let of = |shift| {
                let owners = 0..70_000;
                DigestTree::of_ranges(&graph, &Task::new(), &column.name, owners, shift).unwrap()
            };
            let [leaf, part] = [RangeShift::Leaf, RangeShift::Part].map(of);
            assert_eq!(leaf, *column);
            // In graphs of fewer than 256 nodes and 256 edges, a range of 256 owners contains the whole
            // column, as a leaf does.
            let hashes =
                |column: &varvite::compare::ColumnTree| column.below.as_ref().unwrap().ranges.hashes.clone();
            if graph.node_count() < 256 && graph.edge_count() < 256 {
                assert_eq!(hashes(&leaf), hashes(&part), "{}", column.name);
            }
        }
    });
}

#[test]
fn digests_lead_from_one_machine_to_the_other() {
    let (one, mut other) = (sample(700), sample(700));
    other.set_property(NodeId(611), "ORDER", vec![Value::I32(0)]);
    let [here, there] = [&one, &other].map(open);
    let (name, sent) = ("property ORDER", tree(&there));
    let step = |digest: &DigestTree| {
        let digest = DigestTree::from_bytes(&digest.to_bytes()).unwrap();
        let own = tree(&here);
        let sides = [Side { digest: &own, graph: Some(&here) }, Side { digest: &digest, graph: None }];
        let comparison = Comparison::of(&sides, &Task::new()).unwrap();
        assert_eq!(comparison.columns.len(), 1);
        assert_eq!(comparison.columns[0].name, name);
        comparison.columns[0].place.clone()
    };
    assert_eq!(step(&sent.clone().brief()), None);
    assert_eq!(step(&sent.clone().only(name).unwrap()).unwrap().owners, 0..65536);
    let ranges = |owners, shift| {
        let mut digest = DigestTree::of_columns(&there, &Task::new(), &[]).unwrap();
        digest.columns = vec![DigestTree::of_ranges(&there, &Task::new(), name, owners, shift).unwrap()];
        digest
    };
    assert_eq!(step(&ranges(0..65536, RangeShift::Part)).unwrap().owners, 512..768);
    let place = step(&ranges(512..768, RangeShift::Owner)).unwrap();
    assert_eq!(place.owners, 611..612);
    assert_eq!(place.owner.unwrap().entries, [Some("611".to_owned()), None]);
}

#[test]
fn files_hold_what_was_written() {
    let disk = MemoryVfs::new();
    for_each_graph(0..20, |model, profile| {
        let digest = tree(&Draft::of(model).open(profile));
        let path = std::path::Path::new("a.digest");
        digest.write(Arc::new(disk.clone()), path, IfExists::Replace).unwrap();
        assert_eq!(DigestTree::read(&disk, path, 1 << 20).unwrap(), Some(digest));
        DigestTree::read(&disk, path, 100).unwrap_err();
    });
    disk.put("b", b"something else");
    assert_eq!(DigestTree::read(&disk, "b".as_ref(), 1 << 20).unwrap(), None);
}

#[test]
fn every_changed_byte_of_a_file_is_noticed() {
    let bytes = tree(&open(&sample(8))).to_bytes();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(DigestTree::from_bytes(&changed).is_err(), "byte {at}");
        assert!(DigestTree::from_bytes(&bytes[..at]).is_err(), "{at} bytes");
    }
}

#[test]
fn what_lies_under_a_good_checksum_is_refused() {
    let good = tree(&open(&sample(8)));
    let refused = |change: &dyn Fn(&mut DigestTree)| {
        let mut digest = good.clone();
        change(&mut digest);
        let error = DigestTree::from_bytes(&digest.to_bytes()).unwrap_err();
        assert!(matches!(error, FormatError::Damaged { .. }), "{error}");
    };
    let at = good.columns.iter().position(|column| column.name == "property NAME").unwrap();
    refused(&|digest| digest.root = None);
    refused(&|digest| digest.columns[0].hash.0[0] ^= 1);
    refused(&|digest| digest.columns.reverse());
    refused(&|digest| digest.columns[at].below.as_mut().unwrap().header.0[0] ^= 1);
    refused(&|digest| digest.columns[at].below.as_mut().unwrap().ranges.shift = 3);
    refused(&|digest| digest.columns[at].below.as_mut().unwrap().ranges.owners = Range { start: 9, end: 3 });
    refused(&|digest| digest.columns[at].below.as_mut().unwrap().ranges.owners = 0..1 << 33);
    refused(&|digest| digest.columns[at].below.as_mut().unwrap().ranges.hashes[0].number = u32::MAX);
    refused(&|digest| {
        let hashes = &mut digest.columns[at].below.as_mut().unwrap().ranges.hashes;
        hashes.push(hashes[0]);
    });
    assert_eq!(EVERYTHING, good.columns[at].below.as_ref().unwrap().ranges.owners);
}
