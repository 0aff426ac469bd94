//! A graph of few nodes with long lists: hubs with millions of edges, a node with millions of values, and a
//! deep tree.

use std::path::Path;

use varvite::columns::{PropertySpec, subtree_sizes};
use varvite::{Cardinality, Graph, Profile, ValueType};
use varvite_format::Owner;
use varvite_store::vfs::RealVfs;
use varvite_testing::draft::{Draft, DraftEdges, DraftLabel, DraftLists, DraftProperty, DraftValues};

/// The number of nodes. Each of the nodes from 1 to `DEEP` is the child of the node before it.
const NODES: u32 = 200_000;
const DEEP: u32 = 20_000;
/// The number of out-edges of each of the two hubs, which are the nodes 0 and 1.
pub(crate) const HUB: u32 = 10_000_000;
/// The number of out-edges with the label `SPOKE` that each hub has. Pipelines walk through all of them.
const SPOKE: u32 = 600_000;
/// The number of values of node 0.
pub(crate) const VALUES: u32 = 2_000_000;

/// The name of the graph's file.
pub(crate) const FILE: &str = "wide.varvite";

/// Writes the graph into a folder and opens it.
pub(crate) fn open(folder: &Path) -> Graph {
    let path = folder.join(FILE);
    draft().write(std::sync::Arc::new(RealVfs), &path, Profile::Direct).unwrap();
    Graph::open(path).unwrap()
}

fn draft() -> Draft {
    let forest = lists(|node| match node {
        0..DEEP => vec![node + 1],
        DEEP => (DEEP + 1..NODES).collect(),
        _ => Vec::new(),
    });
    // The ids of the targets are in descending order, so that no hub's list is in ascending order. Each
    // target occurs several times.
    let star = |edges: u32| {
        lists(|node| if node < 2 { (0..edges).rev().map(|edge| edge % NODES).collect() } else { Vec::new() })
    };
    let (hub, spoke) = (star(HUB), star(SPOKE));
    let flow = lists(|node| vec![(node + 1) % NODES, (u64::from(node) * 7919 % u64::from(NODES)) as u32]);
    let label = |name: &str, nodes: Vec<u32>| DraftLabel {
        name: name.to_owned(),
        origin_count: nodes.len() as u32,
        nodes,
        origin: None,
    };
    Draft {
        nodes: NODES,
        codes: (0..NODES).map(|node| node % 2).collect(),
        masks: vec![1, 2],
        labels: vec![
            label("BLOCK", (0..NODES).step_by(2).collect()),
            label("METHOD", (1..NODES).step_by(2).collect()),
            label("NEVER", Vec::new()),
        ],
        subtree: subtree_sizes(&forest.offsets, &forest.neighbors),
        parents: (0..NODES).map(|node| if node <= DEEP { node.wrapping_sub(1) } else { DEEP }).collect(),
        source: "a wide graph".to_owned(),
        edges: vec![edges("AST", forest), edges("CFG", flow), edges("HUB", hub), edges("SPOKE", spoke)],
        is_forest_listed: false,
        properties: properties(),
        indexed: Vec::new(),
    }
}

fn lists(of: impl Fn(u32) -> Vec<u32>) -> DraftLists {
    let mut lists = DraftLists { offsets: vec![0], neighbors: Vec::new() };
    for node in 0..NODES {
        lists.neighbors.extend(of(node));
        lists.offsets.push(lists.neighbors.len() as u32);
    }
    lists
}

/// The edges of a label in both directions. Each in-list is in the order of its sources.
fn edges(name: &str, out: DraftLists) -> DraftEdges {
    let mut offsets = vec![0u32; NODES as usize + 1];
    out.neighbors.iter().for_each(|target| offsets[*target as usize + 1] += 1);
    (0..NODES as usize).for_each(|node| offsets[node + 1] += offsets[node]);
    let (mut next, mut neighbors) = (offsets.clone(), vec![0; out.neighbors.len()]);
    for source in 0..NODES {
        let list = out.offsets[source as usize] as usize..out.offsets[source as usize + 1] as usize;
        for target in &out.neighbors[list] {
            neighbors[next[*target as usize] as usize] = source;
            next[*target as usize] += 1;
        }
    }
    DraftEdges { name: name.to_owned(), out, in_: DraftLists { offsets, neighbors }, places: None }
}

fn properties() -> Vec<DraftProperty> {
    let one_each: Vec<u32> = (0..=NODES).collect();
    let numbers = |name: &str, of: fn(u32) -> i64| {
        let values = DraftValues::Numbers((0..NODES).map(of).collect());
        property(name, ValueType::I64, Cardinality::One, one_each.clone(), values)
    };
    let texts = (0..NODES).map(|node| format!("name {node}").into_bytes()).collect();
    let codes = (0..NODES).rev().collect();
    let names = DraftValues::Texts { texts, codes, sorted: false };
    let list = DraftValues::Numbers((0..i64::from(VALUES + NODES - 1)).collect());
    let list_ends = std::iter::once(0).chain((0..NODES).map(|node| VALUES + node)).collect();
    vec![
        property("NAME", ValueType::String, Cardinality::One, one_each.clone(), names),
        numbers("ORDER", |node| i64::from(node % 1000)),
        numbers("FEW", |node| i64::from(node % 3)),
        numbers("WIDE", |node| (i64::from(node) << 40) - 5),
        property("NUMBERS", ValueType::I64, Cardinality::List, list_ends, list),
    ]
}

fn property(
    name: &str,
    value_type: ValueType,
    cardinality: Cardinality,
    offsets: Vec<u32>,
    values: DraftValues,
) -> DraftProperty {
    let spec = PropertySpec {
        name: name.to_owned(),
        owner: Owner::Node,
        layer: 0,
        value_type,
        cardinality,
        default: None,
    };
    DraftProperty { spec, offsets, values }
}
