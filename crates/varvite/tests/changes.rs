//! Changes of a graph by the real writers, where every operation in turn fails, and where the power fails at every point.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite::write::{
    IndexChange, LayerChange, LayerSpec, NodeNumbers, PropertyLayer, change_indexes, change_layers,
};
use varvite::{Cancel, GraphError, Profile, StoreError, Task};
use varvite_store::Vfs;
use varvite_store::vfs::{CrashLimits, FaultPlan, FaultVfs, MemoryVfs, RecordVfs, crash_states};

use crate::draft::{Draft, PATH, open_bytes};
use crate::model::random;

const PARTIAL: &str = ".draft.varvite.partial";
const COMMITTED: &str = "committed";

/// A change of the graph at [`PATH`].
type Change = fn(Arc<dyn Vfs>, &Task<'_>) -> varvite::Result<u64>;

const CHANGES: [(&str, Change); 3] = [("index", add_index), ("layer", add_layer), ("drop", drop_index)];

fn add_index(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64> {
    let names = ["CODE".to_owned()];
    Ok(change_indexes(vfs, Path::new(PATH), IndexChange { add: &names, drop: &[] }, task)?.file_len)
}

fn drop_index(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64> {
    let names = ["NAME".to_owned()];
    Ok(change_indexes(vfs, Path::new(PATH), IndexChange { add: &[], drop: &names }, task)?.file_len)
}

fn add_layer(vfs: Arc<dyn Vfs>, task: &Task<'_>) -> varvite::Result<u64> {
    let layer = LayerSpec { name: "run", tool: "test", version: "1", source: [1; 32] };
    let properties = [NodeNumbers { name: "HOT", values: &[(0, 7), (1, 9)] }];
    let add = Some(PropertyLayer { layer, properties: &properties });
    change_layers(vfs, Path::new(PATH), LayerChange { add, drop: &[] }, task)
}

/// A small graph with an index.
fn old() -> Vec<u8> {
    let draft = Draft { indexed: vec!["NAME".to_owned()], ..Draft::of(&random(3)) };
    draft.bytes(Profile::Compact)
}

fn disk() -> MemoryVfs {
    let disk = MemoryVfs::new();
    disk.put(PATH, &old());
    disk
}

/// The file after a change that nothing disturbed.
fn new(change: Change) -> Vec<u8> {
    let disk = disk();
    change(Arc::new(disk.clone()), &Task::new()).unwrap();
    let bytes = disk.contents(PATH).unwrap();
    assert_eq!(open_bytes(&bytes).unwrap().verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    assert_ne!(bytes, old());
    bytes
}

#[test]
fn a_change_that_fails_at_any_operation_leaves_the_old_graph() {
    for (name, change) in CHANGES {
        let (old, new) = (old(), new(change));
        let counted = FaultVfs::new(Arc::new(disk()), FaultPlan::none());
        change(Arc::new(counted.clone()), &Task::new()).unwrap();
        let count = counted.operation_count();
        assert!(count > 50, "{name}: only {count} operations");
        let kind = io::ErrorKind::Other;
        for index in 0..count {
            for plan in [
                FaultPlan::fail_once(index, kind).tearing_writes(),
                FaultPlan::fail_from(index, kind).tearing_writes(),
            ] {
                let disk = disk();
                let result = change(Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan)), &Task::new());
                let expected = match &result {
                    Ok(_) | Err(GraphError::Store(StoreError::NotDurable { .. })) => &new,
                    Err(_) => &old,
                };
                assert!(
                    disk.contents(PATH).as_ref() == Some(expected),
                    "{name}, operation {index}: {result:?}"
                );
                let others = disk.paths().into_iter().filter(|path| path != Path::new(PATH));
                assert!(
                    others.into_iter().all(|path| path == Path::new(PARTIAL)),
                    "{name}, operation {index}"
                );
                if *expected == old {
                    change(Arc::new(disk.clone()), &Task::new()).unwrap();
                    assert!(disk.contents(PATH).as_ref() == Some(&new), "{name}, after operation {index}");
                    assert_eq!(disk.paths(), [Path::new(PATH)]);
                }
            }
        }
    }
}

/// A flag that is set at the look of this number.
fn at_look(number: usize) -> Cancel {
    let looks = AtomicUsize::new(0);
    Cancel::when(move || looks.fetch_add(1, Ordering::Relaxed) >= number)
}

#[test]
fn wherever_a_change_is_cancelled_it_leaves_the_old_graph_alone() {
    for (name, change) in CHANGES {
        let (old, new, mut number) = (old(), new(change), 0);
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
                assert!(disk.contents(PATH).as_ref() == Some(&new), "{name}");
                assert!(told.into_inner() > 10, "{name}");
                break;
            }
            assert!(matches!(result, Err(GraphError::Cancelled)), "{name}, look {number}: {result:?}");
            assert!(disk.contents(PATH).as_ref() == Some(&old), "{name}, look {number}");
            number += 1;
        }
        assert!(number > 20, "{name} looks {number} times");
    }
}

#[test]
fn a_change_on_a_disk_that_fills_up_leaves_the_old_graph() {
    for (name, change) in CHANGES {
        let (old, new) = (old(), new(change));
        for bytes in (0..new.len() as u64).step_by(97) {
            let disk = disk();
            let full = FaultVfs::new(Arc::new(disk.clone()), FaultPlan::disk_full_after(bytes));
            let result = change(Arc::new(full), &Task::new());
            // Zeros between segments are not written, so a disk that is a little smaller than the file will do.
            let (expected, is_ok) = if result.is_ok() { (&new, true) } else { (&old, false) };
            assert!(disk.contents(PATH).as_ref() == Some(expected), "{name}, {bytes} bytes");
            assert_eq!(disk.paths(), [Path::new(PATH)]);
            assert!(is_ok || result.unwrap_err().to_string().contains("free space"), "{name}, {bytes} bytes");
            assert!(!is_ok || bytes > new.len() as u64 / 2, "{name}, {bytes} bytes");
        }
    }
}

#[test]
fn a_change_that_loses_power_at_any_point_leaves_the_old_graph_or_the_new_one() {
    for (name, change) in CHANGES {
        let (old, new) = (old(), new(change));
        let record = RecordVfs::over(disk());
        change(Arc::new(record.clone()), &Task::new()).unwrap();
        record.mark(COMMITTED);
        let log = record.log();
        let limits = CrashLimits { exhaustive_max: 4, states_per_point_max: 100 };
        let (mut states, mut news) = (0, 0);
        for state in crash_states(&log, limits) {
            let found = state.image.contents(PATH);
            let is_new = found.as_ref() == Some(&new);
            let is_old = found.as_ref() == Some(&old) && !state.has_passed(COMMITTED);
            assert!(is_new || is_old, "{name}: {}", state.story);
            states += 1;
            news += usize::from(is_new);
            if states % 50 == 0 && is_old {
                change(Arc::new(state.image.clone()), &Task::new()).unwrap();
                assert!(
                    state.image.contents(PATH).as_ref() == Some(&new),
                    "{name}, then again: {}",
                    state.story
                );
                assert_eq!(state.image.paths(), [Path::new(PATH)]);
            }
        }
        assert!(states > 1000 && news > 0, "{name}: {states} states, {news} of them new");
    }
}
