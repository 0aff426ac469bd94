//! Tests random diffs on random graphs. After each diff, every answer must equal the model's, and a reader
//! that opened the graph before the diff must keep its snapshot. If a diff is invalid, the error must have
//! the number of the invalid operation, and no byte of the file may change.

use std::path::Path;
use std::sync::Arc;

use varvite::change::{
    Applied, ChangeError, ChangeFault, Diff, ElementRef, NewEdge, NewNode, NewValue, NodeRef, PropertyOwner,
};
use varvite::write::GraphChange;
use varvite::{Adjacency, Cardinality, Direction, Graph, OpenOptions, Profile, Property, Task, ValueType};
use varvite_model::{
    AST, ModelGraph, ModelHistory, NodeId, Operation, Owner, RandomGraph, SplitMix64, Value,
};
use varvite_store::Vfs;
use varvite_testing::draft::{Draft, PATH};
use varvite_testing::vfs::MemoryVfs;

use crate::model::{is_same, random};
use crate::pipeline::tables;

const EDGE_PROPERTY: (&str, &str) = (RandomGraph::EDGE_PROPERTY_LABEL, RandomGraph::EDGE_PROPERTY_NAME);
/// The number of histories that are tested in every profile.
const SEEDS: u64 = 60;
const DIFFS: usize = 4;
const OPERATIONS: usize = 30;

/// A graph, both as a file and as the model. Every diff changes both.
pub(crate) struct History {
    pub(crate) disk: MemoryVfs,
    pub(crate) model: ModelHistory,
}

impl History {
    pub(crate) fn of(graph: &ModelGraph, draft: &Draft, profile: Profile) -> Self {
        let disk = MemoryVfs::new();
        disk.put(PATH, &draft.bytes(profile));
        let is_forest = draft.subtree.is_some() && !draft.is_forest_listed;
        Self { disk, model: ModelHistory::of(graph, EDGE_PROPERTY, is_forest) }
    }

    pub(crate) fn open(&self) -> Graph {
        OpenOptions::new().open_in(&self.disk, PATH).unwrap()
    }

    fn apply(&self, diff: &Diff) -> varvite::Result<Applied, ChangeError> {
        let change = GraphChange::begin(Arc::new(self.disk.clone()), Path::new(PATH))?;
        change.apply_with(diff, &Task::new().threads(1))
    }

    /// Applies operations to the file and to the model.
    pub(crate) fn step(&mut self, operations: &[Operation]) {
        let (diff, edges) = diff_of(operations, self.model.slot_count() as u32);
        let first = self.model.slot_count() as u32;
        let applied = self.apply(&diff).unwrap();
        let expected = self.model.apply(operations);
        assert_eq!(applied.nodes, first..self.model.slot_count() as u32);
        let ranks = edges.iter().map(|edge| applied.edge(*edge).map(|rank| rank as usize));
        assert_eq!(ranks.collect::<Vec<_>>(), expected, "the ranks of new edges");
    }
}

/// The diff that has these operations, for a graph of `nodes` nodes, and the edges that it adds.
pub(crate) fn diff_of(operations: &[Operation], nodes: u32) -> (Diff, Vec<NewEdge>) {
    diff_within(Diff::new(), operations, nodes)
}

/// The same as [`diff_of`], but adds the operations to the empty diff `diff`.
fn diff_within(mut diff: Diff, operations: &[Operation], nodes: u32) -> (Diff, Vec<NewEdge>) {
    diff.declare_edge_label(EDGE_PROPERTY.0);
    let owner = PropertyOwner::Edges(EDGE_PROPERTY.0);
    diff.declare_property(EDGE_PROPERTY.1, owner, ValueType::String, Cardinality::Optional);
    if operations.iter().any(gives_list_to_edge) {
        let (label, name) = RandomGraph::LISTED_EDGES;
        diff.declare_edge_label(label);
        diff.declare_property(name, PropertyOwner::Edges(label), ValueType::I64, Cardinality::List);
    }
    let new_edges = add_operations(&mut diff, operations, nodes);
    (diff, new_edges)
}

fn gives_list_to_edge(operation: &Operation) -> bool {
    let (Operation::Set { name, .. } | Operation::Append { name, .. }) = operation else { return false };
    name == RandomGraph::LISTED_EDGES.1
}

/// Adds these operations to a diff. Returns the edges that they add.
pub(crate) fn add_operations(diff: &mut Diff, operations: &[Operation], nodes: u32) -> Vec<NewEdge> {
    let (mut new_nodes, mut new_edges): (Vec<NewNode>, Vec<NewEdge>) = (Vec::new(), Vec::new());
    for operation in operations {
        let node = |id: NodeId, new_nodes: &[NewNode]| -> NodeRef {
            match (id.0 as u32).checked_sub(nodes) {
                None => NodeRef::Node(id.0 as u32),
                Some(number) => NodeRef::New(new_nodes[number as usize]),
            }
        };
        match operation {
            Operation::AddNode { labels } => {
                let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
                new_nodes.push(diff.add_node(&labels));
            }
            Operation::AddEdge { label, source, target } => {
                new_edges.push(diff.add_edge(label, node(*source, &new_nodes), node(*target, &new_nodes)));
            }
            Operation::RemoveNode(id) => diff.remove_node(id.0 as u32),
            Operation::RemoveEdge { label, number } => diff.remove_edge(label, *number as u32),
            Operation::DeclareLabel(name) => diff.declare_label(name),
            Operation::DeclareEdgeLabel(name) => diff.declare_edge_label(name),
            Operation::Set { owner, name, values } | Operation::Append { owner, name, values } => {
                let owner = match owner {
                    Owner::Node(id) => ElementRef::Node(node(*id, &new_nodes)),
                    Owner::Edge { label, number } => ElementRef::Edge(label, *number as u32),
                    Owner::NewEdge(index) => ElementRef::NewEdge(new_edges[*index]),
                };
                let values = values.iter().map(|value| new_value(value, |id| node(id, &new_nodes)));
                let values: Vec<NewValue<'_>> = values.collect();
                match operation {
                    Operation::Append { .. } => diff.append(owner, name, values),
                    _ => diff.set(owner, name, values),
                }
            }
        }
    }
    new_edges
}

/// Converts a value of the model to a value of a diff.
pub(crate) fn new_value(value: &Value, node: impl Fn(NodeId) -> NodeRef) -> NewValue<'_> {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::I8(value) => (*value).into(),
        Value::I16(value) => (*value).into(),
        Value::I32(value) => (*value).into(),
        Value::I64(value) => (*value).into(),
        Value::U8(value) => (*value).into(),
        Value::U16(value) => (*value).into(),
        Value::U32(value) => (*value).into(),
        Value::U64(value) => (*value).into(),
        Value::F32(value) => (*value).into(),
        Value::F64(value) => (*value).into(),
        Value::String(text) => text.as_str().into(),
        Value::Bytes(bytes) => bytes.as_slice().into(),
        Value::Ref(Some(id)) => node(*id).into(),
        Value::Null | Value::Ref(None) => NewValue::Null,
    }
}

pub(crate) fn check(graph: &Graph, model: &ModelHistory) {
    assert_eq!(graph.node_count() as usize, model.slot_count());
    assert_eq!(graph.live_node_count() as usize, model.nodes().len());
    check_labels(graph, model);
    let mut edges = 0;
    for label in graph.edge_labels() {
        check_edges(graph, model, &label.name);
        edges += model.edge_count(&label.name) as u64;
    }
    assert_eq!(graph.edge_count(), edges);
    for property in RandomGraph::PROPERTIES {
        let found = graph.property(property.name).unwrap();
        let ids = (0..model.slot_count()).map(NodeId);
        check_values(&found, ids.map(|id| model.values(id, property.name)), property.name);
    }
    if graph.edge_labels().iter().any(|label| label.name == EDGE_PROPERTY.0) {
        let found = graph.edge_property(EDGE_PROPERTY.0, None).unwrap();
        let ranks = 0..model.edge_numbers(EDGE_PROPERTY.0);
        let values = ranks.map(|rank| model.edge_values(EDGE_PROPERTY.0, rank, EDGE_PROPERTY.1));
        check_values(&found, values, EDGE_PROPERTY.1);
    }
    check_lists_of_edges(graph, model);
    graph.check().unwrap();
}

fn check_lists_of_edges(graph: &Graph, model: &ModelHistory) {
    let (label, name) = RandomGraph::LISTED_EDGES;
    let ranks = 0..model.edge_numbers(label);
    let mut values = ranks.map(|rank| model.edge_values(label, rank, name));
    match graph.edge_property(label, Some(name)) {
        Ok(found) => check_values(&found, values, name),
        Err(_) => assert!(values.all(<[Value]>::is_empty), "no {name}"),
    }
}

fn check_labels(graph: &Graph, model: &ModelHistory) {
    let sets = graph.label_sets().unwrap();
    for (id, label) in graph.label_ids().zip(graph.labels()) {
        let nodes = graph.nodes_of(id).unwrap();
        let has = |node: &NodeId| model.labels(*node).contains(&label.name);
        let expected: Vec<u32> = model.nodes().into_iter().filter(has).map(|node| node.0 as u32).collect();
        assert_eq!(nodes.iter().collect::<Vec<u32>>(), expected, "nodes of {}", label.name);
        assert_eq!(nodes.len() as usize, expected.len());
        for node in 0..graph.node_count() {
            let has = expected.contains(&node);
            assert_eq!((nodes.contains(node), sets.has(node, id)), (has, has), "{} of {node}", label.name);
        }
    }
}

fn check_edges(graph: &Graph, model: &ModelHistory, label: &str) {
    let id = graph.edge_label(label).unwrap();
    for direction in Direction::BOTH {
        let adjacency = graph.adjacency(id, direction).unwrap();
        let ranks = graph.ranks(id, direction).unwrap();
        let mut all = Vec::new();
        for node in 0..graph.node_count() {
            let expected = match direction {
                Direction::Out => model.out(NodeId(node as usize), label),
                Direction::In => model.in_(NodeId(node as usize), label),
            };
            let expected: Vec<(u32, u32)> =
                expected.iter().map(|(node, number)| (node.0 as u32, *number as u32)).collect();
            let found: Vec<u32> = adjacency.neighbors(node).collect();
            let neighbors: Vec<u32> = expected.iter().map(|(neighbor, _)| *neighbor).collect();
            assert_eq!(found, neighbors, "{label} {direction:?} of {node}");
            assert_eq!(adjacency.degree(node), neighbors.len());
            assert_eq!(adjacency.first(node), neighbors.first().copied());
            if let Some(ranks) = &ranks {
                assert_eq!(
                    ranks.of(node).collect::<Vec<_>>(),
                    expected,
                    "ranks {label} {direction:?} of {node}"
                );
            }
            all.extend(neighbors.iter().map(|neighbor| (node, *neighbor)));
        }
        check_many(&adjacency, &all, graph.node_count());
        let mut found = Vec::new();
        adjacency.for_each_edge(|node, neighbor| found.push((node, neighbor)));
        assert_eq!(found, all, "all {label} {direction:?}");
        assert_eq!(adjacency.edge_count() as usize, model.edge_count(label));
    }
}

/// Checks reads of the neighbours of many nodes at once, with the nodes in several orders.
fn check_many(adjacency: &Adjacency, edges: &[(u32, u32)], nodes: u32) {
    let rising: Vec<u32> = (0..nodes).collect();
    let falling: Vec<u32> = (0..nodes).rev().collect();
    for frontier in [rising, falling] {
        let of = |node: &u32| {
            let node = *node;
            edges.iter().filter(move |edge| edge.0 == node).map(|edge| edge.1)
        };
        let expected: Vec<u32> = frontier.iter().flat_map(of).collect();
        let mut found = Vec::new();
        adjacency.expand(&frontier, &mut found);
        assert_eq!(found, expected);
    }
}

pub(crate) fn check_values<'m>(property: &Property, expected: impl Iterator<Item = &'m [Value]>, name: &str) {
    let mut owners = Vec::new();
    for (owner, expected) in (0..).zip(expected) {
        let found: Vec<varvite::Value<'_>> = property.all(owner).collect();
        let same = found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| is_same(a, b));
        assert!(same, "{name} of {owner}: {found:?}, not {expected:?}");
        if !expected.is_empty() {
            owners.push(owner);
        }
    }
    assert_eq!(property.owners().collect::<Vec<u32>>(), owners, "owners of {name}");
}

/// Prints the seed and the profile of the history if a test panics.
struct Tried(u64, Profile);

impl Drop for Tried {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("history {}, {}", self.0, self.1.name());
        }
    }
}

pub(crate) fn for_each_history(seeds: u64, test: impl Fn(&mut History, &mut SplitMix64)) {
    for seed in 0..seeds {
        let graph = random(seed);
        for profile in Profile::ALL {
            let _tried = Tried(seed, profile);
            let draft = Draft::of(&graph);
            let draft = if seed % 3 == 0 { draft.indexed() } else { draft };
            let draft = Draft { is_forest_listed: seed % 4 == 1, ..draft };
            test(&mut History::of(&graph, &draft, profile), &mut SplitMix64::new(seed));
        }
    }
}

#[test]
fn what_diffs_make_of_a_graph_is_what_the_model_makes_of_it() {
    for_each_history(SEEDS, |history, random| {
        for _ in 0..DIFFS {
            let (before, old) = (history.open(), history.model.clone());
            let operations = history.model.random_diff_of_all_kinds(random, OPERATIONS);
            history.step(&operations);
            check(&history.open(), &history.model);
            check(&before, &old);
        }
        tables::check(&history.open());
    });
}

#[test]
fn lists_of_any_length_take_changes() {
    for seed in 0..6 {
        let options = RandomGraph { nodes: 12, edges: 1500, holes: 0, ..RandomGraph::new(seed) };
        let graph = options.build().in_canonical_order();
        let mut history = History::of(&graph, &Draft::of(&graph), Profile::ALL[seed as usize % 3]);
        let mut random = SplitMix64::new(seed);
        for _ in 0..2 {
            let operations = history.model.random_diff_of_all_kinds(&mut random, OPERATIONS);
            history.step(&operations);
            check(&history.open(), &history.model);
        }
    }
}

#[test]
fn a_changed_graph_verifies() {
    for_each_history(20, |history, random| {
        for _ in 0..2 {
            let operations = history.model.random_diff_of_all_kinds(random, OPERATIONS);
            history.step(&operations);
            let report = history.open().verify(&Task::new().threads(1)).unwrap();
            assert_eq!(report.problems, [""; 0]);
        }
    });
}

#[test]
fn equal_diffs_give_equal_files() {
    for_each_history(10, |history, random| {
        let operations = history.model.random_diff_of_all_kinds(random, OPERATIONS);
        let (diff, _) = diff_of(&operations, history.model.slot_count() as u32);
        let before = history.disk.contents(PATH).unwrap();
        history.apply(&diff).unwrap();
        let after = history.disk.contents(PATH).unwrap();
        assert!(after.starts_with(&before[..4096]) && after.len() > before.len(), "nothing is moved");
        history.disk.put(PATH, &before);
        history.apply(&diff).unwrap();
        assert!(history.disk.contents(PATH).unwrap() == after);
    });
}

/// Tests diffs with so little memory that every operation becomes a separate chunk and all values are written
/// to the disk.
#[test]
fn diffs_that_memory_has_no_room_for_give_the_same_files() {
    const MEMORY: usize = 1 << 10;
    for_each_history(SEEDS, |history, random| {
        let other = MemoryVfs::new();
        other.put(PATH, &history.disk.contents(PATH).unwrap());
        let vfs: Arc<dyn Vfs> = Arc::new(other.clone());
        for _ in 0..DIFFS {
            let nodes = history.model.slot_count() as u32;
            let operations = history.model.random_diff_of_all_kinds(random, OPERATIONS);
            let limited = Diff::with_memory(MEMORY, Arc::clone(&vfs), Path::new(PATH)).unwrap();
            let (limited, _) = diff_within(limited, &operations, nodes);
            let change = GraphChange::begin(Arc::clone(&vfs), Path::new(PATH)).unwrap();
            change.apply_with(&limited, &Task::new().threads(1)).unwrap();
            history.step(&operations);
            assert!(other.contents(PATH) == history.disk.contents(PATH));
        }
        check(&OpenOptions::new().open_in(&other, PATH).unwrap(), &history.model);
    });
}

#[test]
fn diffs_that_are_absorbed_are_the_same_as_one() {
    for_each_history(20, |history, random| {
        let operations = history.model.random_diff_of_all_kinds(random, OPERATIONS);
        let nodes = history.model.slot_count() as u32;
        let (whole, _) = diff_of(&operations, nodes);
        // Two diffs that were built independently of each other are merged into one.
        let (mut first, _) = diff_of(&operations, nodes);
        let (second, _) = diff_of(&operations, nodes);
        first.absorb(&second);
        assert_eq!(first.len(), 2 * whole.len());
        let before = history.disk.contents(PATH).unwrap();
        let applied = history.apply(&first).unwrap();
        assert_eq!(applied.nodes.len(), 2 * whole.new_nodes());
        history.disk.put(PATH, &before);
        let mut empty = Diff::new();
        empty.absorb(&whole);
        let absorbed = history.apply(&empty).unwrap();
        let by_absorbing = history.disk.contents(PATH).unwrap();
        history.disk.put(PATH, &before);
        assert_eq!(history.apply(&whole).unwrap(), absorbed);
        assert!(history.disk.contents(PATH).unwrap() == by_absorbing);
    });
}

/// Adds an invalid operation to the diff. Returns a test of the error that applying the diff must give.
fn nonsense(model: &ModelHistory, random: &mut SplitMix64, diff: &mut Diff) -> fn(&ChangeFault) -> bool {
    let nodes = model.slot_count() as u32;
    match random.below(9) {
        0 => {
            diff.remove_node(nodes + diff.new_nodes() as u32);
            |fault| matches!(fault, ChangeFault::NoSuchNode { .. })
        }
        1 => {
            let node = diff.add_node(&[]);
            // The new node's future id does not exist in the graph before the diff.
            diff.add_edge("CFG", node, [nodes, u32::MAX][random.below(2)]);
            |fault| matches!(fault, ChangeFault::NoSuchNode { .. })
        }
        2 => {
            let node = diff.add_node(&[]);
            diff.add_edge("CFGG", node, node);
            |fault| matches!(fault, ChangeFault::Unknown { nearest: Some(name), .. } if name == "CFG")
        }
        3 => {
            diff.add_node(&["METHOD", "no such label"]);
            |fault| matches!(fault, ChangeFault::Unknown { .. })
        }
        4 => {
            diff.remove_edge("CFG", u32::MAX);
            |fault| matches!(fault, ChangeFault::NoSuchEdge { .. })
        }
        5 => {
            let node = diff.add_node(&[]);
            diff.set(node, "NAME", [1]);
            |fault| matches!(fault, ChangeFault::WrongType { .. })
        }
        6 => {
            let node = diff.add_node(&[]);
            diff.set(node, "I8", [128]);
            |fault| matches!(fault, ChangeFault::WrongType { found, .. } if found == "128")
        }
        7 => {
            let node = diff.add_node(&[]);
            diff.set(node, "NAME", ["a", "b"]);
            |fault| matches!(fault, ChangeFault::NotAList { .. })
        }
        _ => {
            let node = diff.add_node(&[]);
            diff.append(node, "I8", [1]);
            |fault| matches!(fault, ChangeFault::NotAList { .. })
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_its_number_and_changes_nothing() {
    for_each_history(20, |history, random| {
        if history.model.slot_count() == 0 {
            return;
        }
        let sound = history.model.random_diff_of_all_kinds(random, OPERATIONS);
        history.step(&sound);
        let removed: Vec<u32> = (0..history.model.slot_count())
            .filter(|id| !history.model.contains(NodeId(*id)))
            .map(|id| id as u32)
            .collect();
        let before = history.disk.contents(PATH).unwrap();
        for _ in 0..6 {
            let mut operations = history.model.random_diff_of_all_kinds(random, OPERATIONS);
            operations.retain(|it| !matches!(it, Operation::RemoveNode(_)));
            let (mut diff, _) = diff_of(&operations, history.model.slot_count() as u32);
            diff.declare_edge_label("CFG");
            let fits = match removed.first().filter(|_| random.chance(20)) {
                Some(node) => {
                    diff.set(*node, "NAME", ["x"]);
                    |fault: &ChangeFault| matches!(fault, ChangeFault::RemovedNode { .. })
                }
                None => nonsense(&history.model, random, &mut diff),
            };
            let wrong = diff.len() as u64 - 1;
            if !removed.contains(&0) {
                diff.add_edge("CFG", 0, 0);
            }
            match history.apply(&diff) {
                Err(ChangeError::Operation { operation, fault }) => {
                    assert!(fits(&fault), "{fault}");
                    assert_eq!(operation, wrong, "{fault}");
                }
                other => panic!("{other:?}"),
            }
            assert!(history.disk.contents(PATH).unwrap() == before);
        }
    });
}

#[test]
fn the_tree_label_of_a_forest_takes_edges_and_gives_them() {
    let graph = RandomGraph::new(3).build().in_canonical_order();
    let mut history = History::of(&graph, &Draft::of(&graph), Profile::Compact);
    let child = history.model.edges(AST)[5];
    let nodes = history.model.slot_count();
    let label = || AST.to_owned();
    history.step(&[
        Operation::RemoveEdge { label: label(), number: child },
        Operation::AddNode { labels: vec!["CALL".to_owned()] },
        Operation::AddEdge { label: label(), source: NodeId(0), target: NodeId(nodes) },
        Operation::AddEdge { label: label(), source: NodeId(nodes), target: NodeId(child) },
    ]);
    check(&history.open(), &history.model);
    let moved = history.model.edges(AST).into_iter().next_back().unwrap();
    history.step(&[Operation::RemoveEdge { label: label(), number: moved }]);
    check(&history.open(), &history.model);
    history.step(&[Operation::RemoveNode(NodeId(nodes)), Operation::RemoveNode(NodeId(0))]);
    check(&history.open(), &history.model);
}
