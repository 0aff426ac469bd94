//! Short runs of the fuzz targets. Every run has the same inputs.

use varvite::compare::DigestTree;
use varvite::{Profile, Task};
use varvite_model::SplitMix64;
use varvite_testing::draft::open_bytes;
use varvite_testing::edits::edit;
use varvite_testing::small_graph::small_graph;
use varvite_testing::targets::diff::{apply_bytes, apply_operations, apply_text};
use varvite_testing::targets::graph::read_graph;
use varvite_testing::targets::log::open_with_log;
use varvite_testing::targets::read_digest::read_digest;

#[test]
fn any_edits_of_a_graph_are_survived() {
    let graphs = Profile::ALL.map(small_graph);
    let mut random = SplitMix64::new(1);
    for case in 0..2000 {
        let edits: Vec<u8> = (0..4 + random.below(36)).map(|_| random.below(256) as u8).collect();
        let mut bytes = graphs[case % graphs.len()].clone();
        edit(&mut bytes, &edits);
        read_graph(&bytes);
    }
}

#[test]
fn any_operations_are_applied_as_a_whole_or_not_at_all() {
    let graphs = Profile::ALL.map(small_graph);
    let mut random = SplitMix64::new(2);
    for case in 0..3000 {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.below(256) as u8).collect();
        apply_operations(&graphs[case % graphs.len()], &bytes);
    }
}

#[test]
fn any_bytes_are_a_diff_or_refused() {
    let graphs = Profile::ALL.map(small_graph);
    let mut random = SplitMix64::new(5);
    for case in 0..6000 {
        let len = 120 + 3 * random.below(4);
        let bytes: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
        apply_bytes(&graphs[case % graphs.len()], &bytes);
    }
}

#[test]
fn any_records_of_a_log_are_taken_up_or_refused() {
    let graphs = Profile::ALL.map(small_graph);
    let mut random = SplitMix64::new(4);
    for case in 0..3000 {
        let mut bytes = Vec::new();
        for _ in 0..random.below(4) {
            let count = 1 + random.below(3);
            let mut operations = Vec::new();
            (0..count).for_each(|_| push_operation(&mut operations, &mut random));
            if random.below(4) == 0 {
                let at = random.below(operations.len());
                operations[at] = random.below(256) as u8;
            }
            bytes.extend([count as u8, operations.len() as u8]);
            bytes.extend(operations);
        }
        open_with_log(&graphs[case % graphs.len()], &bytes);
    }
}

/// Appends an operation in the form that docs/format.md describes. The operation may be valid or invalid.
fn push_operation(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    let number = |number: usize| (number as u32).to_le_bytes();
    let node = |random: &mut SplitMix64| [vec![0], number(random.below(41)).to_vec()].concat();
    match random.below(6) {
        0 => bytes.extend([vec![0], number(1).to_vec(), number(random.below(2)).to_vec()].concat()),
        1 => {
            let label = [2, 4][random.below(2)];
            bytes.extend([vec![1], number(label).to_vec(), node(random), node(random)].concat());
        }
        2 => bytes.extend([vec![2], number(random.below(41)).to_vec()].concat()),
        3 => bytes.extend([vec![3], number(2).to_vec(), number(random.below(60)).to_vec()].concat()),
        4 => {
            let text = [vec![6], number(3).to_vec(), b"new".to_vec()].concat();
            bytes.extend([vec![4], node(random), number(5).to_vec(), number(1).to_vec(), text].concat());
        }
        _ => {
            let value = [vec![2], (random.below(99) as i64).to_le_bytes().to_vec()].concat();
            bytes.extend([vec![5], node(random), number(6).to_vec(), number(1).to_vec(), value].concat());
        }
    }
}

#[test]
fn any_edits_of_a_diff_are_survived() {
    let graphs = Profile::ALL.map(small_graph);
    let mut random = SplitMix64::new(3);
    for case in 0..3000 {
        let mut text = DIFF.as_bytes().to_vec();
        for _ in 0..random.below(4) {
            let at = random.below(text.len());
            match random.below(4) {
                0 => text[at] = random.below(256) as u8,
                1 => text.truncate(at + 1),
                2 => _ = text.remove(at),
                _ => text.insert(at, random.pick(b"{}[]\",:0919\n")),
            }
        }
        apply_text(&graphs[case % graphs.len()], &text);
    }
}

/// A diff with every kind of operation.
const DIFF: &str = r#"{"declare_label": "NEW"}
{"declare_edge_label": "EDGE"}
{"declare_property": {"name": "WEIGHT", "type": "f64", "cardinality": "optional", "edge_label": "EDGE"}}
{"add_node": {"name": "a", "labels": ["NEW", "CALL"], "properties": {"NAME": "x", "ORDER": [1, 2]}}}

{"add_edge": {"label": "EDGE", "from": 3, "to": "a", "name": "e", "properties": {"WEIGHT": 0.5}}}
{"set": {"edge": "e", "property": "WEIGHT", "value": {"float": "NaN"}}}
{"set": {"node": 2, "property": "NAME", "value": null}}
{"append": {"node": 2, "property": "EVIDENCE", "value": [{"node": "a"}, {"node": 5}, null]}}
{"clear": {"node": 6, "property": "ORDER"}}
{"remove_edge": {"label": "CFG", "rank": 3}}
{"remove_node": 9}
"#;

#[test]
fn the_diff_that_edits_start_from_is_applied() {
    let read = varvite::change::DiffText::read(DIFF.as_bytes()).unwrap();
    assert_eq!((read.diff.len(), read.line_of(3), read.line_of(6)), (14, 4, 6));
    apply_text(&small_graph(Profile::Direct), DIFF.as_bytes());
}

#[test]
fn the_graph_that_edits_start_from_is_sound() {
    for profile in Profile::ALL {
        let graph = open_bytes(&small_graph(profile)).unwrap();
        assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
    }
}

#[test]
fn any_edits_of_a_digest_are_survived() {
    let graph = open_bytes(&small_graph(Profile::Compact)).unwrap();
    let digest = DigestTree::of(&graph, &Task::new()).unwrap().to_bytes();
    let mut random = SplitMix64::new(2);
    for _ in 0..2000 {
        let mut bytes = digest.clone();
        for _ in 0..1 + random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] = [0, 1, 2, 0xff, random.below(256) as u8][random.below(5)];
        }
        bytes.truncate(bytes.len() - random.below(2) * 36);
        read_digest(&bytes);
    }
}
