//! Valid graphs with shapes for which careless loops are slow or endless; and some invalid ones.

use varvite_format::{AdjacencyRow, ColumnId, ColumnRow, EdgeLabelId, Encoding};

use super::sketch::{Sketch, of_segment, row};
use crate::HostileFile;
use crate::file::Made;

pub(super) fn all() -> Vec<HostileFile> {
    let files: [Made<Sketch>; 36] = [
        ("two-hubs-of-600000", two_hubs),
        ("a-hub-of-2-million-loops", || loops(1, 2_000_000)),
        ("a-million-edges-between-two-nodes", parallel_edges),
        ("10000-nodes-of-1000-edges-to-one", every_node_to_one),
        ("a-clique-of-700", clique),
        ("a-chain-of-300-diamonds", diamonds),
        ("a-chain-of-5-million-calls", || call_chain(5_000_000)),
        ("a-ring-of-100000-calls", call_ring),
        ("a-call-to-itself", || loops(1, 1)),
        ("a-tree-2-million-deep", || deep_tree(2_000_000, |nodes| nodes - 1)),
        ("a-tree-with-a-million-children", wide_tree),
        ("a-tree-of-nodes-that-all-have-all-below-them", || flat_sizes(3_000_000, 2_999_999)),
        ("a-tree-of-sizes-past-the-end", || flat_sizes(100, 1 << 31)),
        ("a-tree-of-sizes-2^32", || flat_sizes(100, i64::from(u32::MAX))),
        ("a-tree-of-sizes-one-too-many", || deep_tree(1000, |nodes| nodes)),
        ("a-tree-of-parents-only", || parents(1000, 0, 1)),
        ("a-tree-whose-parents-are-themselves", || parents(1000, 999, 0)),
        ("a-tree-whose-parents-are-before-the-first", || parents(1000, 0, 5000)),
        ("a-tree-whose-parents-are-2^32-away", || parents(1000, 0, i64::from(u32::MAX))),
        ("a-tree-whose-subtrees-cross", subtrees_cross),
        ("a-tree-of-an-edge-label-with-lists-too", tree_with_lists),
        ("a-tree-without-sizes", || half_a_tree(true)),
        ("a-tree-without-parents", || half_a_tree(false)),
        ("a-tree-of-1000-columns-one-in-another", column_tower),
        ("a-cycle-of-two-in-the-tree", || ast_by_lists(&[1, 0])),
        ("a-loop-in-the-tree", || ast_by_lists(&[0])),
        ("a-cycle-of-1000-in-the-tree", || ast_by_lists(&ring(1000))),
        ("a-ring-of-100000-in-the-tree", || ast_by_lists(&ring(100_000))),
        ("neighbours-outside", || lists_of(&[0, 2, 4], &[0, 9, 1 << 31, u32::MAX])),
        ("offsets-that-fall", || lists_of(&[4, 2, 0], &[0, 1, 0, 1])),
        ("offsets-past-the-neighbours", || lists_of(&[0, 1000, u32::MAX], &[0, 1, 0, 1])),
        ("offsets-that-do-not-begin-at-0", || lists_of(&[3, 3, 4], &[0, 1, 0, 1])),
        ("in-lists-of-another-graph", in_lists_of_another_graph),
        ("lists-of-nodes-without-a-set", lists_without_a_set),
        ("lists-of-a-set-outside", || lists_of_set(Encoding::RangeSet, 5, 8)),
        ("lists-of-a-set-that-is-negative", || lists_of_set(Encoding::RangeSet, 5, -3)),
    ];
    files.into_iter().map(|(name, make)| HostileFile::graph(name, make().finish())).collect()
}

/// A graph of two nodes that each have an edge to each of 600,000 others.
fn two_hubs() -> Sketch {
    const TARGETS: u32 = 600_000;
    let mut sketch = Sketch::code(TARGETS + 2);
    let (hubs, others) =
        (sketch.set(Encoding::RangeSet, 2, 0), sketch.set(Encoding::RangeSet, u64::from(TARGETS), 2));
    let neighbors: Vec<u32> = (2..TARGETS + 2).chain(2..TARGETS + 2).collect();
    let (offsets, neighbors) = (sketch.plain(&[0, TARGETS, 2 * TARGETS]), sketch.plain(&neighbors));
    let out = sketch.lists(hubs, offsets, neighbors);
    let offsets = sketch.sequence(u64::from(TARGETS) + 1, 0, 2);
    let bits = sketch.segment(vec![0b1010_1010; TARGETS as usize / 4]);
    let neighbors = sketch.column(of_segment(Encoding::Bits, u64::from(2 * TARGETS), bits));
    let in_ = sketch.lists(others, offsets, neighbors);
    sketch.edges_both_ways("CALL", u64::from(2 * TARGETS), out, in_);
    sketch
}

/// A graph with edges from nodes to themselves, which take no bytes in the file.
fn loops(nodes: u32, each: u64) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let (all, offsets) = (sketch.all(), sketch.sequence(u64::from(nodes) + 1, 0, each as i64));
    let neighbors = sketch.constant(each * u64::from(nodes), 0);
    let lists = sketch.lists(all, offsets, neighbors);
    sketch.edges("CALL", each * u64::from(nodes), lists);
    sketch
}

fn parallel_edges() -> Sketch {
    const EDGES: u32 = 1_000_000;
    let mut sketch = Sketch::code(2);
    let sides = [(0, 1), (1, 0)].map(|(node, neighbor)| {
        let set = sketch.set(Encoding::RangeSet, 1, node);
        let (offsets, neighbors) = (sketch.plain(&[0, EDGES]), sketch.constant(u64::from(EDGES), neighbor));
        sketch.lists(set, offsets, neighbors)
    });
    sketch.edges_both_ways("CALL", u64::from(EDGES), sides[0], sides[1]);
    sketch
}

fn every_node_to_one() -> Sketch {
    const NODES: u32 = 10_000;
    let mut sketch = Sketch::code(NODES);
    let (all, offsets) = (sketch.all(), sketch.sequence(u64::from(NODES) + 1, 0, 1000));
    let neighbors = sketch.constant(1000 * u64::from(NODES), 0);
    let out = sketch.lists(all, offsets, neighbors);
    let first = sketch.set(Encoding::RangeSet, 1, 0);
    let offsets = sketch.plain(&[0, 1000 * NODES]);
    let in_ = sketch.lists(first, offsets, neighbors);
    sketch.edges_both_ways("CALL", 1000 * u64::from(NODES), out, in_);
    sketch
}

/// A graph in which every node calls every node.
fn clique() -> Sketch {
    const NODES: u32 = 700;
    let mut sketch = Sketch::code(NODES);
    let neighbors: Vec<u32> = (0..NODES * NODES).map(|edge| edge % NODES).collect();
    let offsets: Vec<u32> = (0..=NODES).map(|node| node * NODES).collect();
    let lists = sketch.plain_lists(&offsets, &neighbors);
    sketch.edges("CALL", u64::from(NODES * NODES), lists);
    sketch
}

/// A graph of 300 successive diamonds: 2^300 paths lead from the first node to the last.
fn diamonds() -> Sketch {
    let targets: Vec<Vec<u32>> = (0..901)
        .map(|node: u32| match node % 3 {
            _ if node == 900 => vec![],
            0 => vec![node + 1, node + 2],
            1 => vec![node + 2],
            _ => vec![node + 1],
        })
        .collect();
    graph_of(&targets)
}

/// A graph in which each node calls the next; the last one calls a node that does not exist.
fn call_chain(nodes: u32) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let (all, offsets) = (sketch.all(), sketch.sequence(u64::from(nodes) + 1, 0, 1));
    let sides = [1, -1].map(|base| {
        let neighbors = ColumnRow { relative: true, base, ..row(Encoding::Constant, u64::from(nodes)) };
        let neighbors = sketch.column(neighbors);
        sketch.lists(all, offsets, neighbors)
    });
    sketch.edges_both_ways("CALL", u64::from(nodes), sides[0], sides[1]);
    sketch
}

fn call_ring() -> Sketch {
    let targets: Vec<Vec<u32>> = ring(100_000).into_iter().map(|target| vec![target]).collect();
    graph_of(&targets)
}

fn ring(nodes: u32) -> Vec<u32> {
    (1..nodes).chain([0]).collect()
}

/// A graph with these CALL edges, with matching in-lists.
fn graph_of(targets: &[Vec<u32>]) -> Sketch {
    let mut sources = vec![Vec::new(); targets.len()];
    for (source, targets) in (0..).zip(targets) {
        targets.iter().for_each(|target| sources[*target as usize].push(source));
    }
    let mut sketch = Sketch::code(targets.len() as u32);
    let [out, in_] = [targets, &sources].map(|lists| {
        let ends = lists.iter().scan(0, |end, list| {
            *end += list.len() as u32;
            Some(*end)
        });
        let offsets: Vec<u32> = std::iter::once(0).chain(ends).collect();
        sketch.plain_lists(&offsets, &lists.concat())
    });
    sketch.edges_both_ways("CALL", targets.iter().map(|list| list.len() as u64).sum(), out, in_);
    sketch
}

/// A graph whose tree is a chain; `below` gives the claimed sizes of the subtrees.
fn deep_tree(nodes: u32, below: fn(i64) -> i64) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let sizes = sketch.sequence(u64::from(nodes), below(i64::from(nodes)), -1);
    let parents = sketch.constant(u64::from(nodes), 1);
    sketch.forest(u64::from(nodes) - 1, sizes, parents);
    sketch
}

fn wide_tree() -> Sketch {
    const NODES: u32 = 1_000_001;
    let mut sketch = Sketch::code(NODES);
    let bits: Vec<u8> = std::iter::once(1).chain(vec![0; NODES as usize / 8]).collect();
    let bits = sketch.segment(bits);
    let codes = sketch.column(of_segment(Encoding::Bits, u64::from(NODES), bits));
    let values = sketch.plain(&[0, NODES - 1]);
    let children = [Some(codes), Some(values), None];
    let sizes = sketch.column(ColumnRow { children, ..row(Encoding::Dictionary, u64::from(NODES)) });
    let parents = sketch.sequence(u64::from(NODES), 0, 1);
    sketch.forest(u64::from(NODES) - 1, sizes, parents);
    sketch
}

/// A graph in which each node claims `size` descendants.
fn flat_sizes(nodes: u32, size: i64) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let (sizes, parents) = (sketch.constant(u64::from(nodes), size), sketch.constant(u64::from(nodes), 1));
    sketch.forest(u64::from(nodes) - 1, sizes, parents);
    sketch
}

/// A graph in which each node claims `size` descendants, and a parent whose id is `distance` lower.
fn parents(nodes: u32, size: i64, distance: i64) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let sizes = sketch.constant(u64::from(nodes), size);
    let parents = sketch.constant(u64::from(nodes), distance);
    sketch.forest(u64::from(nodes) - 1, sizes, parents);
    sketch
}

fn subtrees_cross() -> Sketch {
    let mut sketch = Sketch::code(100);
    let sizes = sketch.bytes((0..100).map(|node| (node * 37 % 50) as u8).collect());
    let parents = sketch.bytes((0..100).map(|node| (node % 7) as u8).collect());
    sketch.forest(99, sizes, parents);
    sketch
}

fn tree_with_lists() -> Sketch {
    let mut sketch = deep_tree(1000, |nodes| nodes - 1);
    let offsets: Vec<u32> = (0..=1000).collect();
    let lists = sketch.plain_lists(&offsets, &ring(1000));
    let row = &mut sketch.directory.edge_labels[0];
    (row.out, row.in_) = (lists, lists);
    sketch
}

fn half_a_tree(is_parents: bool) -> Sketch {
    let mut sketch = deep_tree(1000, |nodes| nodes - 1);
    if is_parents {
        sketch.directory.subtree = None;
    } else {
        sketch.directory.parents = None;
    }
    sketch
}

/// A graph with a dictionary of a dictionary of a dictionary.
fn column_tower() -> Sketch {
    let mut sketch = Sketch::code(10);
    let mut values: ColumnId = sketch.constant(10, 3);
    for _ in 0..1000 {
        let children = [Some(values), Some(values), None];
        values = sketch.column(ColumnRow { children, ..row(Encoding::Dictionary, 10) });
    }
    let present = sketch.all();
    sketch.property("ORDER", present, None, values, None);
    sketch.forest(9, values, values);
    sketch
}

/// A graph with a list of AST edges from each node to one other. The file declares them as its tree, but they
/// are no forest.
fn ast_by_lists(targets: &[u32]) -> Sketch {
    let nodes = targets.len() as u32;
    let mut sketch = Sketch::code(nodes);
    let mut sources = vec![0; targets.len()];
    (0..).zip(targets).for_each(|(source, target)| sources[*target as usize] = source);
    let offsets: Vec<u32> = (0..=nodes).collect();
    let (out, in_) = (sketch.plain_lists(&offsets, targets), sketch.plain_lists(&offsets, &sources));
    sketch.directory.tree_label = Some(EdgeLabelId::from_index(sketch.directory.edge_labels.len()));
    sketch.edges_both_ways("AST", u64::from(nodes), out, in_);
    sketch
}

/// A graph of two nodes with these adjacency lists.
fn lists_of(offsets: &[u32], neighbors: &[u32]) -> Sketch {
    let mut sketch = Sketch::code(2);
    let lists = sketch.plain_lists(offsets, neighbors);
    sketch.edges("CALL", neighbors.len() as u64, lists);
    sketch
}

fn in_lists_of_another_graph() -> Sketch {
    let mut sketch = Sketch::code(1000);
    let offsets: Vec<u32> = (0..=1000).collect();
    let out = sketch.plain_lists(&offsets, &ring(1000));
    let in_ = sketch.plain_lists(&offsets, &vec![999; 1000]);
    sketch.edges_both_ways("CALL", 1000, out, in_);
    sketch
}

fn lists_without_a_set() -> Sketch {
    let mut sketch = lists_of(&[0, 1, 2], &[0, 1]);
    let row = &mut sketch.directory.edge_labels[0];
    row.out = AdjacencyRow { nodes: None, ..row.out };
    sketch
}

fn lists_of_set(encoding: Encoding, count: u64, base: i64) -> Sketch {
    let mut sketch = Sketch::code(10);
    let set = sketch.set(encoding, count, base);
    let (offsets, neighbors) = (sketch.plain(&[0, 1, 2, 3, 4, 5]), sketch.plain(&[0, 1, 2, 3, 4]));
    let lists = sketch.lists(set, offsets, neighbors);
    sketch.edges("CALL", 5, lists);
    sketch
}
