//! Tests that a graph that is folded (written anew) keeps its content.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use varvite::change::{ChangeError, Diff};
use varvite::compare::Digest;
use varvite::{Direction, Graph, OpenOptions, Profile, Task, Value};
use varvite::{
    columns::{Folded, NewNumbers, REMOVED, compact_telling},
    write::GraphChange,
};
use varvite_model::{ModelGraph, Value as ModelValue};
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::MemoryVfs;

use crate::model::{for_each_graph, random};

/// Folds a file. Returns the graph before folding, the graph after folding, and the report.
pub(crate) fn fold(disk: &MemoryVfs) -> (Graph, Graph, Folded) {
    let open = || OpenOptions::new().buffered().open_in(disk, PATH).unwrap();
    let before = open();
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let folded = change.fold(&Task::new().threads(2)).unwrap();
    (before, open(), folded)
}

fn check(draft: &Draft, profile: Profile) {
    let disk = MemoryVfs::new();
    disk.put(PATH, &draft.bytes(profile));
    let (before, after, folded) = fold(&disk);
    assert_eq!(
        Digest::of(&before, &Task::new()).unwrap(),
        Digest::of(&after, &Task::new()).unwrap(),
        "{}",
        profile.name()
    );
    assert_eq!(after.verify(&Task::new()).unwrap().problems, [""; 0]);
    assert!(folded.new_of_old.iter().copied().eq(0..before.node_count()));
    assert!(before.indexed_properties().eq(after.indexed_properties()));
    assert_ne!(before.identity().file_id, after.identity().file_id);
}

#[test]
fn a_graph_without_changes_is_the_same_when_it_is_folded() {
    for_each_graph(0..60, |model, profile| {
        check(&Draft::of(model), profile);
        check(&Draft::of(model).turned(), profile);
        check(&Draft::of(model).with_shared_texts().indexed(), profile);
    });
}

/// Checks that all remaining elements have the new ids that `new_of_old` gives.
pub(crate) fn check_moved(before: &Graph, after: &Graph, new_of_old: &[u32]) {
    let new = |old: u32| new_of_old[old as usize];
    let living = || (0..before.node_count()).filter(|node| new(*node) != REMOVED);
    assert!(living().eq((0..before.node_count()).filter(|node| !before.is_removed(*node).unwrap())));
    assert_eq!(living().count() as u32, after.live_node_count());
    for label in before.edge_label_ids() {
        for direction in Direction::BOTH {
            let lists = [before, after].map(|graph| graph.adjacency(label, direction).unwrap());
            for node in living() {
                let moved = lists[0].neighbors(node).map(new);
                assert!(moved.eq(lists[1].neighbors(new(node))), "node {node}");
            }
            assert_eq!(lists[0].edge_count(), lists[1].edge_count());
        }
    }
    let sets = [before, after].map(|graph| graph.label_sets().unwrap());
    assert!(living().all(|node| sets[0].of(node).eq(sets[1].of(new(node)))));
    for id in before.property_ids() {
        let told = |value: Value<'_>| match value {
            Value::Ref(node) => format!("{:?}", node.map(new).filter(|node| *node != REMOVED)),
            value => format!("{value:?}"),
        };
        let info = &before.properties()[id.index()];
        if let Some(label) = &info.edge_label {
            let [first, second] = [before, after].map(|graph| values_of_edges(graph, label, &info.name));
            assert!(living().all(|node| first(node) == second(new(node))), "{} of {label}", info.name);
            continue;
        }
        let properties = [before, after].map(|graph| graph.property(&info.name).unwrap());
        for node in living() {
            let moved: Vec<String> = properties[0].all(node).map(told).collect();
            let now = properties[1].all(new(node)).map(|value| match value {
                Value::Ref(node) => format!("{:?}", node.filter(|node| !after.is_removed(*node).unwrap())),
                value => format!("{value:?}"),
            });
            let now: Vec<String> = now.collect();
            assert_eq!(moved, now, "{} of node {node}", info.name);
        }
    }
    before.check().unwrap();
    after.check().unwrap();
}

/// The values of the edges that start at a node, in the order of its out-list.
fn values_of_edges<'g>(graph: &'g Graph, label: &str, name: &str) -> impl Fn(u32) -> Vec<String> + use<'g> {
    let property = graph.edge_property(label, Some(name)).unwrap();
    let ranks = graph.ranks(graph.edge_label(label).unwrap(), Direction::Out).unwrap().unwrap();
    move |node| {
        ranks.of(node).map(|(_, rank)| format!("{:?}", property.all(rank).collect::<Vec<_>>())).collect()
    }
}

#[test]
fn what_a_diff_changed_is_in_the_columns_of_a_folded_graph() {
    for_each_graph(0..40, |model, profile| {
        let disk = MemoryVfs::new();
        disk.put(PATH, &Draft::of(model).indexed().bytes(profile));
        let graph = OpenOptions::new().buffered().open_in(&disk, PATH).unwrap();
        let (nodes, labels) = (graph.node_count(), graph.edge_labels().to_vec());
        let mut diff = Diff::new();
        let added = [diff.add_node(&[graph.labels()[0].name.as_str()]), diff.add_node(&[])];
        for (label, node) in labels.iter().zip(0..nodes) {
            diff.add_edge(&label.name, node, added[0]);
            diff.add_edge(&label.name, added[1], nodes - 1 - node);
        }
        (0..nodes).step_by(7).skip(1).for_each(|node| diff.remove_node(node));
        if let Some(label) = labels.iter().find(|label| label.name == "CFG" && label.edges > 0) {
            diff.remove_edge(&label.name, label.edges as u32 / 2);
        }
        if graph.properties().iter().any(|info| info.name == "NAME") && nodes > 1 {
            diff.set(added[0], "NAME", ["later"]);
            diff.set(nodes.min(7) - 1, "NAME", ["later"]);
        }
        let begin = || GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
        begin().apply_with(&diff, &Task::new()).unwrap();
        check_numbers_told(&copy_of(&disk));
        let (before, after, folded) = fold(&disk);
        assert_eq!(after.verify(&Task::new()).unwrap().problems, [""; 0]);
        assert!(after.store().directory().changes.is_none());
        check_moved(&before, &after, &folded.new_of_old);
    });
}

#[test]
fn bytes_whose_table_was_that_of_a_text_stay_bytes() {
    let mut model = ModelGraph::default();
    let nodes = [0, 1].map(|_| model.add_node(&["METHOD"]));
    for (name, value) in
        [("CODE", ModelValue::string("main")), ("BYTES", ModelValue::Bytes(b"main".to_vec()))]
    {
        model.set_property(nodes[0], name, vec![value]);
    }
    let mut shared = 0;
    for profile in Profile::ALL {
        let disk = MemoryVfs::new();
        disk.put(PATH, &Draft::of(&model).turned().bytes(profile));
        let graph = OpenOptions::new().buffered().open_in(&disk, PATH).unwrap();
        let strings = |name| {
            let id = graph.property_id(name).unwrap();
            graph.store().directory().properties[id.index()].strings
        };
        shared += u32::from(strings("CODE") == strings("BYTES"));
        let mut diff = Diff::new();
        diff.set(1, "BYTES", [&b"\xff\xfe"[..]]);
        diff.set(1, "CODE", ["größe"]);
        GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH))
            .unwrap()
            .apply_with(&diff, &Task::new())
            .unwrap();
        let (_, after, _) = fold(&disk);
        assert_eq!(after.verify(&Task::new()).unwrap().problems, [""; 0]);
        let bytes = after.property("BYTES").unwrap();
        assert_eq!(bytes.strings().unwrap().get(1).unwrap().to_vec(), b"\xff\xfe");
    }
    assert!(shared > 0);
}

fn copy_of(disk: &MemoryVfs) -> MemoryVfs {
    let copy = MemoryVfs::new();
    copy.put(PATH, &disk.contents(PATH).unwrap());
    copy
}

/// A receiver that stores the maps from old to new numbers.
#[derive(Default)]
struct Told(Mutex<BTreeMap<String, Vec<u32>>>);

impl Told {
    fn keep(&self, name: &str, new_of_old: &[u32]) {
        assert_eq!(self.0.lock().unwrap().insert(name.to_owned(), new_of_old.to_vec()), None, "{name}");
    }
}

impl NewNumbers for Told {
    fn nodes(&self, new_of_old: &[u32]) -> varvite::Result<(), ChangeError> {
        self.keep("nodes", new_of_old);
        Ok(())
    }

    fn edges(&self, label: &str, new_of_old: &[u32]) -> varvite::Result<(), ChangeError> {
        self.keep(&format!("edges {label}"), new_of_old);
        Ok(())
    }

    fn complete(&self, file_id: &[u8; 16]) -> varvite::Result<(), ChangeError> {
        self.keep("file id", &file_id.map(u32::from));
        Ok(())
    }
}

/// Checks that every remaining edge has the new rank that the fold passed to the receiver, and that the fold
/// passed no new rank for other edges.
fn check_numbers_told(disk: &MemoryVfs) {
    let open = || OpenOptions::new().buffered().open_in(disk, PATH).unwrap();
    let (before, told) = (open(), Told::default());
    let vfs = Arc::new(disk.clone());
    compact_telling(vfs, Path::new(PATH), None, &told, &Task::new().threads(2)).unwrap();
    let (after, mut told) = (open(), told.0.into_inner().unwrap());
    assert_eq!(told.remove("file id").unwrap(), after.identity().file_id.map(u32::from));
    let nodes = told.remove("nodes").unwrap();
    for label in before.edge_label_ids() {
        let new_of_old = told.remove(&format!("edges {}", before.edge_labels()[label.index()].name)).unwrap();
        let [old, new] = [&before, &after].map(|graph| graph.ranks(label, Direction::Out).unwrap().unwrap());
        let mut count = 0;
        for node in (0..before.node_count()).filter(|node| nodes[*node as usize] != REMOVED) {
            let moved =
                old.of(node).map(|(target, rank)| (nodes[target as usize], new_of_old[rank as usize]));
            let moved: Vec<(u32, u32)> = moved.collect();
            assert!(moved.iter().copied().eq(new.of(nodes[node as usize])), "node {node}");
            count += moved.len();
        }
        assert_eq!(new_of_old.iter().filter(|rank| **rank != REMOVED).count(), count);
    }
    assert!(told.is_empty());
}

#[test]
fn whoever_fails_to_keep_the_new_numbers_keeps_the_old_graph() {
    struct Full;
    impl NewNumbers for Full {
        fn nodes(&self, _: &[u32]) -> varvite::Result<(), ChangeError> {
            Ok(())
        }
        fn edges(&self, _: &str, _: &[u32]) -> varvite::Result<(), ChangeError> {
            Err(varvite::GraphError::Cancelled.into())
        }
        fn complete(&self, _: &[u8; 16]) -> varvite::Result<(), ChangeError> {
            panic!("not all was told")
        }
    }
    let disk = MemoryVfs::new();
    disk.put(PATH, &Draft::of(&random(3)).bytes(Profile::Compact));
    let mut diff = Diff::new();
    diff.remove_node(1);
    let begin = || GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    begin().apply_with(&diff, &Task::new()).unwrap();
    let before = disk.contents(PATH);
    let result = compact_telling(Arc::new(disk.clone()), Path::new(PATH), None, &Full, &Task::new());
    assert!(matches!(result, Err(ChangeError::Graph(varvite::GraphError::Cancelled))), "{result:?}");
    assert_eq!(disk.contents(PATH), before);
}
