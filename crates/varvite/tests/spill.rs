//! Tests diffs with a low memory limit. They write operations to the disk, but must give the same results as
//! other diffs.

use std::io;
use std::path::Path;
use std::sync::Arc;

use varvite::change::{Applied, ChangeError, ChangeFault, Diff, Durability, PropertyOwner};
use varvite::compare::Digest;
use varvite::error::StoreError;
use varvite::write::GraphChange;
use varvite::{Cardinality, Direction, Graph, GraphError, ValueType};
use varvite_store::Vfs;
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use crate::log::{PATH, TASK, begin, disk, open};

const SCRATCH: &str = ".logged.varvite.scratch";
/// A memory limit that is much lower than the memory that the operations of [`fill`] need.
const MEMORY: usize = 1 << 14;

fn limited(vfs: &Arc<dyn Vfs>, memory: usize) -> Diff {
    Diff::with_memory(memory, Arc::clone(vfs), Path::new(PATH)).unwrap()
}

fn apply(vfs: &Arc<dyn Vfs>, diff: &Diff) -> varvite::Result<Applied, ChangeError> {
    GraphChange::begin(Arc::clone(vfs), Path::new(PATH))?.apply_with(diff, &TASK())
}

/// Adds `count` rounds of operations of every kind. Later operations undo or continue earlier ones.
fn fill(diff: &mut Diff, count: u32) {
    diff.remove_node(39);
    for number in 0..count {
        let node = diff.add_node(if number % 2 == 0 { &["CALL"] } else { &["CALL", "LATE"] });
        diff.set(node, "NAME", [format!("name {}", number % 17).as_str()]);
        diff.add_edge("CFG", node, number % 40);
        let edge = diff.add_edge(if number % 3 == 0 { "REACHING_DEF" } else { "CFG" }, number * 7 % 38, node);
        if number % 3 == 0 {
            diff.set(edge, "VARIABLE", [format!("v{number}").as_str()]);
        }
        diff.append(number % 5, "NUMBERS", [i64::from(number), -1]);
        (0..40).for_each(|other| _ = diff.add_edge("CFG", number * other % 39, node));
        if number % 50 == 49 {
            diff.clear(number % 5, "NUMBERS");
            diff.remove_edge("CFG", number / 50);
        }
    }
    diff.declare_label("LATE");
    diff.declare_property("NUMBERS", PropertyOwner::Nodes, ValueType::I64, Cardinality::List);
}

fn digest(graph: &Graph) -> Digest {
    assert_eq!(graph.verify(&TASK()).unwrap().problems, [""; 0]);
    Digest::of(graph, &TASK()).unwrap()
}

#[test]
fn a_diff_far_above_its_memory_gives_the_same_file() {
    let disks = [disk(), disk()];
    let vfs = disks.clone().map(|disk| Arc::new(disk) as Arc<dyn Vfs>);
    for round in 0..3 {
        let [mut whole, mut spilled] = [Diff::new(), limited(&vfs[1], MEMORY)];
        [&mut whole, &mut spilled].into_iter().for_each(|diff| fill(diff, 300 + round));
        assert_eq!(spilled.len(), whole.len());
        assert!(spilled.saved_bytes() > 8 * MEMORY as u64, "{}", spilled.saved_bytes());
        assert!(spilled.heap_bytes() <= MEMORY);
        if round > 0 {
            // The diffs can be applied only once: the second time, the removed nodes no longer exist.
            assert_eq!(fault(apply(&vfs[0], &whole)), fault(apply(&vfs[1], &spilled)));
            (whole, spilled) = (Diff::new(), limited(&vfs[1], MEMORY));
            for diff in [&mut whole, &mut spilled] {
                (0..2000).for_each(|number| _ = diff.add_edge("CFG", number * 7 % 38, number % 11));
                (0..10).for_each(|number| diff.remove_edge("CFG", 10 * round + number));
            }
        }
        let [of_whole, of_spilled] = [apply(&vfs[0], &whole).unwrap(), apply(&vfs[1], &spilled).unwrap()];
        assert_eq!(of_whole, of_spilled);
        assert!(disks[0].contents(PATH) == disks[1].contents(PATH), "round {round}");
    }
    assert_eq!(disks[1].contents(SCRATCH), None);
    digest(&open(&disks[1]).unwrap());
}

/// The number of the operation that was refused, and the reason.
fn fault(applied: varvite::Result<Applied, ChangeError>) -> (u64, ChangeFault) {
    let Err(ChangeError::Operation { operation, fault }) = applied else { panic!("{applied:?}") };
    (operation, fault)
}

#[test]
fn a_million_edges_are_sorted_on_the_disk_as_in_memory() {
    const EDGES: u32 = (1 << 20) + 5;
    let disks = [disk(), disk()];
    let vfs = disks.clone().map(|disk| Arc::new(disk) as Arc<dyn Vfs>);
    let before = open(&disks[0]).unwrap().out("CFG").unwrap();
    let ends = |number: u32| (number * 7 % 37, number * 11 % 40);
    for (vfs, mut diff) in [(&vfs[0], Diff::new()), (&vfs[1], limited(&vfs[1], 1 << 22))] {
        (0..EDGES).for_each(|number| _ = diff.add_edge("CFG", ends(number).0, ends(number).1));
        apply(vfs, &diff).unwrap();
        // The next commit reads the data that this one wrote.
        let mut diff = if diff.saved_bytes() > 0 { limited(vfs, 1 << 22) } else { Diff::new() };
        diff.add_edge("CFG", 3, 4);
        apply(vfs, &diff).unwrap();
    }
    assert!(disks[0].contents(PATH) == disks[1].contents(PATH));
    let graph = open(&disks[1]).unwrap();
    let label = graph.edge_label_ids().find(|id| graph.edge_labels()[id.index()].name == "CFG").unwrap();
    let ranks = graph.ranks(label, Direction::Out).unwrap().unwrap();
    let first = before.edge_count() as u32;
    for node in 0..40 {
        let appended = (0..EDGES).filter(|number| ends(*number).0 == node);
        let appended = appended.map(|number| (ends(number).1, first + number));
        let last = (node == 3).then_some((4, first + EDGES));
        let expected: Vec<(u32, u32)> = appended.chain(last).collect();
        let found: Vec<(u32, u32)> = ranks.of(node).skip(before.neighbors(node).count()).collect();
        assert!(found == expected, "node {node}");
    }
    assert_eq!(graph.verify(&TASK()).unwrap().problems, [""; 0]);
}

#[test]
fn a_disk_that_fails_while_a_diff_is_on_it_is_told_and_nothing_is_applied() {
    let work = |vfs: &Arc<dyn Vfs>| {
        let mut diff = limited(vfs, MEMORY);
        fill(&mut diff, 30);
        apply(vfs, &diff)
    };
    let old = open(&disk()).unwrap().identity();
    let good = disk();
    let counted = FaultVfs::new(Arc::new(good.clone()), FaultPlan::none());
    work(&(Arc::new(counted.clone()) as Arc<dyn Vfs>)).unwrap();
    let new = open(&good).unwrap().identity();
    for index in 0..counted.operation_count() {
        let disk = disk();
        let plan = FaultPlan::fail_once(index, io::ErrorKind::Other).tearing_writes();
        let failing: Arc<dyn Vfs> = Arc::new(FaultVfs::new(Arc::new(disk.clone()), plan));
        let result = work(&failing);
        let found = open(&disk).unwrap().identity();
        match &result {
            Ok(_) => assert_eq!(found, new, "operation {index}"),
            Err(ChangeError::Graph(GraphError::Store(StoreError::NotDurable { .. }))) => {
                assert!(found == new || found == old, "operation {index}");
            }
            Err(_) => assert_eq!(found, old, "operation {index}: {result:?}"),
        }
        // If a failed diff left a file, the next diff must remove it.
        work(&(Arc::new(disk.clone()) as Arc<dyn Vfs>)).map(drop).unwrap_or_default();
        assert_eq!(disk.contents(SCRATCH), None, "operation {index}");
    }
}

#[test]
fn many_values_are_written_from_the_disk_as_from_memory() {
    const NODES: u32 = (1 << 18) + 5;
    let disks = [disk(), disk()];
    let vfs = disks.clone().map(|disk| Arc::new(disk) as Arc<dyn Vfs>);
    let diff = |number: usize| if number == 0 { Diff::new() } else { limited(&vfs[1], 1 << 20) };
    for (number, vfs) in vfs.iter().enumerate() {
        let mut first = diff(number);
        first.declare_label("LATE");
        first.declare_property("NUMBERS", PropertyOwner::Nodes, ValueType::I64, Cardinality::List);
        for node in 0..NODES {
            let new = first.add_node(if node % 300 == 0 { &["LATE"] } else { &["CALL"] });
            first.set(new, "NAME", [format!("name {}", node * 7 % 100_003).as_str()]);
            let numbers = [i64::MIN + i64::from(node), 7];
            first.set(new, "NUMBERS", numbers[..node as usize % 3 % 2 + 1].iter().copied());
        }
        apply(vfs, &first).unwrap();
        // Further commits read the data that this one wrote: they remove much of it, add to it, and find its
        // texts.
        for round in 0..2 {
            let mut later = diff(number);
            let stays = |node: &u32| !(1_051..1_071).contains(node);
            let nodes = || (40..40 + NODES).filter(stays);
            nodes().step_by(2).for_each(|node| later.clear(node, "NUMBERS"));
            nodes().step_by(3).for_each(|node| later.append(node, "NUMBERS", [i64::from(node + round)]));
            (0..3_700).for_each(|node| later.set(node * 70, "NAME", [format!("name {node}").as_str()]));
            (0..10).for_each(|node| later.remove_node(1_051 + 10 * round + node));
            apply(vfs, &later).unwrap();
        }
    }
    assert!(disks[0].contents(PATH) == disks[1].contents(PATH));
    let graph = open(&disks[1]).unwrap();
    let (numbers, names) = (graph.property("NUMBERS").unwrap(), graph.property("NAME").unwrap());
    let name = |node: u32| names.str(node).map(|text| text.to_string());
    assert_eq!(name(40 + 71).as_deref(), Some("name 497"));
    assert_eq!(name(700).as_deref(), Some("name 10"));
    assert_eq!(name(1_057), None);
    let numbers = |node: u32| numbers.numbers(node).collect::<Vec<i64>>();
    assert_eq!(numbers(40 + 31), [i64::MIN + 31, 7]);
    assert_eq!(numbers(40 + 33), [i64::MIN + 33, 73, 74]);
    assert_eq!(numbers(40 + 36), [77]);
    assert_eq!(graph.verify(&TASK()).unwrap().problems, [""; 0]);
}

#[test]
fn removals_that_have_no_room_are_refused_and_nothing_is_applied() {
    let disk = disk();
    let vfs: Arc<dyn Vfs> = Arc::new(disk.clone());
    let before = disk.contents(PATH);
    let mut diff = limited(&vfs, 64);
    (0..30).for_each(|node| diff.remove_node(node));
    let refused = apply(&vfs, &diff);
    let Err(ChangeError::Graph(GraphError::Store(StoreError::OverBudget { limit, needed }))) = refused else {
        panic!("{refused:?}")
    };
    assert!(limit == 64 && needed > limit);
    assert_eq!(disk.contents(PATH), before);
}

#[test]
fn an_operation_that_makes_no_sense_is_told_by_its_number_wherever_it_is() {
    let disk = disk();
    let vfs: Arc<dyn Vfs> = Arc::new(disk.clone());
    let before = disk.contents(PATH);
    let mut diff = limited(&vfs, MEMORY);
    (0..500).for_each(|number| diff.set(number % 40, "NAME", ["text"]));
    diff.set(40, "NAME", ["text"]);
    (0..500).for_each(|number| diff.set(number % 40, "NAME", ["text"]));
    assert_eq!(fault(apply(&vfs, &diff)), (500, ChangeFault::NoSuchNode { node: 40, nodes: 40 }));
    assert_eq!(disk.contents(PATH), before);
}

#[test]
fn diffs_on_the_disk_are_absorbed_and_written_as_those_in_memory() {
    let vfs: Arc<dyn Vfs> = Arc::new(MemoryVfs::new());
    let filled = |mut diff: Diff| {
        fill(&mut diff, 40);
        diff
    };
    let text = |diff: &Diff| {
        let mut text = Vec::new();
        diff.write_text(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let [mut whole, mut spilled] = [filled(Diff::new()), filled(limited(&vfs, MEMORY))];
    assert_eq!(text(&spilled), text(&whole));
    assert_eq!(whole.absorb(&filled(Diff::new())), spilled.absorb(&filled(limited(&vfs, MEMORY))));
    assert_eq!((text(&spilled), spilled.len()), (text(&whole), whole.len()));
    assert_eq!(text(&spilled.clone()), text(&whole));
}

#[test]
fn a_diff_on_the_disk_is_a_large_commit_of_a_log() {
    let [logged, applied] = [disk(), disk()];
    let vfs: Arc<dyn Vfs> = Arc::new(logged.clone());
    let log = begin(&logged, PATH);
    let mut refused = limited(&vfs, MEMORY);
    (0..2000).for_each(|_| _ = refused.add_edge("CFG", 0, 1));
    refused.add_edge("CFG", 0, 1_000);
    assert!(matches!(log.commit(&refused, Durability::Sync, &TASK()), Err(ChangeError::Operation { .. })));
    let mut diff = limited(&vfs, MEMORY);
    (0..2000).for_each(|number| _ = diff.add_edge("CFG", number % 40, 1));
    assert!(diff.saved_bytes() > 0);
    assert_eq!(log.commit(&diff, Durability::Sync, &TASK()).unwrap().record, 0);
    log.close(&TASK()).unwrap();
    apply(&(Arc::new(applied.clone()) as Arc<dyn Vfs>), &diff).unwrap();
    assert_eq!(digest(&open(&logged).unwrap()), digest(&open(&applied).unwrap()));
}
