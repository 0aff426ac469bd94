//! Commits in place under failures. Power is lost at every point of three commits and of the commit after the
//! crash. Each operation in turn fails, either once or from then on. Acknowledged commits are never lost, and
//! a file is always at exactly one commit.

use std::io;
use std::path::Path;
use std::sync::Arc;

use varvite_store::{OpenMode, Result, Store, StoreError, Task};
use varvite_testing::vfs::{CrashLimits, FaultPlan, FaultVfs, MemoryVfs, RecordVfs, Recorded, crash_states};

use crate::append::{add_property, disk, properties};
use crate::sample::PATH;

const COMMITS: u32 = 3;

fn open(vfs: &MemoryVfs) -> Result<Store> {
    Store::open(vfs, Path::new(PATH), OpenMode::Buffered)
}

/// The number of commits of a file. Each commit added one property, and its values are checked. Also checks
/// that the whole file is undamaged, except for the superblock slot of a torn commit.
fn commits_of(vfs: &MemoryVfs, story: &str) -> u32 {
    let store = open(vfs).unwrap_or_else(|error| panic!("{error}: {story}"));
    let count = properties(&store).len() as u32 - 1;
    let before = properties(&open(&disk()).unwrap());
    let expected: Vec<_> = before.into_iter().chain((1..=count).map(|number| format!("P{number}"))).collect();
    assert_eq!(properties(&store), expected, "{story}");
    let problems = store.verify(&Task::new().threads(1)).unwrap().problems;
    let expected = if store.is_recovered() { 2 } else { 0 };
    assert!(problems.len() <= expected, "{problems:?}: {story}");
    count
}

/// Makes all commits from number `first` on, one after another, on a recorded disk.
fn commit_all(vfs: &RecordVfs, first: u32) {
    for number in first..=COMMITS {
        add_property(Arc::new(vfs.clone()), number).unwrap();
        vfs.mark(&number.to_string());
    }
}

const LIMITS: CrashLimits = CrashLimits { exhaustive_max: 6, states_per_point_max: 2_000 };

#[test]
fn power_lost_at_any_point_leaves_exactly_one_commit_and_none_that_was_acknowledged_is_lost() {
    let record = RecordVfs::over(disk());
    commit_all(&record, 1);
    let log = record.log();
    let mut states = crash_states(&log, LIMITS);
    let (mut count, mut second) = (0, 0);
    let mut found = [0; COMMITS as usize + 1];
    for state in states.by_ref() {
        let acknowledged = state.marks.len() as u32;
        let commits = commits_of(&state.image, &state.story);
        assert!(commits == acknowledged || commits == acknowledged + 1, "{commits}: {}", state.story);
        // The next step makes the lost commit, or the one after it, over the bytes that the crash left.
        add_property(Arc::new(state.image.clone()), commits + 1).unwrap();
        assert_eq!(commits_of(&state.image, &state.story), commits + 1, "{}", state.story);
        assert!(!open(&state.image).unwrap().is_recovered(), "{}", state.story);
        count += 1;
        found[commits as usize] += 1;
        if count % 20 == 0 && commits < COMMITS {
            second += crash_again(&state.image.durable_image(), commits + 1, &state.story);
        }
    }
    println!(
        "{count} states, {} left out; by commits: {found:?}; {second} states of second crashes",
        states.skipped()
    );
    assert_eq!(states.skipped(), 0);
    assert!(count > 500 && second > 500, "{count}, {second}");
    assert!(found.iter().all(|states| *states > 0), "{found:?}");
}

/// Loses power a second time, during the commit after `commits`. Returns the number of checked states.
fn crash_again(disk: &MemoryVfs, commits: u32, story: &str) -> u32 {
    let record = RecordVfs::over(disk.clone());
    add_property(Arc::new(record.clone()), commits + 1).unwrap();
    record.mark("committed");
    let log = record.log();
    let mut count = 0;
    for state in crash_states(&log, LIMITS) {
        let story = format!("{story}; then {}", state.story);
        let found = commits_of(&state.image, &story);
        let is_old = found == commits && !state.has_passed("committed");
        assert!(is_old || found == commits + 1, "{found} commits: {story}");
        count += 1;
    }
    count
}

/// A disk with two commits, so that both superblock slots are used.
fn disk_of_two() -> MemoryVfs {
    let disk = disk();
    (1..=2).for_each(|number| _ = add_property(Arc::new(disk.clone()), number).unwrap());
    disk
}

#[test]
fn an_operation_that_fails_leaves_the_last_commit_or_a_whole_new_one() {
    let counted = FaultVfs::new(Arc::new(disk_of_two()), FaultPlan::none());
    add_property(Arc::new(counted.clone()), 3).unwrap();
    let operations = counted.operation_count();
    let (mut runs, mut doubtful) = (0, 0);
    for index in 0..operations {
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::Other] {
            let (once, sticky) = (FaultPlan::fail_once(index, kind), FaultPlan::fail_from(index, kind));
            for plan in [once.clone(), once.tearing_writes(), sticky.clone(), sticky.tearing_writes()] {
                let disk = disk_of_two();
                let result = add_property(Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan)), 3);
                let commits = commits_of(&disk, &format!("operation {index}: {result:?}"));
                match &result {
                    // If reading one superblock fails, the other one is used.
                    Ok(_) => assert_eq!(commits, 3),
                    // If reading the superblock back fails as well, either commit may be the newest.
                    Err(StoreError::NotDurable { .. }) => {
                        assert!((2..=3).contains(&commits));
                        doubtful += 1;
                    }
                    Err(_) => assert_eq!(commits, 2, "operation {index}: {result:?}"),
                }
                add_property(Arc::new(disk.clone()), commits + 1).unwrap();
                assert_eq!(commits_of(&disk, &format!("after operation {index}")), commits + 1);
                runs += 1;
            }
        }
    }
    println!("{operations} operations, {runs} failures, {doubtful} of them of the superblock");
    assert!(operations > 20 && doubtful > 0);
}

#[test]
fn a_disk_that_fills_up_at_any_byte_leaves_the_last_commit() {
    let whole = disk_of_two();
    let before = whole.contents(PATH).unwrap().len();
    let after = add_property(Arc::new(whole), 3).unwrap();
    let written = after - before as u64 + 4096;
    let mut failed = 0;
    // Only the first bytes of the superblock have content, so once the disk has written these bytes, the file
    // has the commit.
    for bytes in 0..=written {
        let disk = disk_of_two();
        let full = FaultVfs::new(Arc::new(disk.clone()), FaultPlan::disk_full_after(bytes));
        let result = add_property(Arc::new(full), 3);
        let commits = commits_of(&disk, &format!("{bytes} bytes: {result:?}"));
        let is_in_place = matches!(result, Ok(_) | Err(StoreError::NotDurable { .. }));
        assert_eq!(commits, if is_in_place { 3 } else { 2 }, "{bytes} bytes: {result:?}");
        failed += u64::from(result.is_err());
    }
    assert_eq!(failed, written, "and what is written is what the file grew by, and a page");
}

/// A protocol with a deliberate bug: it writes the superblock before the bytes are durable. The check finds
/// the bug.
#[test]
fn a_superblock_before_the_sync_is_caught() {
    let record = RecordVfs::over(disk());
    let reordered = {
        add_property(Arc::new(record.clone()), 1).unwrap();
        let mut log = record.log();
        let is_sync = |operation: &Recorded| matches!(operation, Recorded::Sync { .. });
        let first = log.operations.iter().position(is_sync).unwrap();
        log.operations.remove(first);
        log
    };
    let lost = crash_states(&reordered, LIMITS).filter(|state| {
        let store = open(&state.image);
        store.is_ok_and(|store| {
            let whole = store.verify(&Task::new().threads(1)).unwrap().problems.is_empty();
            store.superblock().generation == 2 && !whole || store.is_recovered()
        })
    });
    assert!(lost.count() > 0);
}
