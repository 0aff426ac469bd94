//! Tests the compaction of a graph while other writers commit. No commit may be lost, and every node must
//! have the id that the compaction's map from old to new ids gives.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use varvite::change::{
    BackgroundCompaction, ChangeError, CompactOptions, CompactWhen, Diff, Durability, Outgrown,
    compact_online,
};
use varvite::error::StoreError;
use varvite::write::{GraphChange, IndexChange, change_indexes};
use varvite::{Cancel, Graph, GraphError, OpenOptions, Profile, Task};
use varvite_store::vfs::RealVfs;
use varvite_store::{Operation, Vfs};
use varvite_testing::draft::PATH;
use varvite_testing::small_graph::small_graph;
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use crate::fold::check_moved;
use crate::histories::{diff_of, for_each_history};
use crate::log::{PATH as LOGGED, TASK, begin, diff, digest, disk, open};

fn options() -> CompactOptions {
    CompactOptions::default().memory_bytes(1 << 16).lock_wait(Duration::from_millis(100))
}

fn apply(disk: &MemoryVfs, path: &str, diff: &Diff) -> varvite::Result<(), ChangeError> {
    GraphChange::begin(Arc::new(disk.clone()), Path::new(path))?.apply_with(diff, &TASK()).map(drop)
}

fn compact(
    vfs: Arc<dyn Vfs>,
    path: &str,
) -> varvite::Result<Option<varvite::change::Compacted>, ChangeError> {
    compact_online(vfs, Path::new(path), &options(), &TASK())
}

/// A file system in which another writer commits one of `diffs` before every `every`th operation, unless the
/// graph is locked.
fn meddled(
    disk: &MemoryVfs,
    path: &'static str,
    every: u64,
    diffs: &Arc<Mutex<VecDeque<Diff>>>,
) -> Arc<dyn Vfs> {
    let (below, diffs) = (disk.clone(), Arc::clone(diffs));
    let watch = move |number: u64, _| {
        if number % every != every - 1 {
            return;
        }
        let mut diffs = diffs.lock().unwrap();
        let Some(diff) = diffs.front() else { return };
        match apply(&below, path, diff) {
            Ok(()) => _ = diffs.pop_front(),
            Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. }))) => {}
            Err(error) => panic!("{error}"),
        }
    };
    Arc::new(FaultVfs::watched(Arc::new(disk.clone()), watch))
}

#[test]
fn what_is_committed_meanwhile_is_in_the_new_file() {
    let rounds = Mutex::new([0; 6]);
    for_each_history(40, |history, random| {
        if random.below(5) > 0 {
            let operations = history.model.random_diff_of_all_kinds(random, 30);
            history.step(&operations);
        }
        // The graph gets changes first, because otherwise there would be nothing to compact.
        let operations = history.model.random_diff_of_all_kinds(random, 10);
        history.step(&operations);
        let (disk, every) = (MemoryVfs::new(), 3 + random.below(300) as u64);
        disk.put(PATH, &history.disk.contents(PATH).unwrap());
        let (mut diffs, mut states) = (VecDeque::new(), vec![history.disk.contents(PATH).unwrap()]);
        for _ in 0..6 {
            let operations = history.model.random_diff_of_all_kinds(random, 15);
            diffs.push_back(diff_of(&operations, history.model.slot_count() as u32).0);
            history.step(&operations);
            states.push(history.disk.contents(PATH).unwrap());
        }
        let diffs = Arc::new(Mutex::new(diffs));
        let compacted = compact(meddled(&disk, PATH, every, &diffs), PATH).unwrap();
        let committed = 6 - diffs.lock().unwrap().len();
        let before = MemoryVfs::new();
        before.put(PATH, &states[committed]);
        let [before, after] =
            [&before, &disk].map(|disk| OpenOptions::new().buffered().open_in(disk, PATH).unwrap());
        // If no changes were left to compact, the file is unchanged.
        let Some(compacted) = compacted else { return assert_eq!(before.identity(), after.identity()) };
        rounds.lock().unwrap()[compacted.rounds as usize] += 1;
        let new_of_old = compacted.new_of_old.unwrap_or_else(|| (0..before.node_count()).collect());
        check_moved(&before, &after, &new_of_old);
        assert_eq!(after.verify(&TASK()).unwrap().problems, [""; 0]);
        assert_eq!(disk.paths().len(), 1, "{:?}", disk.paths());
    });
    let rounds = rounds.into_inner().unwrap();
    assert!(rounds[0] > 0 && rounds[1] > 0 && rounds[2..].iter().sum::<u32>() > 0, "{rounds:?}");
}

#[test]
fn a_graph_within_its_budget_is_left_alone() {
    let disk = disk();
    let is_left = |when| {
        let before = disk.contents(LOGGED);
        let options = options().when(when);
        let compacted = compact_online(Arc::new(disk.clone()), Path::new(LOGGED), &options, &TASK()).unwrap();
        assert_eq!(compacted.is_none(), disk.contents(LOGGED) == before);
        compacted.is_none()
    };
    let fresh = Outgrown::of(&open(&disk).unwrap());
    assert!(fresh.beyond < fresh.base, "{fresh:?}");
    assert!(is_left(CompactWhen::Changed) && is_left(CompactWhen::OverPercent(100)));
    (1..=40).for_each(|number| apply(&disk, LOGGED, &diff(number)).unwrap());
    let grown = Outgrown::of(&open(&disk).unwrap());
    assert!(grown.beyond > grown.base, "{grown:?}");
    assert!(is_left(CompactWhen::OverBytes(grown.beyond)));
    assert!(is_left(CompactWhen::OverPercent((grown.beyond * 100 / grown.base) as u32 + 1)));
    assert!(!is_left(CompactWhen::OverPercent(100)));
    assert!(Outgrown::of(&open(&disk).unwrap()).beyond < grown.beyond / 2);
    assert!(is_left(CompactWhen::Changed));
}

#[test]
fn a_log_is_taken_up_and_one_that_is_held_is_waited_for_in_vain() {
    let disk = disk();
    let log = begin(&disk, LOGGED);
    (1..=5).for_each(|number| _ = log.commit(&diff(number), Durability::Sync, &TASK()).unwrap());
    let before = open(&disk).unwrap().identity();
    let busy = compact(Arc::new(disk.clone()), LOGGED);
    assert!(matches!(busy, Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. })))), "{busy:?}");
    assert_eq!(open(&disk).unwrap().identity(), before);
    drop(log);
    let before = open(&disk).unwrap();
    let compacted = compact(Arc::new(disk.clone()), LOGGED).unwrap().unwrap();
    check_moved(&before, &open(&disk).unwrap(), &compacted.new_of_old.unwrap());
    assert_eq!(open(&disk).unwrap().store().log().records(), 0);
}

#[test]
fn two_compactions_of_a_graph_do_not_meet() {
    let disk = disk();
    apply(&disk, LOGGED, &diff(1)).unwrap();
    let (below, other) = (disk.clone(), Arc::new(Mutex::new(None)));
    let told = Arc::clone(&other);
    let watch = move |number, _| {
        if number == 40 {
            *told.lock().unwrap() = Some(compact(Arc::new(below.clone()), LOGGED));
        }
    };
    compact(Arc::new(FaultVfs::watched(Arc::new(disk.clone()), watch)), LOGGED).unwrap().unwrap();
    let other = other.lock().unwrap().take();
    assert!(
        matches!(other, Some(Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. }))))),
        "{other:?}"
    );
}

/// Tests that a compaction never mixes two histories. Both files were made from the same input, so they
/// have the same id. The second file has more commits, and other nodes under the ids of the first. A program
/// without a lock gives it the name at any moment, except between the last check and the rename, when
/// nothing can notice it.
#[test]
fn a_file_that_takes_the_name_during_a_compaction_keeps_its_own_commits() {
    let filled = |numbers: Range<u32>| {
        let disk = disk();
        numbers.for_each(|number| apply(&disk, LOGGED, &diff(number)).unwrap());
        disk
    };
    let compacted = |disk: &MemoryVfs| {
        _ = compact(Arc::new(disk.clone()), LOGGED).unwrap();
        digest(&open(disk).unwrap())
    };
    let other = filled(10..20);
    let bytes = Arc::new(other.contents(LOGGED).unwrap());
    let (expected, mut operations) = (compacted(&other), 0);
    loop {
        let disk = filled(1..4);
        let (below, bytes) = (disk.clone(), Arc::clone(&bytes));
        let was_late = Arc::new(AtomicBool::new(false));
        let late = Arc::clone(&was_late);
        let watch = move |number, operation| match operation {
            _ if number != operations => {}
            Operation::Rename => late.store(true, Ordering::Relaxed),
            _ => below.put(LOGGED, &bytes),
        };
        let watched = FaultVfs::watched(Arc::new(disk.clone()), watch);
        let result = compact(Arc::new(watched.clone()), LOGGED);
        if watched.operation_count() <= operations {
            break;
        }
        let is_expected = was_late.load(Ordering::Relaxed) || compacted(&disk) == expected;
        assert!(is_expected, "operation {operations}: {result:?}");
        operations += 1;
    }
    assert!(operations > 20, "{operations}");
}

/// Tests that a compaction gives the file another id, even if the graph had no changes when it began: nodes
/// that were added and removed meanwhile are left out, so later nodes get other ids.
#[test]
fn a_diff_of_numbers_from_before_a_compaction_of_an_unchanged_graph_is_refused() {
    let disk = disk();
    let (mut add, mut remove, mut late) = (Diff::new(), Diff::new(), Diff::new());
    add.add_node(&["CALL"]);
    remove.remove_node(40);
    let (below, seen) = (disk.clone(), Arc::new(Mutex::new(None)));
    let commit = Arc::clone(&seen);
    let watch = move |number, _| {
        if number == 40 {
            [&add, &remove, &diff(1)].iter().for_each(|diff| apply(&below, LOGGED, diff).unwrap());
            *commit.lock().unwrap() = Some(open(&below).unwrap());
        }
    };
    let options = options().when(CompactWhen::OverBytes(0));
    let vfs = Arc::new(FaultVfs::watched(Arc::new(disk.clone()), watch));
    compact_online(vfs, Path::new(LOGGED), &options, &TASK()).unwrap().unwrap();
    late.made_for(seen.lock().unwrap().as_ref().expect("the commits were made"));
    late.set(41, "ORDER", [7]);
    let refused = apply(&disk, LOGGED, &late);
    assert!(
        matches!(refused, Err(ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. })))),
        "{refused:?}"
    );
}

#[test]
fn an_index_that_comes_meanwhile_is_taken_over_by_the_next_attempt() {
    let disk = disk();
    apply(&disk, LOGGED, &diff(1)).unwrap();
    let below = disk.clone();
    let watch = move |number, _| {
        if number == 40 {
            let change = IndexChange { add: &["NAME".to_owned()], ..IndexChange::default() };
            change_indexes(Arc::new(below.clone()), Path::new(LOGGED), change, &TASK()).unwrap();
        }
    };
    let vfs = Arc::new(FaultVfs::watched(Arc::new(disk.clone()), watch));
    compact(vfs, LOGGED).unwrap().unwrap();
    let graph = open(&disk).unwrap();
    assert_eq!(graph.indexed_properties().count(), 1);
    assert_eq!(graph.verify(&TASK()).unwrap().problems, [""; 0]);
}

#[test]
fn a_diff_of_numbers_from_before_a_compaction_is_refused() {
    let disk = disk();
    apply(&disk, LOGGED, &diff(1)).unwrap();
    let mut late = Diff::new();
    late.made_for(&open(&disk).unwrap());
    late.set(40, "ORDER", [7]);
    apply(&disk, LOGGED, &late).unwrap();
    compact(Arc::new(disk.clone()), LOGGED).unwrap().unwrap();
    let refused = apply(&disk, LOGGED, &late);
    assert!(
        matches!(refused, Err(ChangeError::Graph(GraphError::Store(StoreError::Replaced { .. })))),
        "{refused:?}"
    );
    late.made_for(&open(&disk).unwrap());
    apply(&disk, LOGGED, &late).unwrap();
}

/// Tests that, whichever operation fails, the graph still has all commits afterwards, and the next compaction
/// succeeds.
#[test]
fn every_operation_that_fails_leaves_the_graph_with_all_commits() {
    let work = |disk: &MemoryVfs, vfs: Arc<dyn Vfs>| {
        let diffs: VecDeque<Diff> = (2..4).map(diff).collect();
        let diffs = Arc::new(Mutex::new(diffs));
        let result = compact(meddled_over(vfs, disk, &diffs), LOGGED);
        while let Some(diff) = diffs.lock().unwrap().pop_front() {
            apply(disk, LOGGED, &diff).unwrap();
        }
        result
    };
    let filled = || {
        let disk = disk();
        apply(&disk, LOGGED, &diff(1)).unwrap();
        disk
    };
    let good = filled();
    let counted = FaultVfs::new(Arc::new(good.clone()), FaultPlan::none());
    work(&good, Arc::new(counted.clone())).unwrap().unwrap();
    let content = |disk: &MemoryVfs| {
        let graph = open(disk).unwrap();
        assert_eq!(graph.verify(&TASK()).unwrap().problems, [""; 0]);
        digest(&graph)
    };
    _ = compact(Arc::new(good.clone()), LOGGED).unwrap();
    let expected = (open(&good).unwrap().live_node_count(), content(&good));
    for index in 0..counted.operation_count() {
        for plan in [
            FaultPlan::fail_once(index, io::ErrorKind::Other).tearing_writes(),
            FaultPlan::fail_from(index, io::ErrorKind::StorageFull),
        ] {
            let disk = filled();
            let result = work(&disk, Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan)));
            let graph = open(&disk).unwrap();
            assert_eq!(graph.live_node_count(), expected.0, "operation {index}: {result:?}");
            drop(graph);
            _ = compact(Arc::new(disk.clone()), LOGGED).unwrap();
            assert_eq!(content(&disk), expected.1, "operation {index}: {result:?}");
            assert_eq!(disk.paths(), [Path::new(LOGGED)], "operation {index}");
        }
    }
}

fn meddled_over(vfs: Arc<dyn Vfs>, disk: &MemoryVfs, diffs: &Arc<Mutex<VecDeque<Diff>>>) -> Arc<dyn Vfs> {
    let (below, diffs) = (disk.clone(), Arc::clone(diffs));
    Arc::new(FaultVfs::watched(vfs, move |number, _| {
        if number % 25 == 24
            && let Some(diff) = diffs.lock().unwrap().pop_front()
            && apply(&below, LOGGED, &diff).is_err()
        {
            diffs.lock().unwrap().push_front(diff);
        }
    }))
}

#[test]
fn a_compaction_that_is_cancelled_leaves_nothing() {
    let disk = disk();
    apply(&disk, LOGGED, &diff(1)).unwrap();
    let before = disk.contents(LOGGED);
    let cancel = Cancel::default();
    let (task, options) = (TASK().cancel(&cancel), options().bytes_per_second(1_000));
    let began = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            cancel.cancel();
        });
        let cancelled = compact_online(Arc::new(disk.clone()), Path::new(LOGGED), &options, &task);
        assert!(matches!(cancelled, Err(ChangeError::Graph(GraphError::Cancelled))), "{cancelled:?}");
    });
    assert!(began.elapsed() < Duration::from_secs(5), "at its rate it takes a minute");
    assert_eq!(disk.contents(LOGGED), before);
    assert_eq!(disk.paths().len(), 1, "{:?}", disk.paths());
}

#[test]
fn a_thread_compacts_when_it_is_told_of_commits() {
    let disk = disk();
    let (sender, receiver) = mpsc::channel();
    let (options, never) = (options().when(CompactWhen::OverPercent(100)), Duration::MAX);
    let tell = move |outcome| sender.send(outcome).unwrap();
    let compaction =
        BackgroundCompaction::start(Arc::new(disk.clone()), LOGGED.into(), options, never, tell).unwrap();
    let mut number = 0;
    let compacted = loop {
        number += 1;
        loop {
            match apply(&disk, LOGGED, &diff(number)) {
                Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. }))) => {
                    std::thread::sleep(Duration::from_millis(1))
                }
                applied => break applied.unwrap(),
            }
        }
        compaction.look();
        match receiver.recv_timeout(Duration::from_millis(20)) {
            Ok(outcome) => break outcome.unwrap(),
            Err(_) => assert!(number < 500, "it has outgrown its budget long since"),
        }
    };
    assert!(compacted.new_of_old.is_some());
    compaction.stop();
    let nodes = open(&disk).unwrap().live_node_count();
    assert_eq!(nodes, 40 + number);
}

/// The environment variable that makes a process commit until its input ends. Its value is the path of the
/// file.
const WRITER: &str = "VARVITE_ONLINE_WRITER";
/// The number of compactions while another process commits.
const COMPACTIONS: u32 = 5;

#[test]
fn another_process_commits_all_the_time_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    std::fs::write(&path, small_graph(Profile::Compact)).unwrap();
    let mut writer = Command::new(std::env::current_exe().unwrap())
        .args(["online::commit_until_told", "--exact", "--nocapture"])
        .env(WRITER, &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with(":1 ")), "it commits");
    let (mut rounds, held) = (0, Graph::open(&path).unwrap());
    let nodes = held.node_count();
    for _ in 0..COMPACTIONS {
        let compacted = loop {
            let options = CompactOptions::default().bytes_per_second(1 << 20);
            if let Some(compacted) = compact_online(Arc::new(RealVfs), &path, &options, &TASK()).unwrap() {
                break compacted;
            }
        };
        rounds += compacted.rounds;
        // A reader that opens the graph now finds every known commit exactly once.
        commits_of(&Graph::open(&path).unwrap());
    }
    assert!(rounds > 0, "the other process committed meanwhile");
    assert_eq!(
        (held.node_count(), held.check().is_ok()),
        (nodes, true),
        "whoever holds the old file keeps it"
    );
    drop(writer.stdin.take());
    let last = lines.filter_map(|line| line.strip_prefix(':')?.split(' ').next()?.parse::<u32>().ok()).last();
    assert!(writer.wait().unwrap().success());
    let graph = Graph::open(&path).unwrap();
    assert_eq!(commits_of(&graph), last.unwrap());
    assert_eq!(graph.verify(&TASK()).unwrap().problems, [""; 0]);
}

/// The number of commits that a graph contains. Checks that each commit added a node with the commit's
/// number, and an edge to this node from a node that is never removed.
fn commits_of(graph: &Graph) -> u32 {
    let (order, calls) = (graph.property("ORDER").unwrap(), graph.out("CFG").unwrap());
    let root = (0..graph.node_count()).find(|node| order.number(*node) == Some(-77)).unwrap();
    let orders: Vec<i64> =
        calls.neighbors(root).filter_map(|node| order.number(node)).filter(|order| *order >= 1000).collect();
    assert!(orders.iter().copied().eq((1..=orders.len() as i64).map(|number| 999 + number)), "{orders:?}");
    graph.check().unwrap();
    orders.len() as u32
}

/// The work of the process that the test above starts. In other processes, this test does nothing.
#[test]
fn commit_until_told() {
    let Some(path) = std::env::var_os(WRITER) else { return };
    let is_over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = Arc::clone(&is_over);
    std::thread::spawn(move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        flag.store(true, std::sync::atomic::Ordering::Release);
    });
    let (mut number, mut waits) = (0u32, 0u32);
    while !is_over.load(std::sync::atomic::Ordering::Acquire) || number == 0 {
        // The ids in the diff are those of the graph as opened here. If the graph is compacted before the
        // commit, the commit fails.
        let graph = Graph::open(&path).unwrap();
        let order = graph.property("ORDER").unwrap();
        let root = (0..graph.node_count()).find(|node| order.number(*node) == Some(-77)).unwrap_or(0);
        let mut diff = Diff::new();
        diff.made_for(&graph);
        diff.set(root, "ORDER", [-77]);
        let node = diff.add_node(&["CALL"]);
        diff.set(node, "ORDER", [1000 + number]);
        diff.add_edge("CFG", root, node);
        let change = GraphChange::begin(Arc::new(RealVfs), Path::new(&path));
        match change.and_then(|change| change.apply_with(&diff, &Task::new().threads(1))) {
            Ok(_) => {
                number += 1;
                println!("\n:{number} {waits}");
            }
            Err(ChangeError::Graph(GraphError::Store(
                StoreError::Busy { .. } | StoreError::Replaced { .. },
            ))) => waits += 1,
            Err(error) => panic!("{error}"),
        }
    }
}
