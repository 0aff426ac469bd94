//! Compares graphs with appended and removed edges with plain lists.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{EdgeLabelId, Profile};
use varvite_model::SplitMix64;
use varvite_store::Task;
use varvite_testing::vfs::MemoryVfs;

use varvite::change::{Diff, NewNode, NodeRef};
use varvite::columns::Facts;
use varvite::compare::Digest;
use varvite::{Adjacency, Direction, Graph, OpenOptions};
use varvite::{
    columns::{EdgeLabelSpec, GraphWriter, Heat, ListsInput, WriteOptions, pair_places, subtree_sizes},
    write::{GraphChange, LayerSpec},
};
use varvite_graph::internal::ListRest;

const PATH: &str = "changed.varvite";
const NODES: u32 = 300;
const APPENDED_NODES: u32 = 40;
const LISTED: EdgeLabelId = EdgeLabelId(0);
const FOREST: EdgeLabelId = EdgeLabelId(1);

/// An edge with its number. Removed edges are recorded by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlainEdge {
    source: u32,
    target: u32,
    number: u32,
}

/// The edges of a label, in the order of the out-lists and in the order of the in-lists.
#[derive(Clone, Debug, Default)]
struct Plain {
    out: Vec<PlainEdge>,
    in_: Vec<PlainEdge>,
}

impl Plain {
    /// Random edges: some are parallel, some lead from a node to itself, and some nodes have very many. The
    /// edges have a different order in the in-lists than in the out-lists.
    fn random(rng: &mut SplitMix64) -> Self {
        let mut ends: Vec<(u32, u32)> =
            (0..1500).map(|_| (some_node(rng, NODES), some_node(rng, NODES))).collect();
        ends.sort_by_key(|(source, _)| *source);
        let edge = |(number, (source, target))| PlainEdge { source, target, number };
        let out: Vec<PlainEdge> = (0..).zip(ends).map(edge).collect();
        // Parallel edges keep their order.
        let salt = rng.next_u64();
        let mut in_ = out.clone();
        in_.sort_by_key(|edge| (edge.target, u64::from(edge.source).wrapping_add(1).wrapping_mul(salt | 1)));
        Self { out, in_ }
    }

    /// The edges of a random forest whose ids are in pre-order.
    fn forest(rng: &mut SplitMix64) -> Self {
        let mut above: Vec<u32> = Vec::new();
        let mut in_ = Vec::new();
        for node in 0..NODES {
            let depth = (rng.next_u64() % 5) as usize;
            above.truncate(above.len().saturating_sub(depth.saturating_sub(2)));
            if let Some(parent) = above.last() {
                in_.push(PlainEdge { source: *parent, target: node, number: node });
            }
            above.push(node);
        }
        let mut out = in_.clone();
        out.sort_by_key(|edge| edge.source);
        Self { out, in_ }
    }

    /// The offsets and neighbours of one direction, in the form that a writer takes.
    fn lists(&self, direction: Direction, nodes: u32) -> (Vec<u32>, Vec<u32>) {
        let (mut offsets, mut neighbors) = (vec![0], Vec::new());
        for node in 0..nodes {
            neighbors.extend(self.neighbors(direction, node).iter().map(|(neighbor, _)| *neighbor));
            offsets.push(neighbors.len() as u32);
        }
        (offsets, neighbors)
    }

    /// The neighbours of a node, each with the number of its edge.
    fn neighbors(&self, direction: Direction, node: u32) -> Vec<(u32, u32)> {
        match direction {
            Direction::Out => self
                .out
                .iter()
                .filter(|edge| edge.source == node)
                .map(|edge| (edge.target, edge.number))
                .collect(),
            Direction::In => self
                .in_
                .iter()
                .filter(|edge| edge.target == node)
                .map(|edge| (edge.source, edge.number))
                .collect(),
        }
    }

    /// Appends and removes some edges, in the model and by means of two diffs. The second diff also removes
    /// edges that the first one appends.
    fn change(&mut self, label: &str, first: u32, nodes: u32, diffs: &mut [Diff; 2], rng: &mut SplitMix64) {
        for number in first..first + 120 {
            let edge = PlainEdge { source: some_node(rng, nodes), target: some_node(rng, nodes), number };
            diffs[0].add_edge(label, node_of(edge.source), node_of(edge.target));
            self.out.push(edge);
            self.in_.push(edge);
        }
        let share = 1 + rng.next_u64() % 40;
        let is_removed = |number: u32, rng: &mut SplitMix64| {
            rng.next_u64().is_multiple_of(share) && share > 1 || number % 97 < 3
        };
        let is_removed: Vec<bool> = (0..first + 120).map(|number| is_removed(number, rng)).collect();
        for edge in self.out.iter().filter(|edge| is_removed[edge.number as usize]) {
            let is_base = edge.number < first && edge.number % 2 == 0;
            diffs[usize::from(!is_base)].remove_edge(label, edge.number);
        }
        self.out.retain(|edge| !is_removed[edge.number as usize]);
        self.in_.retain(|edge| !is_removed[edge.number as usize]);
    }
}

/// The node with this id. It is a node of the base or, if the id comes after those of the base, a node that
/// the first diff adds.
fn node_of(node: u32) -> NodeRef {
    match node.checked_sub(NODES) {
        None => NodeRef::Node(node),
        Some(number) => NodeRef::New(new_node(number)),
    }
}

/// The `number`-th node that a diff adds, counted from 0.
fn new_node(number: u32) -> NewNode {
    let mut diff = Diff::new();
    (0..number).for_each(|_| _ = diff.add_node(&[]));
    diff.add_node(&[])
}

/// A random id; low ids are more frequent than high ones.
fn some_node(rng: &mut SplitMix64, nodes: u32) -> u32 {
    let node = (rng.next_u64() % u64::from(nodes)) as u32;
    if rng.next_u64().is_multiple_of(3) { node % 7 } else { node }
}

/// Writes a graph to a file in memory. The graph has an edge label with lists, and one that is a forest.
fn write(listed: &Plain, forest: &Plain, with_places: bool, profile: Profile) -> MemoryVfs {
    let vfs = MemoryVfs::new();
    let options = WriteOptions { profile, ..WriteOptions::default() };
    let encoder = GraphWriter::encoder(&options);
    let mut writer =
        GraphWriter::create(Arc::new(vfs.clone()), Path::new(PATH), NODES, b"changed", &options).unwrap();
    writer.add_layer(&LayerSpec { name: "code", tool: "test", version: "1", source: [0; 32] });
    writer.set_label_codes(encoder.labels(&[0; NODES as usize]).unwrap(), vec![0]).unwrap();
    let (offsets, neighbors) = forest.lists(Direction::Out, NODES);
    let sizes = subtree_sizes(&offsets, &neighbors);
    match &sizes {
        Some(sizes) => writer.set_forest(encoder.forest(sizes).unwrap(), FOREST).unwrap(),
        None => writer.set_tree_label(FOREST),
    }
    for (name, plain, is_listed) in [("LISTED", listed, true), ("TREE", forest, sizes.is_none())] {
        let sides = Direction::BOTH.map(|direction| plain.lists(direction, NODES));
        let sides = sides.each_ref().map(|(offsets, neighbors)| ListsInput { offsets, neighbors });
        let places = (with_places && is_listed).then(|| pair_places(sides[0], sides[1]).unwrap());
        let places =
            places.filter(|_| name == "LISTED").map(|places| encoder.places(sides[1], &places).unwrap());
        let [out, in_] = sides.map(|lists| is_listed.then(|| encoder.adjacency(lists, Heat::Cold).unwrap()));
        let edges = plain.out.len() as u64;
        writer.add_edge_label(EdgeLabelSpec { name, layer: 0, edges, out, in_, places }).unwrap();
    }
    writer.finish().unwrap();
    vfs
}

fn apply(vfs: &MemoryVfs, diffs: &[Diff]) -> Graph {
    for diff in diffs {
        let change = GraphChange::begin(Arc::new(vfs.clone()), Path::new(PATH)).unwrap();
        change.apply_with(diff, &Task::new()).unwrap();
    }
    open(vfs)
}

fn open(vfs: &MemoryVfs) -> Graph {
    OpenOptions::new().buffered().open_in(vfs, PATH).unwrap()
}

fn check(graph: &Graph, label: EdgeLabelId, plain: &Plain, nodes: u32, with_ranks: bool) {
    let name = &graph.edge_labels()[label.index()].name;
    assert_eq!(graph.edge_labels()[label.index()].edges, plain.out.len() as u64, "{name}");
    for direction in Direction::BOTH {
        let adjacency = graph.adjacency(label, direction).unwrap();
        let lists: Vec<Vec<(u32, u32)>> = (0..nodes).map(|node| plain.neighbors(direction, node)).collect();
        let ids: Vec<Vec<u32>> = lists.iter().map(|list| list.iter().map(|(id, _)| *id).collect()).collect();
        check_lists(&adjacency, &ids);
        if direction == Direction::Out || with_ranks {
            let ranks = graph.ranks(label, direction).unwrap().unwrap();
            for (node, list) in (0..).zip(&lists) {
                assert_eq!(ranks.of(node).collect::<Vec<_>>(), *list, "{name} {direction:?} of {node}");
            }
        } else {
            assert!(graph.ranks(label, direction).unwrap().is_none());
        }
    }
    graph.check().unwrap();
}

fn check_lists(adjacency: &Adjacency, lists: &[Vec<u32>]) {
    assert_eq!(adjacency.edge_count(), lists.iter().map(Vec::len).sum::<usize>() as u64);
    for (node, list) in (0..).zip(lists) {
        assert_eq!(adjacency.neighbors(node).collect::<Vec<_>>(), *list, "one by one, of {node}");
        let mut folded = Vec::new();
        adjacency.neighbors(node).for_each(|neighbor| folded.push(neighbor));
        assert_eq!(folded, *list, "folded, of {node}");
        for taken in [1, 2, 5] {
            let mut neighbors = adjacency.neighbors(node);
            let before: Vec<u32> = neighbors.by_ref().take(taken).collect();
            folded.clear();
            neighbors.for_each(|neighbor| folded.push(neighbor));
            assert_eq!([before, folded.clone()].concat(), *list, "after {taken}, of {node}");
        }
        let mut appended = vec![7];
        adjacency.append(node, &mut appended);
        assert_eq!(appended[1..], *list, "appended, of {node}");
        for room in [1, 3, 64] {
            check_rest(adjacency, node, room, list);
        }
        assert_eq!(adjacency.degree(node), list.len(), "degree of {node}");
        assert_eq!(adjacency.first(node), list.first().copied(), "first of {node}");
        assert!(adjacency.slice(node).is_none_or(|slice| slice == list), "slice of {node}");
    }
    check_whole(adjacency, lists);
    let beyond = lists.len() as u32;
    for node in [beyond, u32::MAX] {
        assert_eq!((adjacency.neighbors(node).count(), adjacency.degree(node)), (0, 0));
        assert_eq!(adjacency.first(node), None);
    }
}

fn check_rest(adjacency: &Adjacency, node: u32, room: usize, list: &[u32]) {
    let (mut rest, mut found) = (ListRest::default(), Vec::new());
    while adjacency.append_rest(node, &mut rest, room, &mut found) {
        assert_eq!(found.len() % room, 0, "room that was left, at {node}");
    }
    assert_eq!(found, list, "by {room}, of {node}");
}

fn check_whole(adjacency: &Adjacency, lists: &[Vec<u32>]) {
    let nodes: Vec<u32> = (0..lists.len() as u32).collect();
    let backwards: Vec<u32> = nodes.iter().rev().step_by(3).copied().collect();
    for frontier in [nodes.clone(), backwards, [&nodes[..], &nodes[..]].concat()] {
        let expected: Vec<u32> = frontier.iter().flat_map(|node| &lists[*node as usize]).copied().collect();
        let mut expanded = vec![7];
        adjacency.expand(&frontier, &mut expanded);
        assert_eq!(expanded[1..], expected);
        let (mut done, mut found) = (0, Vec::new());
        while let Some(node) = frontier.get(done) {
            let before = found.len();
            let many = adjacency.append_many(&frontier[done..], before + 20, &mut found);
            done += many;
            if many == 0 {
                adjacency.append(*node, &mut found);
                done += 1;
            }
        }
        assert_eq!(found, expected);
    }
    let of_node = |(node, list): (u32, &Vec<u32>)| list.iter().map(move |id| (node, *id)).collect::<Vec<_>>();
    let expected: Vec<(u32, u32)> = (0..).zip(lists).flat_map(of_node).collect();
    let mut edges = Vec::new();
    adjacency.for_each_edge(|node, neighbor| edges.push((node, neighbor)));
    assert_eq!(edges, expected);
    let mut sources: Vec<u32> = expected.iter().map(|(node, _)| *node).collect();
    sources.dedup();
    assert_eq!(adjacency.sources().collect::<Vec<_>>(), sources);
    assert!(adjacency.sources().rev().eq(sources.iter().rev().copied()));
    let (mut both, mut found) = (adjacency.sources(), [Vec::new(), Vec::new()]);
    while let Some(first) = both.next() {
        found[0].push(first);
        let Some(last) = both.next_back() else { break };
        found[1].push(last);
    }
    found[1].reverse();
    assert_eq!(found.concat(), sources);
}

#[test]
fn edges_are_those_of_plain_lists() {
    for seed in 0..24 {
        let rng = &mut SplitMix64::new(seed);
        let (mut listed, mut forest) = (Plain::random(rng), Plain::forest(rng));
        let with_places = seed % 2 == 0;
        let profile = [Profile::Direct, Profile::Compact, Profile::Archive][seed as usize % 3];
        let vfs = write(&listed, &forest, with_places, profile);
        check(&open(&vfs), LISTED, &listed, NODES, with_places);
        check(&open(&vfs), FOREST, &forest, NODES, true);
        let mut diffs = [Diff::new(), Diff::new()];
        (0..APPENDED_NODES).for_each(|_| _ = diffs[0].add_node(&[]));
        let (first, nodes) = (listed.out.len() as u32, NODES + APPENDED_NODES);
        if seed % 4 != 3 {
            listed.change("LISTED", first, nodes, &mut diffs, rng);
        }
        if seed % 5 != 3 {
            forest.change("TREE", NODES, nodes, &mut diffs, rng);
        }
        let graph = apply(&vfs, &diffs);
        check(&graph, LISTED, &listed, nodes, with_places);
        check(&graph, FOREST, &forest, nodes, true);
    }
}

/// The edges, renumbered in the order of the out-lists, as in a newly written file.
fn renumbered(plain: &Plain) -> Plain {
    let mut anew = plain.clone();
    anew.out.sort_by_key(|edge| edge.source);
    anew
}

#[test]
fn a_graph_with_changes_has_the_digest_of_one_written_anew() {
    for seed in 0..12 {
        let rng = &mut SplitMix64::new(seed);
        let (mut listed, mut forest) = (Plain::random(rng), Plain::forest(rng));
        let profile = [Profile::Direct, Profile::Compact, Profile::Archive][seed as usize % 3];
        let vfs = write(&listed, &forest, true, profile);
        let (first, mut diffs) = (listed.out.len() as u32, [Diff::new(), Diff::new()]);
        listed.change("LISTED", first, NODES, &mut diffs, rng);
        forest.change("TREE", NODES, NODES, &mut diffs, rng);
        let changed = apply(&vfs, &diffs);
        assert_eq!(changed.verify(&Task::new()).unwrap().problems, [""; 0]);
        let anew = open(&write(&renumbered(&listed), &renumbered(&forest), true, profile));
        let digests = [&changed, &anew].map(|graph| Digest::of(graph, &Task::new()).unwrap());
        assert_eq!(digests[0], digests[1]);
        let facts = [&changed, &anew].map(|graph| Facts::of(graph, &Task::new()).unwrap());
        assert_eq!(facts[0], facts[1]);
    }
}
