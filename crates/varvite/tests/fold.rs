//! A graph that is written anew is the same graph.

use std::path::Path;
use std::sync::Arc;

use varvite::change::Diff;
use varvite::write::{Folded, GraphChange};
use varvite::{Digest, Direction, Graph, OpenOptions, Profile, Task, Value};
use varvite_store::vfs::MemoryVfs;

use crate::draft::{Draft, PATH};
use crate::model::for_each_graph;

/// Folds a file, and opens what it was and what it is.
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

/// Everything that is left is where the map of ids says.
fn check_moved(before: &Graph, after: &Graph, new_of_old: &[u32]) {
    let new = |old: u32| new_of_old[old as usize];
    let living = || (0..before.node_count()).filter(|node| new(*node) != u32::MAX);
    assert_eq!(living().count() as u32, after.node_count());
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
            Value::Ref(node) => format!("{:?}", node.map(new).filter(|node| *node != u32::MAX)),
            value => format!("{value:?}"),
        };
        let info = &before.properties()[id.index()];
        if info.edge_label.is_some() {
            continue;
        }
        let properties = [before, after].map(|graph| graph.property(&info.name).unwrap());
        for node in living() {
            let moved: Vec<String> = properties[0].all(node).map(told).collect();
            let now = properties[1].all(new(node)).map(|value| match value {
                Value::Ref(node) => format!("{node:?}"),
                value => format!("{value:?}"),
            });
            let now: Vec<String> = now.collect();
            assert_eq!(moved, now, "{} of node {node}", info.name);
        }
    }
    before.check().unwrap();
    after.check().unwrap();
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
        if graph.properties().iter().any(|info| info.name == "NAME") && nodes > 1 {
            diff.set(added[0], "NAME", ["later"]);
            diff.set(nodes.min(7) - 1, "NAME", ["later"]);
        }
        let begin = || GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
        begin().apply(&diff, &Task::new()).unwrap();
        let (before, after, folded) = fold(&disk);
        assert_eq!(after.verify(&Task::new()).unwrap().problems, [""; 0]);
        assert!(after.store().directory().changes.is_none());
        check_moved(&before, &after, &folded.new_of_old);
    });
}
