//! Schemas with very many, very long or unusual names, and label sets of labels that do not exist.

use varvite_format::{AdjacencyRow, Encoding, LayerRow};

use super::sketch::Sketch;
use crate::HostileFile;
use crate::file::Made;

pub(super) fn all() -> Vec<HostileFile> {
    let files: [Made<Sketch>; 20] = [
        ("60000-labels", || labels(60_000, 10)),
        ("5000-labels-of-3-million-nodes", || labels(5000, 3_000_000)),
        ("200000-label-sets", label_sets),
        ("label-codes-outside-the-sets", label_codes_outside),
        ("label-sets-of-labels-that-are-not-there", label_sets_of_no_label),
        ("label-sets-that-no-label-agrees-with", label_sets_that_disagree),
        ("50000-edge-labels", edge_labels),
        ("20000-properties", properties),
        ("50000-layers", layers),
        ("a-layer-of-more-nodes-than-the-graph", || layer_of(11, Encoding::RangeSet, 5, &[1])),
        ("edges-of-a-layer-behind-its-nodes", || layer_of(5, Encoding::RangeSet, 5, &[7])),
        ("edges-of-more-nodes-than-the-layer-has", || layer_of(5, Encoding::AllSet, 10, &[1])),
        ("a-layer-of-no-nodes-with-edges", || layer_of(0, Encoding::RangeSet, 5, &[1])),
        ("200000-names", || names(200_000, |number| format!("{number}"))),
        ("200-names-of-65535-letters", || names(200, |number| format!("{number:03}").repeat(65_536 / 3))),
        ("a-name-of-65537-letters", || names(1, |_| "x".repeat(65_537))),
        ("a-name-of-12-megabytes", || names(1, |_| "x".repeat(12 << 20))),
        ("names-of-control-characters", control_characters),
        ("names-that-are-paths-and-code", paths_and_code),
        ("no-names-at-all", || Sketch::new(0)),
    ];
    files.into_iter().map(|(name, make)| HostileFile::graph(name, make().finish())).collect()
}

/// A graph with many labels, which every node has.
fn labels(count: u32, nodes: u32) -> Sketch {
    let mut sketch = Sketch::code(nodes);
    let all = sketch.all();
    (0..count).for_each(|number| sketch.label(&format!("LABEL_{number}"), all));
    sketch.every_label_of_every_node();
    sketch
}

fn label_sets() -> Sketch {
    const SETS: u32 = 200_000;
    let mut sketch = Sketch::code(SETS);
    sketch.directory.codes = Some(sketch.sequence(u64::from(SETS), 0, 1));
    sketch.directory.label_sets = vec![0b11; SETS as usize];
    sketch
}

fn label_codes_outside() -> Sketch {
    let mut sketch = Sketch::code(1000);
    sketch.directory.codes = Some(sketch.sequence(1000, 0, 1 << 20));
    sketch
}

fn label_sets_of_no_label() -> Sketch {
    let mut sketch = Sketch::code(1000);
    sketch.directory.label_sets = vec![u64::MAX];
    sketch
}

fn label_sets_that_disagree() -> Sketch {
    let mut sketch = Sketch::code(1000);
    let none = sketch.set(Encoding::EmptySet, 0, 0);
    sketch.label("IDENTIFIER", none);
    sketch.directory.label_sets = vec![0b100];
    sketch
}

fn edge_labels() -> Sketch {
    let mut sketch = Sketch::code(10);
    let none = AdjacencyRow { nodes: None, offsets: None, neighbors: None };
    (0..50_000).for_each(|number| sketch.edges(&format!("E{number}"), 0, none));
    sketch
}

fn properties() -> Sketch {
    let mut sketch = Sketch::code(10);
    let (all, values) = (sketch.all(), sketch.constant(10, 7));
    (0..20_000).for_each(|number| sketch.property(&format!("P{number}"), all, None, values, None));
    sketch
}

fn layers() -> Sketch {
    let mut sketch = Sketch::code(10);
    let layer = sketch.directory.layers[0];
    sketch.directory.layers = vec![layer; 50_000];
    sketch
}

/// A graph of 10 nodes with a layer that claims to have been written when there were `nodes` nodes; `owners`
/// of these have an edge each.
fn layer_of(nodes: u32, set: Encoding, owners: u32, neighbors: &[u32]) -> Sketch {
    let mut sketch = Sketch::code(10);
    let layer = LayerRow { nodes: Some(nodes), name: sketch.name("heap"), ..sketch.directory.layers[0] };
    sketch.directory.layers.push(layer);
    let (set, values) = (sketch.set(set, u64::from(owners), 0), sketch.constant(u64::from(owners), 7));
    let neighbors: Vec<u32> = neighbors.iter().copied().cycle().take(owners as usize).collect();
    let offsets: Vec<u32> = (0..=owners).collect();
    let (offsets, neighbors) = (sketch.plain(&offsets), sketch.plain(&neighbors));
    let lists = sketch.lists(set, offsets, neighbors);
    sketch.edges("AT", u64::from(owners), lists);
    sketch.property("BYTES", set, None, values, None);
    sketch.directory.edge_labels[0].layer = 1;
    sketch.directory.properties.last_mut().expect("it was added").layer = 1;
    sketch
}

fn names(count: u32, name: fn(u32) -> String) -> Sketch {
    let mut sketch = Sketch::code(10);
    let names: Vec<_> = (0..count).map(|number| sketch.name(&name(number))).collect();
    sketch.directory.properties[0].name = names[0];
    sketch
}

fn control_characters() -> Sketch {
    let mut sketch = Sketch::code(10);
    let all = sketch.all();
    for name in ["\u{1b}[2J", "\u{0}", "\r\n", "\u{202e}DOHTEM", "", " "] {
        sketch.label(name, all);
    }
    sketch.every_label_of_every_node();
    sketch
}

fn paths_and_code() -> Sketch {
    let mut sketch = Sketch::code(10);
    let (all, values) = (sketch.all(), sketch.constant(10, 7));
    for name in ["../../x", "/x", "a\";System.exit(1);//", "class", "\\u0022", "x\u{0}y", "9", "METHOD"] {
        sketch.label(name, all);
        sketch.property(name, all, None, values, None);
    }
    sketch.every_label_of_every_node();
    sketch
}
