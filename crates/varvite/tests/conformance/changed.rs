//! Golden files that several commits made: a graph with changes, one with a layer, one with an index that was
//! added later, and one with a log.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, Durability, LogOptions};
use varvite::{Profile, Task};
use varvite::{
    columns::{LayerChange, NodeNumbers, PropertyLayer, change_layers},
    write::{GraphChange, IndexChange, LayerSpec, change_indexes},
};
use varvite_model::{ModelGraph, RandomGraph, Value};
use varvite_testing::draft::{Draft, PATH, open_bytes};
use varvite_testing::vfs::MemoryVfs;

/// A golden file that commits have changed.
pub(super) struct Changed {
    pub(super) name: &'static str,
    pub(super) purpose: &'static str,
    pub(super) bytes: Vec<u8>,
}

pub(super) fn files() -> [Changed; 5] {
    [
        Changed {
            name: "changed",
            purpose: "changes of nodes, edges and values, by a diff",
            bytes: changed(),
        },
        Changed { name: "layered", purpose: "a layer that came later", bytes: layered() },
        Changed { name: "indexed", purpose: "an index that came later", bytes: indexed() },
        Changed {
            name: "logged",
            purpose: "a log of four small commits, of which the last two were not synced",
            bytes: logged(),
        },
        Changed {
            name: "sourced",
            purpose: "a layer of long texts in compressed blocks, though the profile is compact",
            bytes: sourced(),
        },
    ]
}

/// A disk with a graph of six nodes in a row, whose file is as small as possible.
pub(super) fn disk() -> MemoryVfs {
    let mut graph = ModelGraph::default();
    let nodes: Vec<_> = (0..6).map(|_| graph.add_node(&["METHOD"])).collect();
    for pair in nodes.windows(2) {
        graph.add_edge(pair[0], "CALL", pair[1], None);
        graph.set_property(pair[0], "NAME", vec![Value::string(&"name"[..1 + pair[0].0 % 4])]);
    }
    let name = RandomGraph::PROPERTIES.iter().find(|property| property.name == "NAME").unwrap();
    let mut draft = Draft::with_properties(&graph, &[*name]);
    draft.edges.retain(|edges| edges.name == "CALL");
    let disk = MemoryVfs::new();
    disk.put(PATH, &draft.bytes(Profile::Compact));
    disk
}

fn changed() -> Vec<u8> {
    let disk = disk();
    let mut diff = Diff::new();
    let node = diff.add_node(&["METHOD"]);
    diff.add_edge("CALL", 0, node);
    diff.set(node, "NAME", ["new"]);
    diff.set(2, "NAME", ["other"]);
    diff.remove_node(5);
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    change.apply_with(&diff, &Task::new().threads(1)).unwrap();
    disk.contents(PATH).unwrap()
}

fn layered() -> Vec<u8> {
    let disk = disk();
    let layer = LayerSpec { name: "run", tool: "test", version: "1", source: [1; 32] };
    let properties = [NodeNumbers { name: "HOT", values: &[(0, 7), (5, 7000)] }];
    let change = LayerChange { add: Some(PropertyLayer { layer, properties: &properties }), drop: &[] };
    change_layers(Arc::new(disk.clone()), Path::new(PATH), change, &Task::new().threads(1)).unwrap();
    disk.contents(PATH).unwrap()
}

fn indexed() -> Vec<u8> {
    let (disk, names) = (disk(), ["NAME".to_owned()]);
    let change = IndexChange { add: &names, drop: &[] };
    change_indexes(Arc::new(disk.clone()), Path::new(PATH), change, &Task::new().threads(1)).unwrap();
    disk.contents(PATH).unwrap()
}

fn logged() -> Vec<u8> {
    let disk = disk();
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let log = change.log(LogOptions::default(), &Task::new().threads(1)).unwrap();
    for number in 0..4 {
        let mut diff = Diff::new();
        let node = diff.add_node(&["METHOD"]);
        diff.add_edge("CALL", number, node);
        diff.set(node, "NAME", [["new", "newer"][number as usize % 2]]);
        let durability = if number < 2 { Durability::Sync } else { Durability::Buffered };
        log.commit(&diff, durability, &Task::new().threads(1)).unwrap();
    }
    disk.contents(PATH).unwrap()
}

fn sourced() -> Vec<u8> {
    let (disk, task) = (disk(), Task::new().threads(1));
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let spec = LayerSpec { name: "source", tool: "test", version: "1", source: [1; 32] };
    let mut layer = change.begin_layer(spec, &task).unwrap();
    let mut texts = layer.begin_texts("CONTENT").unwrap();
    for (node, text) in SOURCED.map(|node| (node, source_of(node))) {
        texts.push(node, &text).unwrap();
    }
    texts.finish().unwrap();
    let marks = SOURCED.map(|node| (node, vec![0, line_of(node, 0).len() as u32 * 64]));
    layer.add_lists("CONTENT_LINES", &marks).unwrap();
    layer.commit(&task).unwrap();
    disk.contents(PATH).unwrap()
}

/// The nodes with a text in [`sourced`].
const SOURCED: [u32; 2] = [1, 4];

/// A text of 100 lines, which a test in Java makes too.
fn source_of(node: u32) -> String {
    (0..100).map(|line| line_of(node, line)).collect()
}

fn line_of(node: u32, line: u32) -> String {
    format!("line {line:02} of node {node}: \u{e4}\u{1f600}\n")
}

#[test]
fn files_of_several_commits_say_what_the_commits_say() {
    let [changed, layered, indexed, logged, sourced] = files().map(|file| open_bytes(&file.bytes).unwrap());
    assert_eq!((changed.node_count(), changed.live_node_count()), (7, 6));
    assert_eq!(changed.nodes("METHOD").unwrap().iter().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 6]);
    assert_eq!(changed.out("CALL").unwrap().neighbors(0).collect::<Vec<_>>(), [1, 6]);
    let names = changed.property("NAME").unwrap();
    assert_eq!(names.str(2).unwrap().to_string(), "other");
    assert_eq!(names.str(6).unwrap().to_string(), "new");
    assert_eq!(layered.layers().last().unwrap().name, "run");
    assert_eq!(layered.property("HOT").unwrap().number(5), Some(7000));
    assert_eq!(indexed.store().directory().text_indexes.len(), 1);
    assert_eq!((logged.node_count(), logged.store().log().records()), (10, 4));
    assert_eq!(logged.out("CALL").unwrap().neighbors(3).collect::<Vec<_>>(), [4, 9]);
    assert_eq!(logged.property("NAME").unwrap().str(9).unwrap().to_string(), "newer");
    assert_eq!(logged.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    let content = sourced.property("CONTENT").unwrap();
    assert_eq!(SOURCED.map(|node| content.str(node).unwrap().to_string()), SOURCED.map(source_of));
    for graph in [changed, layered, indexed, sourced] {
        assert!(graph.store().superblock().generation > 1);
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    }
}
