//! Golden files for diffs that other languages build with their own methods: the bytes of the diffs, and
//! graph files after the diffs were applied.
//!
//! The tests in C and Java build the same diffs as this module, operation by operation.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, Durability, LogOptions, NewValue, PropertyOwner};
use varvite::write::{GraphChange, LayerSpec};
use varvite::{Cardinality, Task, ValueType};
use varvite_testing::draft::{PATH, open_bytes};
use varvite_testing::vfs::MemoryVfs;

use super::changed::{Changed, disk};

/// The golden files, with their names without extension.
pub(super) fn files() -> [Changed; 5] {
    let before = disk().contents(PATH).unwrap();
    let (logged, closed) = logged();
    [
        Changed { name: "before", purpose: "the graph that the diffs are applied to", bytes: before },
        Changed { name: "after", purpose: "operations of every kind, applied in place", bytes: after() },
        Changed { name: "layered", purpose: "a layer of a diff", bytes: layered() },
        Changed { name: "logged", purpose: "two small commits in an open log", bytes: logged },
        Changed { name: "closed", purpose: "the same after the log was closed", bytes: closed },
    ]
}

/// The bytes of the diff that leads to the file `after`.
pub(super) fn diff_bytes() -> Vec<u8> {
    every_operation().to_bytes().unwrap()
}

fn every_operation() -> Diff {
    let mut diff = Diff::new();
    diff.declare_label("SITE");
    diff.declare_edge_label("AT");
    let types: Vec<ValueType> = (0..14).map(|number| ValueType::from_number(number).unwrap()).collect();
    for value_type in &types {
        diff.declare_property(value_type.name(), PropertyOwner::Nodes, *value_type, Cardinality::List);
    }
    diff.declare_property("WEIGHT", PropertyOwner::Edges("AT"), ValueType::F64, Cardinality::Optional);
    let site = diff.add_node(&["METHOD", "SITE"]);
    let plain = diff.add_node(&[]);
    diff.add_edge("CALL", 0, site);
    let at = diff.add_edge("AT", site, plain);
    diff.add_edge("AT", 3, 4);
    // This edge is left out, because the diff removes one of its nodes.
    diff.add_edge("AT", 5, 1);
    diff.set(at, "WEIGHT", [0.5]);
    diff.set(("CALL", 0), "LINE", [7]);
    diff.declare_property("LINE", PropertyOwner::Edges("CALL"), ValueType::I32, Cardinality::Optional);
    diff.set(site, "NAME", ["größe"]);
    diff.set(1, "NAME", ["other"]);
    diff.clear(0, "NAME");
    diff.append(2, "i64", [1, 2]);
    diff.append(2, "i64", [3]);
    diff.set(site, "bool", [true, false]);
    for (name, least, greatest) in [
        ("i8", i64::from(i8::MIN), i64::from(i8::MAX)),
        ("i16", i16::MIN.into(), i16::MAX.into()),
        ("i32", i32::MIN.into(), i32::MAX.into()),
        ("i64", i64::MIN, i64::MAX),
        ("u8", 0, u8::MAX.into()),
        ("u16", 0, u16::MAX.into()),
        ("u32", 0, u32::MAX.into()),
    ] {
        diff.set(site, name, [least, greatest]);
    }
    diff.set(site, "u64", [0, u64::MAX]);
    diff.set(site, "f32", [0.5, -0.0]);
    diff.set(site, "f64", [0.1, f64::INFINITY]);
    diff.set(site, "string", [NewValue::from(""), NewValue::Null, NewValue::from("a\0b")]);
    diff.set(site, "bytes", [NewValue::from(&b"\0\xff"[..]), NewValue::Null, NewValue::from(&b""[..])]);
    let nodes = [NewValue::Ref(0.into()), NewValue::Ref(plain.into()), NewValue::Null];
    diff.set(site, "ref", nodes);
    diff.remove_edge("CALL", 2);
    diff.remove_node(5);
    diff.remove_node(5);
    diff
}

fn begin(disk: &MemoryVfs) -> GraphChange {
    GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap()
}

fn after() -> Vec<u8> {
    let disk = disk();
    begin(&disk).apply_with(&every_operation(), &Task::new().threads(1)).unwrap();
    disk.contents(PATH).unwrap()
}

fn layered() -> Vec<u8> {
    let disk = disk();
    let mut diff = Diff::new();
    diff.declare_label("SITE");
    diff.declare_edge_label("AT");
    diff.declare_property("BYTES", PropertyOwner::Nodes, ValueType::U64, Cardinality::Optional);
    let site = diff.add_node(&["SITE"]);
    diff.set(site, "BYTES", [4096]);
    diff.add_edge("AT", site, 3);
    diff.add_edge("AT", 2, site);
    let layer = LayerSpec { name: "heap", tool: "profiler", version: "1.5", source: [0xab; 32] };
    begin(&disk).add_layer(&layer, &diff, &Task::new().threads(1)).unwrap();
    disk.contents(PATH).unwrap()
}

/// The bytes of a file with an open log of two commits, and its bytes after the log was closed.
fn logged() -> (Vec<u8>, Vec<u8>) {
    let disk = disk();
    let log = begin(&disk).log(LogOptions::default(), &Task::new().threads(1)).unwrap();
    for (number, durability) in [(0, Durability::Sync), (1, Durability::Buffered)] {
        let mut diff = Diff::new();
        let node = diff.add_node(&["METHOD"]);
        diff.add_edge("CALL", number, node);
        diff.set(node, "NAME", ["new"]);
        log.commit(&diff, durability, &Task::new().threads(1)).unwrap();
    }
    let logged = disk.contents(PATH).unwrap();
    log.close(&Task::new().threads(1)).unwrap();
    (logged, disk.contents(PATH).unwrap())
}

#[test]
fn files_of_sent_diffs_say_what_the_diffs_say() {
    let sent = diff_bytes();
    let read = Diff::from_bytes(&sent).unwrap();
    assert_eq!((read.len(), read.new_nodes(), read.new_edges()), (48, 2, 4));
    assert!(read.to_bytes().unwrap() == sent);
    let [before, after, layered, logged, closed] = files().map(|file| open_bytes(&file.bytes).unwrap());
    assert_eq!(before.node_count(), 6);
    assert_eq!((after.node_count(), after.live_node_count()), (8, 7));
    assert_eq!(after.out("CALL").unwrap().neighbors(0).collect::<Vec<_>>(), [1, 6]);
    assert_eq!(after.out("CALL").unwrap().neighbors(2).collect::<Vec<_>>(), [0; 0]);
    assert_eq!(after.edge_labels().iter().find(|label| label.name == "AT").unwrap().edges, 2);
    assert_eq!(after.property("NAME").unwrap().str(6).unwrap().to_string(), "größe");
    assert_eq!(layered.layers().last().unwrap().tool, "profiler");
    assert_eq!((logged.store().log().records(), closed.store().log().records()), (2, 0));
    for graph in [after, layered, logged, closed] {
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    }
}
