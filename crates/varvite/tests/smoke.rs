//! A short run of the fuzz target that reads whole graphs, the same every time.

use varvite::{DigestTree, Profile, Task};
use varvite_model::SplitMix64;

use crate::draft::open_bytes;
use crate::edits::edit;
use crate::read_digest::read_digest;
use crate::read_graph::read_graph;
use crate::small_graph::small_graph;

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
