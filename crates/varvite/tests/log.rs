//! Tests small commits: their results, the commits that readers see, and the behaviour of other writers while
//! there is a log.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use varvite::change::{ChangeError, ChangeFault, Diff, Durability, GraphLog, LogOptions};
use varvite::compare::Digest;
use varvite::error::StoreError;
use varvite::{Graph, GraphError, OpenOptions, Profile, Task};
use varvite::{
    columns::{LayerChange, NodeNumbers, PropertyLayer, change_layers},
    write::{GraphChange, IndexChange, LayerSpec, NewGraphOptions, change_indexes, compact, compact_to},
};
use varvite_format::{ColumnId, LogNode, LogOperationsBuilder, LogRecord, Source};
use varvite_model::{Operation, Owner};
use varvite_store::{IfExists, OpenMode};
use varvite_testing::small_graph::small_graph;
use varvite_testing::vfs::{FaultVfs, MemoryVfs};

use crate::histories::{check, diff_of, for_each_history};

pub(crate) const PATH: &str = "logged.varvite";
pub(crate) const TASK: fn() -> Task<'static> = || Task::new().threads(1);

/// A disk with a small graph without changes.
pub(crate) fn disk() -> MemoryVfs {
    let disk = MemoryVfs::new();
    disk.put(PATH, &small_graph(Profile::Compact));
    disk
}

pub(crate) fn begin(disk: &MemoryVfs, path: &str) -> GraphLog {
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(path)).unwrap();
    change.log(LogOptions::default(), &TASK()).unwrap()
}

pub(crate) fn open(disk: &MemoryVfs) -> varvite::Result<Graph> {
    OpenOptions::new().buffered().open_in(disk, PATH)
}

/// The `number`-th diff in a sequence of small diffs, counted from 1. Each adds a node and edges, and changes
/// values.
pub(crate) fn diff(number: u32) -> Diff {
    let mut diff = Diff::new();
    let node = diff.add_node(&["CALL"]);
    diff.set(node, "NAME", [format!("name {}", number % 5).as_str()]);
    diff.add_edge("CFG", number % 40, node);
    let edge = diff.add_edge("REACHING_DEF", node, (number + 1) % 40);
    diff.set(edge, "VARIABLE", ["int main"]);
    diff.set(39 - number % 3, "ORDER", [number as i32, 7]);
    if number % 4 == 3 {
        diff.remove_edge("CFG", number);
    }
    diff
}

/// The digests of the graph before the first of `count` diffs and after each of them, if each diff is a
/// commit.
pub(crate) fn digests(count: u32) -> Vec<Digest> {
    let disk = disk();
    let digest = || digest(&open(&disk).unwrap());
    let mut digests = vec![digest()];
    for number in 1..=count {
        let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
        change.apply_with(&diff(number), &TASK()).unwrap();
        digests.push(digest());
    }
    digests
}

pub(crate) fn digest(graph: &Graph) -> Digest {
    Digest::of(graph, &TASK()).unwrap()
}

fn problems(graph: &Graph) -> Vec<String> {
    graph.verify(&TASK()).unwrap().problems
}

/// Whether a record with this operation can be applied together with other records.
fn is_plain_operation(operation: &Operation) -> bool {
    match operation {
        Operation::Set { owner, .. } => !matches!(owner, Owner::Edge { .. }),
        Operation::RemoveNode(_) | Operation::RemoveEdge { .. } | Operation::Append { .. } => false,
        _ => true,
    }
}

#[test]
fn small_commits_are_what_the_model_makes_of_them() {
    let (mut records, mut commits) = (0, 0);
    let counts = (&std::cell::Cell::new(0), &std::cell::Cell::new(0));
    for_each_history(20, |history, random| {
        let log = begin(&history.disk, varvite_testing::draft::PATH);
        let mut follower = history.open();
        // Many records are applied at once if they only add elements and set values.
        let is_plain = random.below(2) == 0;
        for number in 0..6 {
            let (before, old) = (history.open(), history.model.clone());
            let mut operations = history.model.random_diff_of_all_kinds(random, 8);
            if is_plain && operations.iter().any(is_plain_operation) {
                operations.retain(is_plain_operation);
            }
            let first = history.model.slot_count() as u32;
            let (diff, edges) = diff_of(&operations, first);
            let applied = log.commit(&diff, Durability::Buffered, &TASK()).unwrap();
            let expected = history.model.apply(&operations);
            assert_eq!(applied.nodes, first..history.model.slot_count() as u32);
            let ranks = edges.iter().map(|edge| applied.edge(*edge).map(|rank| rank as usize));
            assert_eq!(ranks.collect::<Vec<_>>(), expected, "the ranks of new edges");
            let now = history.open();
            assert_eq!((now.store().log().records(), applied.record), (log.records(), log.records()));
            check(&now, &history.model);
            assert_eq!(problems(&now), [""; 0]);
            check(&before, &old);
            let moved = before.refresh().unwrap().expect("there was a commit");
            assert_eq!(moved.identity(), now.identity());
            check(&moved, &history.model);
            // A reader that refreshes after each commit sees the same graph as a reader that opens the file
            // anew.
            follower = follower.refresh().unwrap().expect("there was a commit");
            assert_eq!((follower.identity(), digest(&follower)), (now.identity(), digest(&now)));
            check(&follower, &history.model);
            assert!(now.refresh().unwrap().is_none());
            assert_eq!((before.is_behind().unwrap(), now.is_behind().unwrap()), (true, false));
            counts.0.set(counts.0.get() + u32::from(applied.record > 0));
            counts.1.set(counts.1.get() + 1);
            if number == 3 {
                log.checkpoint(&TASK()).unwrap();
                assert_eq!(history.open().store().log().records(), 0);
                check(&history.open(), &history.model);
            }
        }
        log.close(&TASK()).unwrap();
        check(&history.open(), &history.model);
        assert_eq!(history.open().store().log().records(), 0);
    });
    records += counts.0.get();
    commits += counts.1.get();
    assert!(records * 3 > commits, "{records} records in {commits} commits");
}

/// The addresses of the segments of columns and of their child columns.
fn places(graph: &Graph, columns: impl IntoIterator<Item = ColumnId>) -> Vec<*const u8> {
    let mut places = Vec::new();
    for column in columns {
        let row = graph.store().row(column).unwrap();
        let segments = row.segments.into_iter().flatten();
        places.extend(segments.map(|segment| graph.store().load(segment).unwrap().as_ptr()));
        places.extend(self::places(graph, row.children.into_iter().flatten()));
    }
    places
}

#[test]
fn a_refresh_makes_columns_of_what_changed_and_shares_the_others() {
    let disk = disk();
    let log = begin(&disk, PATH);
    (1..=9).for_each(|number| _ = log.commit(&diff(number), Durability::Buffered, &TASK()).unwrap());
    let graph = open(&disk).unwrap();
    let mut one = Diff::new();
    one.set(3, "ORDER", [5]);
    log.commit(&one, Durability::Buffered, &TASK()).unwrap();
    let moved = graph.refresh().unwrap().expect("there was a commit");
    let of_property = |graph: &Graph, name: &str| {
        let changes = graph.store().directory().changes.clone().unwrap();
        let mut row = *changes.of_property(graph.property_id(name).unwrap()).unwrap();
        places(graph, row.columns_mut().map(|column| *column))
    };
    let of_edges = |graph: &Graph, name: &str| {
        let changes = graph.store().directory().changes.clone().unwrap();
        let mut row = *changes.of_edges(graph.edge_label(name).unwrap()).unwrap();
        places(graph, row.columns_mut().map(|column| *column))
    };
    let before = of_edges(&graph, "CFG");
    assert!(!before.is_empty() && before == of_edges(&moved, "CFG"));
    let before = of_property(&graph, "NAME");
    assert!(!before.is_empty() && before == of_property(&moved, "NAME"));
    let (before, after) = (of_property(&graph, "ORDER"), of_property(&moved, "ORDER"));
    assert!(!before.is_empty() && before.iter().all(|place| !after.contains(place)));
    assert_eq!(digest(&moved), digest(&open(&disk).unwrap()));
}

#[test]
fn a_refresh_reads_as_much_behind_many_records_as_behind_few() {
    let disk = disk();
    let read = Arc::new(AtomicU64::new(0));
    let sum = Arc::clone(&read);
    let watch = move |range: Range<u64>| _ = sum.fetch_add(range.end - range.start, Ordering::Relaxed);
    let watched = FaultVfs::watched_reads(Arc::new(disk.clone()), watch);
    let log = begin(&disk, PATH);
    let (mut graph, mut reads) = (open(&disk).unwrap(), Vec::new());
    // The contents of [`diff`] repeat after some diffs. Between the two measured commits is a whole number of
    // repetitions.
    for (number, is_measured) in (1..=421).map(|number| (number, number == 61 || number == 421)) {
        if is_measured {
            graph = OpenOptions::new().buffered().open_in(&watched, PATH).unwrap();
            read.store(0, Ordering::Relaxed);
        }
        log.commit(&diff(number), Durability::Buffered, &TASK()).unwrap();
        if is_measured {
            graph = graph.refresh().unwrap().expect("there was a commit");
            reads.push(read.load(Ordering::Relaxed));
        }
    }
    assert_eq!(digest(&graph), digest(&open(&disk).unwrap()));
    assert!(reads[0] > 0 && reads[1] <= reads[0] + 128, "{reads:?}");
}

#[test]
fn texts_of_the_base_are_found_by_every_commit() {
    const NODES: u32 = 600;
    const COMMITS: u32 = 20;
    let long: String = (0..NODES).map(|number| char::from(b'a' + (number * 7 % 26) as u8)).collect();
    let disk = MemoryVfs::new();
    let mut graph = NewGraphOptions::new().vfs(Arc::new(disk.clone())).create(PATH).unwrap();
    for number in 0..NODES {
        let node = graph.add_node(&["CALL"]).unwrap();
        graph.set(node, "CODE", &long[..=number as usize]).unwrap();
    }
    graph.finish().unwrap();
    let code = open(&disk).unwrap().property_id("CODE").unwrap();
    let new_texts = |graph: &Graph| {
        let store = graph.store();
        let changes = store.directory().changes.as_ref().unwrap();
        store.row(changes.of_property(code).unwrap().strings.unwrap()).unwrap().count
    };
    let log = begin(&disk, PATH);
    let mut follower = open(&disk).unwrap();
    for number in 1..=COMMITS {
        let mut diff = Diff::new();
        diff.set(number, "CODE", [&long[..(300 + number) as usize]]);
        diff.set(100 + number, "CODE", [format!("{long}{number}").as_str()]);
        diff.set(200 + number, "CODE", [format!("{long}{}", number.div_ceil(2)).as_str()]);
        log.commit(&diff, Durability::Buffered, &TASK()).unwrap();
        follower = follower.refresh().unwrap().expect("there was a commit");
        let now = open(&disk).unwrap();
        assert_eq!((new_texts(&follower), new_texts(&now)), (number.into(), number.into()));
        assert_eq!(digest(&follower), digest(&now));
    }
    let texts = follower.property("CODE").unwrap();
    for number in 1..=COMMITS {
        assert_eq!(texts.str(number).as_deref(), Some(&long[..(300 + number) as usize]));
        assert_eq!(texts.str(100 + number).as_deref(), Some(format!("{long}{number}").as_str()));
        assert_eq!(
            texts.str(200 + number).as_deref(),
            Some(format!("{long}{}", number.div_ceil(2)).as_str())
        );
    }
}

#[test]
fn a_log_is_the_same_in_every_way_to_open_it() {
    let disk = disk();
    let log = begin(&disk, PATH);
    (1..=9).for_each(|number| _ = log.commit(&diff(number), Durability::Sync, &TASK()).unwrap());
    let expected = digests(9).pop().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(PATH);
    std::fs::write(&path, disk.contents(PATH).unwrap()).unwrap();
    for mode in [OpenMode::Mapped, OpenMode::Checked, OpenMode::Buffered] {
        let graph = OpenOptions::new().mode(mode).open(&path).unwrap();
        assert_eq!((graph.store().log().records(), digest(&graph)), (9, expected.clone()));
        assert_eq!(problems(&graph), [""; 0]);
    }
    let error = OpenOptions::new().memory_max(1_000).open(&path).unwrap_err();
    assert!(matches!(error, GraphError::Store(StoreError::OverBudget { .. })), "{error}");
}

#[test]
fn a_refused_diff_leaves_the_log_as_it_was() {
    let disk = disk();
    let log = begin(&disk, PATH);
    log.commit(&diff(1), Durability::Sync, &TASK()).unwrap();
    let bytes = disk.contents(PATH).unwrap();
    let mut bad = Diff::new();
    bad.add_node(&["CALL"]);
    bad.add_edge("REACHING_DEF", 1, 2);
    bad.set(3, "ORDER", ["no number"]);
    let mut removing = Diff::new();
    removing.remove_node(5);
    removing.add_edge("NO_SUCH", 1, 2);
    for (diff, operation) in [(bad, 2), (removing, 1)] {
        let error = log.commit(&diff, Durability::Sync, &TASK()).unwrap_err();
        let ChangeError::Operation { operation: refused, fault } = &error else { panic!("{error}") };
        assert_eq!(*refused, operation);
        assert!(matches!(fault, ChangeFault::WrongType { .. } | ChangeFault::Unknown { .. }));
        assert!(disk.contents(PATH).unwrap() == bytes);
    }
    (2..=5).for_each(|number| _ = log.commit(&diff(number), Durability::Sync, &TASK()).unwrap());
    assert_eq!(digest(&open(&disk).unwrap()), digests(5).pop().unwrap());
    log.close(&TASK()).unwrap();
    assert_eq!(digest(&open(&disk).unwrap()), digests(5).pop().unwrap());
}

#[test]
fn threads_commit_at_once_and_no_commit_is_lost() {
    let disk = disk();
    let log = begin(&disk, PATH);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let log = &log;
            scope.spawn(move || {
                for number in 0..25 {
                    let mut diff = Diff::new();
                    diff.add_edge("CFG", thread, number);
                    log.commit(&diff, Durability::Sync, &TASK()).unwrap();
                }
            });
        }
    });
    let graph = open(&disk).unwrap();
    assert_eq!(graph.store().log().records(), 100);
    let before = open(&self::disk()).unwrap();
    let [before, after] = [&before, &graph].map(|graph| graph.out("CFG").unwrap());
    for thread in 0..4 {
        let count = before.neighbors(thread).count();
        assert!(after.neighbors(thread).skip(count).eq(0..25), "each thread's in their order");
    }
}

#[test]
fn a_log_of_its_largest_size_is_replaced() {
    let disk = disk();
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).unwrap();
    let log = change.log(LogOptions::default().bytes_max(1_000), &TASK()).unwrap();
    let mut large = 0;
    for number in 1..=12 {
        large += u32::from(log.commit(&diff(number), Durability::Buffered, &TASK()).unwrap().record == 0);
        assert!(log.records() < 6);
        assert_eq!(digest(&open(&disk).unwrap()), digests(number).pop().unwrap());
    }
    assert!((2..6).contains(&large), "{large}");
}

/// A disk with a file whose log has five commits and was not closed.
pub(crate) fn disk_with_log() -> MemoryVfs {
    let disk = disk();
    let log = begin(&disk, PATH);
    (1..=5).for_each(|number| _ = log.commit(&diff(number), Durability::Sync, &TASK()).unwrap());
    drop(log);
    assert_eq!(open(&disk).unwrap().store().log().records(), 5);
    disk
}

#[test]
fn every_writer_takes_a_log_along() {
    let five = digests(6);
    let check = |disk: &MemoryVfs, expected: &Digest| {
        let graph = open(disk).unwrap();
        assert_eq!((graph.store().log().records(), &digest(&graph)), (0, expected));
        assert_eq!(problems(&graph), [""; 0]);
    };
    let vfs = |disk: &MemoryVfs| Arc::new(disk.clone());
    let path = Path::new(PATH);
    let disk = disk_with_log();
    let names = ["NAME".to_owned()];
    change_indexes(vfs(&disk), path, IndexChange { add: &names, drop: &[] }, &TASK()).unwrap();
    check(&disk, &five[5]);
    let disk = disk_with_log();
    let layer = LayerSpec { name: "run", tool: "test", version: "1", source: [1; 32] };
    let properties = [NodeNumbers { name: "HOT", values: &[(0, 7), (41, 9)] }];
    let add = Some(PropertyLayer { layer, properties: &properties });
    change_layers(vfs(&disk), path, LayerChange { add, drop: &[] }, &TASK()).unwrap();
    assert_eq!(open(&disk).unwrap().property("HOT").unwrap().number(41), Some(9));
    change_layers(vfs(&disk), path, LayerChange { add: None, drop: &["run"] }, &TASK()).unwrap();
    check(&disk, &five[5]);
    let disk = disk_with_log();
    GraphChange::begin(vfs(&disk), path).unwrap().apply_with(&diff(6), &TASK()).unwrap();
    check(&disk, &five[6]);
    let disk = disk_with_log();
    let log = begin(&disk, PATH);
    check(&disk, &five[5]);
    log.commit(&diff(6), Durability::Sync, &TASK()).unwrap();
    assert_eq!(digest(&open(&disk).unwrap()), five[6]);
    drop(log);
    let (folded, other) = (disk_with_log(), disk_with_log());
    compact(vfs(&folded), path, &TASK()).unwrap();
    compact_to(vfs(&other), path, Path::new("other"), IfExists::Refuse, &TASK()).unwrap();
    assert!(folded.contents(PATH).unwrap() == other.contents("other").unwrap());
    assert_eq!(open(&folded).unwrap().live_node_count(), 45);
}

#[test]
fn who_opened_a_file_that_was_replaced_is_told_so() {
    let disk = disk_with_log();
    let graph = open(&disk).unwrap();
    compact(Arc::new(disk.clone()), Path::new(PATH), &TASK()).unwrap();
    for error in [graph.refresh().map(drop), graph.is_behind().map(drop)].map(Result::unwrap_err) {
        assert!(matches!(error, GraphError::Store(StoreError::Replaced { .. })), "{error}");
    }
    assert_eq!(digest(&graph), digests(5).pop().unwrap());
}

/// The file of [`disk_with_log`], but with this payload in the last record.
fn with_payload(payload: &[u8]) -> Vec<u8> {
    let disk = disk();
    let before = begin(&disk, PATH);
    (1..=4).for_each(|number| _ = before.commit(&diff(number), Durability::Sync, &TASK()).unwrap());
    drop(before);
    let graph = open(&disk).unwrap();
    let (store, identity) = (graph.store(), graph.identity());
    let record = LogRecord {
        generation: identity.generation,
        number: 5,
        durable: 4,
        previous: identity.directory_hash,
        payload_len: 0,
        payload_hash: 0,
        checksum: 0,
    };
    let mut bytes = disk.contents(PATH).unwrap();
    assert_eq!(bytes.len() as u64, store.log().end());
    bytes.extend(record.to_bytes(&identity.file_id, payload).0);
    bytes
}

#[test]
fn a_record_that_makes_no_sense_is_damage_that_names_it() {
    fn names(builder: &mut LogOperationsBuilder) -> [u32; 3] {
        ["CALL", "CFG", "NO"].map(|name| builder.add_name(name))
    }
    let unknown = |builder: &mut LogOperationsBuilder| {
        let [call, _, no] = names(builder);
        builder.add_node(&[call, no]);
    };
    let missing = |builder: &mut LogOperationsBuilder| {
        names(builder);
        builder.remove_node(7);
        builder.remove_node(70);
    };
    let set_of_labels = |builder: &mut LogOperationsBuilder| {
        names(builder);
        builder.add_node(&[]);
    };
    // The four records before this one add nodes 40 to 43.
    let not_yet = |builder: &mut LogOperationsBuilder| {
        let [_, cfg, _] = names(builder);
        let node = |number| LogNode { number, is_new: false };
        builder.add_edge(cfg, node(0), node(43));
        builder.add_edge(cfg, node(0), node(44));
    };
    type Fill = fn(&mut LogOperationsBuilder);
    let cases: [(Fill, &str); 4] = [
        (not_yet, "found an invalid one at 1: there is no node 44"),
        (unknown, "found an invalid one at 0: there is no label \"NO\""),
        (missing, "found an invalid one at 1: there is no node 70"),
        (set_of_labels, "names or label sets that the graph does not have"),
    ];
    for (fill, told) in cases {
        let mut builder = LogOperationsBuilder::default();
        fill(&mut builder);
        let disk = MemoryVfs::new();
        disk.put(PATH, &with_payload(&builder.build()));
        let error = open(&disk).unwrap_err().to_string();
        assert!(error.starts_with("logged.varvite: damaged record 5 of the log: "), "{error}");
        assert!(error.contains(told), "{error}");
    }
    let disk = MemoryVfs::new();
    disk.put(PATH, &with_payload(b"no operations"));
    let error = open(&disk).unwrap_err().to_string();
    assert!(error.starts_with("logged.varvite: damaged record 5 of the log: "), "{error}");
}
