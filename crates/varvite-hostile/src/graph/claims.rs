//! Small files that claim 2^32 items, or the largest number of items that a file of their length may claim.

use varvite_format::{AdjacencyRow, ColumnRow, Encoding};

use super::sketch::{Sketch, of_segment, row};
use crate::HostileFile;
use crate::file::Made;

/// The largest number of nodes, and of values in a column, that a file can claim.
const MAX: u32 = u32::MAX - 1;
/// A permitted number of items: less than 1,024 times the length of the smallest file here.
const ALLOWED: u32 = 10_000_000;
const ALLOWED_VALUES: u64 = ALLOWED as u64;

pub(super) fn all() -> Vec<HostileFile> {
    let files: [Made<Sketch>; 34] = [
        ("claims-2^32-nodes", || Sketch::code(MAX)),
        ("claims-2^32-nodes-and-nothing-else", || Sketch::new(MAX)),
        ("claims-10-million-nodes", || Sketch::code(ALLOWED)),
        ("claims-10-million-nodes-in-a-chain", || chain(ALLOWED)),
        ("claims-2^32-nodes-in-a-chain", || chain(MAX)),
        ("claims-2^32-edges", || edges(10, 1 << 32)),
        ("claims-2^64-edges", || edges(10, u64::MAX)),
        ("claims-10-million-edges", || edges(10, ALLOWED_VALUES)),
        ("claims-10-million-edges-of-one-node", || edges(1, ALLOWED_VALUES)),
        ("claims-2^32-edges-in-its-label-only", claims_edges_in_its_label),
        ("claims-2^32-texts", || texts(1 << 32)),
        ("claims-2^32-texts-less-one", || texts((1 << 32) - 1)),
        ("claims-10-million-texts", || texts(ALLOWED_VALUES)),
        ("claims-2^32-slices", || slices(1 << 31)),
        ("claims-10-million-slices", || slices(ALLOWED_VALUES)),
        ("claims-2^32-values", || values(&[1 << 32])),
        ("claims-2^40-values", || values(&[1 << 40])),
        ("claims-2^64-values", || values(&[u64::MAX])),
        ("claims-2^32-values-in-300-columns", || values(&[1 << 32; 300])),
        ("claims-10-million-values-in-300-columns", || values(&[ALLOWED_VALUES; 300])),
        ("claims-a-list-of-2^32-values", || list(1 << 32)),
        ("claims-a-list-of-10-million-values", || list(ALLOWED_VALUES)),
        ("claims-a-list-of-2^63-values", || list(1 << 63)),
        ("claims-a-set-of-2^32", || set(Encoding::AllSet, 1 << 32)),
        ("claims-a-range-of-2^32", || set(Encoding::RangeSet, 1 << 32)),
        ("claims-an-empty-set-of-2^32", || set(Encoding::EmptySet, 1 << 32)),
        ("claims-a-bitmap-of-2^32", || set_of_bytes(Encoding::BitmapSet)),
        ("claims-a-sparse-set-of-2^32", || set_of_bytes(Encoding::SparseSet)),
        ("claims-2^32-places-of-a-label", claims_places_of_a_label),
        ("claims-a-dictionary-of-2^32", claims_a_dictionary),
        ("claims-500-edge-labels-of-2^32", || many_edge_labels(500, 1 << 32)),
        ("claims-500-edge-labels-of-10-million", || many_edge_labels(500, ALLOWED_VALUES)),
        ("claims-300-labels-of-10-million-nodes", many_labels),
        ("claims-10-million-nodes-of-200-properties", many_properties),
    ];
    files.into_iter().map(|(name, make)| HostileFile::graph(name, make().finish())).collect()
}

/// A graph in which every node is the only child of the one before.
fn chain(nodes: u32) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let sizes = sketch.sequence(u64::from(nodes), i64::from(nodes) - 1, -1);
    let parents = sketch.constant(u64::from(nodes), 1);
    sketch.forest(u64::from(nodes) - 1, sizes, parents);
    sketch
}

/// A graph whose edges all lead to node 0, with an equal number of edges from each node.
fn edges(nodes: u32, edges: u64) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let all = sketch.all();
    let offsets = sketch.sequence(u64::from(nodes) + 1, 0, (edges / u64::from(nodes)) as i64);
    let neighbors = sketch.constant(edges, 0);
    let lists = sketch.lists(all, offsets, neighbors);
    sketch.edges("CALL", edges, lists);
    sketch
}

fn claims_edges_in_its_label() -> Sketch {
    let mut sketch = Sketch::code(10);
    let none = AdjacencyRow { nodes: None, offsets: None, neighbors: None };
    sketch.edges("CALL", 1 << 32, none);
    sketch
}

/// A graph with `count` texts without bytes.
fn texts(count: u64) -> Sketch {
    let mut sketch = Sketch::code(10);
    let (starts, pool) = (sketch.constant(count.saturating_add(1), 0), sketch.segment(vec![b'x'; 64]));
    let (texts, codes) = (sketch.entries(count, starts, pool), sketch.sequence(10, 0, 1000));
    sketch.text_property("FULL_NAME", 10, codes, texts);
    sketch
}

/// A graph with `count` texts, each of which is the whole pool.
fn slices(count: u64) -> Sketch {
    let mut sketch = Sketch::code(10);
    let pool = sketch.segment(vec![b'x'; 64]);
    let (starts, lengths) = (sketch.constant(count, 0), sketch.constant(count, 64));
    let (texts, codes) = (sketch.slices(count, starts, lengths, pool), sketch.sequence(10, 0, 1000));
    sketch.text_property("FULL_NAME", 10, codes, texts);
    sketch
}

/// A graph with a numeric property for each of `counts`, which are the properties' numbers of values.
fn values(counts: &[u64]) -> Sketch {
    let mut sketch = Sketch::code(10);
    for (number, count) in counts.iter().enumerate() {
        let (present, values) = (sketch.all(), sketch.constant(*count, 7));
        let name = if number == 0 { "ORDER".to_owned() } else { format!("ORDER_{number}") };
        sketch.property(&name, present, None, values, None);
    }
    sketch
}

/// A graph with a list property in which one node has all values.
fn list(count: u64) -> Sketch {
    let mut sketch = Sketch::code(10);
    let (present, values) = (sketch.set(Encoding::RangeSet, 1, 0), sketch.constant(count, 7));
    let offsets = sketch.sequence(2, 0, count as i64);
    sketch.property("ORDER", present, Some(offsets), values, None);
    sketch
}

fn set(encoding: Encoding, count: u64) -> Sketch {
    let mut sketch = Sketch::code(10);
    let members = sketch.set(encoding, count, 0);
    sketch.label("IDENTIFIER", members);
    sketch
}

fn set_of_bytes(encoding: Encoding) -> Sketch {
    let mut sketch = Sketch::code(10);
    let (offsets, bytes) = (sketch.constant(1 << 24, 0), sketch.segment(vec![0xff; 64]));
    let children = [Some(offsets), None, None];
    let members = sketch.column(ColumnRow { children, ..of_segment(encoding, 1 << 32, bytes) });
    sketch.label("IDENTIFIER", members);
    sketch
}

fn claims_places_of_a_label() -> Sketch {
    let mut sketch = Sketch::code(10);
    sketch.directory.labels.iter_mut().for_each(|label| label.origin_count = u32::MAX);
    sketch
}

/// A graph with nested dictionaries: the values of each dictionary are a dictionary too.
fn claims_a_dictionary() -> Sketch {
    let mut sketch = Sketch::code(10);
    let mut values = sketch.constant(1 << 32, 0);
    for _ in 0..4 {
        let codes = sketch.constant(1 << 32, 0);
        let children = [Some(codes), Some(values), None];
        values = sketch.column(ColumnRow { children, ..row(Encoding::Dictionary, 1 << 32) });
    }
    let present = sketch.all();
    sketch.property("ORDER", present, None, values, None);
    sketch
}

fn many_edge_labels(labels: u32, edges: u64) -> Sketch {
    let mut sketch = Sketch::code(10);
    let (all, offsets) = (sketch.all(), sketch.sequence(11, 0, (edges / 10) as i64));
    let neighbors = sketch.constant(edges, 0);
    let lists = sketch.lists(all, offsets, neighbors);
    (0..labels).for_each(|number| sketch.edges(&format!("CALL_{number}"), edges, lists));
    sketch
}

fn many_labels() -> Sketch {
    let mut sketch = Sketch::code(ALLOWED);
    let all = sketch.all();
    (0..300).for_each(|number| sketch.label(&format!("LABEL_{number}"), all));
    sketch.every_label_of_every_node();
    sketch
}

fn many_properties() -> Sketch {
    let mut sketch = Sketch::code(ALLOWED);
    let (all, values) = (sketch.all(), sketch.constant(ALLOWED_VALUES, 7));
    (0..200).for_each(|number| sketch.property(&format!("ORDER_{number}"), all, None, values, None));
    sketch
}
