//! Tests changes of a graph with the real writers: each operation of the file system fails in turn, and power
//! is lost at every point.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite::change::{ChangeError, Diff, PropertyOwner};
use varvite::error::StoreError;
use varvite::inspect::Identity;
use varvite::{Cancel, Cardinality, GraphError, Profile, Task, ValueType};
use varvite::{
    columns::{LayerChange, NodeNumbers, PropertyLayer, change_layers},
    write::{GraphChange, IndexChange, LayerSpec, change_indexes, compact, drop_layers},
};
use varvite_store::Vfs;
use varvite_testing::draft::{Draft, PATH, open_bytes};
use varvite_testing::vfs::{CrashLimits, FaultPlan, FaultVfs, MemoryVfs, RecordVfs, crash_states};

use crate::model::random;

const PARTIAL: &str = ".draft.varvite.partial";
const COMMITTED: &str = "committed";

/// A change of the graph at [`PATH`].
type Change = fn(Arc<dyn Vfs>, &Task<'_>) -> varvite::Result<u64, ChangeError>;

const CHANGES: [(&str, Change); 8] = [
    ("index", add_index),
    ("layer", add_layer),
    ("drop", drop_index),
    ("compact", write_anew),
    ("diff", apply_diff),
    ("layer of nodes", add_node_layer),
    ("layer of nodes again", replace_node_layer),
    ("layer of nodes that goes", drop_node_layer),
];

/// The changes that report no progress, because they write no column of an edge label or property.
const TELL_NOTHING: [&str; 2] = ["drop", "layer of nodes that goes"];

/// A layer that the graph of the test has, and a second one, which declares other names.
const NODE_LAYERS: [&str; 2] = ["sites", "more"];

fn add_sites(
    vfs: Arc<dyn Vfs>,
    task: &Task<'_>,
    layer: &str,
    count: u32,
) -> varvite::Result<u64, ChangeError> {
    let own = |name: &str| format!("{layer}/{name}");
    let mut diff = Diff::new();
    diff.declare_label(&own("SITE"));
    diff.declare_edge_label(&own("AT"));
    diff.declare_property(&own("F"), PropertyOwner::Nodes, ValueType::String, Cardinality::Optional);
    for place in 0..count {
        let site = diff.add_node(&[&own("SITE")]);
        diff.add_edge(&own("AT"), site, place);
        diff.set(place, &own("F"), ["main"]);
    }
    let spec = LayerSpec { name: layer, tool: "test", version: "1", source: [1; 32] };
    Ok(GraphChange::begin(vfs, Path::new(PATH))?.add_layer(&spec, &diff, task)?.file_len)
}

fn add_node_layer(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    add_sites(vfs, task, NODE_LAYERS[1], 3)
}

fn replace_node_layer(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    add_sites(vfs, task, NODE_LAYERS[0], 2)
}

fn drop_node_layer(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    drop_layers(vfs, Path::new(PATH), &NODE_LAYERS[..1], task)
}

fn apply_diff(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    let mut diff = Diff::new();
    diff.declare_label("NEW");
    let node = diff.add_node(&["NEW"]);
    diff.add_edge("NEVER", 0, node);
    diff.set(node, "NAME", ["new"]);
    diff.remove_node(1);
    Ok(GraphChange::begin(vfs, Path::new(PATH))?.apply_with(&diff, task)?.file_len)
}

fn write_anew(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    compact(vfs, Path::new(PATH), task)
}

fn add_index(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    let names = ["CODE".to_owned()];
    Ok(change_indexes(vfs, Path::new(PATH), IndexChange { add: &names, drop: &[] }, task)?.file_len)
}

fn drop_index(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    let names = ["NAME".to_owned()];
    Ok(change_indexes(vfs, Path::new(PATH), IndexChange { add: &[], drop: &names }, task)?.file_len)
}

fn add_layer(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64, ChangeError> {
    let layer = LayerSpec { name: "run", tool: "test", version: "1", source: [1; 32] };
    let properties = [NodeNumbers { name: "HOT", values: &[(0, 7), (1, 9)] }];
    let add = Some(PropertyLayer { layer, properties: &properties });
    change_layers(vfs, Path::new(PATH), LayerChange { add, drop: &[] }, task)
}

/// The file of a small graph with an index, a layer of nodes, and the remains of a layer that was added and
/// dropped.
fn old() -> Vec<u8> {
    let draft = Draft { indexed: vec!["NAME".to_owned()], ..Draft::of(&random(3)) };
    let disk = MemoryVfs::new();
    disk.put(PATH, &draft.bytes(Profile::Compact));
    add_layer(Arc::new(disk.clone()), &Task::new()).unwrap();
    drop_layers(Arc::new(disk.clone()), Path::new(PATH), &["run"], &Task::new()).unwrap();
    add_sites(Arc::new(disk.clone()), &Task::new(), NODE_LAYERS[0], 3).unwrap();
    disk.contents(PATH).unwrap()
}

fn disk() -> MemoryVfs {
    let disk = MemoryVfs::new();
    disk.put(PATH, &old());
    disk
}

/// The identity of the file's newest commit. Checks that the file is undamaged, except that a superblock may
/// be only partly written.
fn state(disk: &MemoryVfs) -> Identity {
    let graph = open_bytes(&disk.contents(PATH).unwrap()).unwrap();
    let problems = graph.verify(&Task::new().threads(1)).unwrap().problems;
    let is_of_slot = |problem: &String| problem.contains("superblock") || problem.contains("newest commit");
    assert!(graph.store().is_recovered() || problems.is_empty(), "{problems:?}");
    assert!(problems.iter().all(is_of_slot), "{problems:?}");
    graph.identity()
}

/// The identity and the length of the file after a change without failures.
fn new(change: Change) -> (Identity, u64) {
    let disk = disk();
    let length = change(Arc::new(disk.clone()), &Task::new()).unwrap();
    assert_ne!(state(&disk), state(&self::disk()));
    (state(&disk), length)
}

#[test]
fn a_change_that_fails_at_any_operation_leaves_the_old_graph() {
    let old = state(&disk());
    for (name, change) in CHANGES {
        let (new, _) = new(change);
        let counted = FaultVfs::new(Arc::new(disk()), FaultPlan::none());
        change(Arc::new(counted.clone()), &Task::new()).unwrap();
        let count = counted.operation_count();
        assert!(count > 20, "{name}: only {count} operations");
        let kind = io::ErrorKind::Other;
        for index in 0..count {
            for plan in [
                FaultPlan::fail_once(index, kind).tearing_writes(),
                FaultPlan::fail_from(index, kind).tearing_writes(),
            ] {
                let disk = disk();
                let result = change(Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan)), &Task::new());
                let found = state(&disk);
                match &result {
                    Ok(_) => assert_eq!(found, new, "{name}, operation {index}"),
                    Err(ChangeError::Graph(GraphError::Store(StoreError::NotDurable { .. }))) => {
                        assert!(found == new || found == old, "{name}, operation {index}");
                    }
                    Err(_) => assert_eq!(found, old, "{name}, operation {index}: {result:?}"),
                }
                let others = disk.paths().into_iter().filter(|path| path != Path::new(PATH));
                assert!(
                    others.into_iter().all(|path| path == Path::new(PARTIAL)),
                    "{name}, operation {index}"
                );
                if found == old {
                    change(Arc::new(disk.clone()), &Task::new()).unwrap();
                    assert_eq!(state(&disk), new, "{name}, after operation {index}");
                    assert!(name != "compact" || disk.paths().len() == 1);
                }
            }
        }
    }
}

/// A flag that is set at the `number`-th check, counted from 0.
fn at_look(number: usize) -> Cancel {
    let looks = AtomicUsize::new(0);
    Cancel::when(move || looks.fetch_add(1, Ordering::Relaxed) >= number)
}

#[test]
fn wherever_a_change_is_cancelled_it_leaves_the_old_graph_alone() {
    let old = state(&disk());
    for (name, change) in CHANGES {
        let ((new, _), mut number) = (new(change), 0);
        loop {
            let disk = disk();
            let told = AtomicUsize::new(0);
            let cancel = at_look(number);
            let task = Task::new().threads(1).cancel(&cancel).progress(|progress| {
                assert!((1..=progress.total).contains(&progress.done), "{progress}");
                told.fetch_add(1, Ordering::Relaxed);
            });
            let result = change(Arc::new(disk.clone()), &task);
            drop(task);
            assert_eq!(disk.paths(), [Path::new(PATH)], "{name}, look {number}");
            if result.is_ok() {
                assert_eq!(state(&disk), new, "{name}");
                assert!(told.into_inner() > 0 || TELL_NOTHING.contains(&name), "{name}");
                break;
            }
            assert!(
                matches!(result, Err(ChangeError::Graph(GraphError::Cancelled))),
                "{name}, look {number}: {result:?}"
            );
            assert_eq!(state(&disk), old, "{name}, look {number}");
            number += 1;
        }
        assert!(number > 0, "{name} never looks");
    }
}

/// The test fills the disk at lengths that are this many bytes apart.
const STEP: usize = 193;

#[test]
fn a_change_on_a_disk_that_fills_up_leaves_the_old_graph() {
    let old = state(&disk());
    for (name, change) in CHANGES {
        let (new, length) = new(change);
        let mut failed = 0;
        for bytes in (0..length + 8192).step_by(STEP) {
            let disk = disk();
            let full = FaultVfs::new(Arc::new(disk.clone()), FaultPlan::disk_full_after(bytes));
            let result = change(Arc::new(full), &Task::new());
            let in_place = matches!(
                result,
                Ok(_) | Err(ChangeError::Graph(GraphError::Store(StoreError::NotDurable { .. })))
            );
            assert_eq!(state(&disk), if in_place { new } else { old }, "{name}, {bytes} bytes");
            assert_eq!(disk.paths(), [Path::new(PATH)]);
            let Err(error) = result else { continue };
            assert!(in_place || error.to_string().contains("free space"), "{name}, {bytes} bytes: {error}");
            failed += 1;
        }
        assert!(failed > 10 && failed < length / STEP as u64, "{name}: {failed}");
    }
}

#[test]
fn a_change_that_loses_power_at_any_point_leaves_the_old_graph_or_the_new_one() {
    let old = state(&disk());
    for (name, change) in CHANGES {
        let (new, _) = new(change);
        let record = RecordVfs::over(disk());
        change(Arc::new(record.clone()), &Task::new()).unwrap();
        record.mark(COMMITTED);
        let log = record.log();
        let limits = CrashLimits { exhaustive_max: 4, states_per_point_max: 100 };
        let (mut states, mut news) = (0, 0);
        for crashed in crash_states(&log, limits) {
            let found = state(&crashed.image);
            let is_old = found == old && !crashed.has_passed(COMMITTED);
            assert!(found == new || is_old, "{name}: {}", crashed.story);
            states += 1;
            news += usize::from(found == new);
            if states % 50 == 0 && is_old {
                change(Arc::new(crashed.image.clone()), &Task::new()).unwrap();
                assert_eq!(state(&crashed.image), new, "{name}, then again: {}", crashed.story);
            }
        }
        println!("{name}: {states} states");
        assert!(states > 15 && news > 0, "{name}: {states} states, {news} of them new");
    }
}

#[test]
fn a_node_that_a_diff_adds_and_removes_leaves_its_id_alone() {
    let disk = disk();
    let before = open_bytes(&disk.contents(PATH).unwrap()).unwrap().node_count();
    let mut diff = Diff::new();
    diff.declare_label("NEW");
    diff.declare_edge_label("TO");
    let nodes = [0, 1, 2].map(|_| diff.add_node(&["NEW"]));
    let (kept, left_out) = (diff.add_edge("TO", nodes[2], nodes[0]), diff.add_edge("TO", nodes[0], nodes[1]));
    diff.remove_node(before + 1);
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let applied = change.apply_with(&diff, &Task::new()).unwrap();
    assert_eq!((applied.edge(kept), applied.edge(left_out)), (Some(0), None));
    let graph = open_bytes(&disk.contents(PATH).unwrap()).unwrap();
    assert_eq!(graph.nodes("NEW").unwrap().iter().collect::<Vec<_>>(), [before, before + 2]);
    assert!(graph.is_removed(before + 1).unwrap());
    assert_eq!(graph.verify(&Task::new()).unwrap().problems, [""; 0]);
    let mut late = Diff::new();
    late.remove_node(before + 3);
    let change = GraphChange::begin(Arc::new(disk), Path::new(PATH)).unwrap();
    assert!(matches!(change.apply_with(&late, &Task::new()), Err(ChangeError::Operation { .. })));
}

#[test]
fn a_change_for_another_state_of_the_file_is_refused() {
    let disk = disk();
    let begin = || GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let seen = state(&disk);
    begin().check_identity(&seen).unwrap();
    add_index(Arc::new(disk.clone()), &Task::new()).unwrap();
    let refused = begin().check_identity(&seen);
    assert!(
        matches!(refused, Err(ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. })))),
        "{refused:?}"
    );
    begin().check_identity(&Identity::of(seen.file_id, seen.generation + 1, 0)).unwrap_err();
    begin().check_identity(&state(&disk)).unwrap();
}
