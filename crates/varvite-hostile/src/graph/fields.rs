//! A small valid graph in which every field of the directory in turn is replaced by invalid numbers.
//!
//! Offsets are taken from `docs/format.md`. The first row of each table is changed, with matching checksums.

use varvite_format::{ColumnId, EdgeLabelId, Encoding, Owner, PropertyId, PropertyRow, TextIndexRow};

use super::sketch::Sketch;
use crate::HostileFile;
use varvite_testing::repair::{BEFORE_SEGMENTS, DIRECTORY_FIXED, repair};

const NODES: u32 = 20;
const SUPERBLOCK_DIRECTORY: usize = 4096 + 16;

/// A table of the directory: its name, its number, and the name, offset and size of each field.
struct Table(&'static str, usize, &'static [(&'static str, usize, usize)]);

const HEAD: &[(&str, usize, usize)] = &[
    ("nodes", 8, 4),
    ("label-codes", 12, 4),
    ("subtree-sizes", 16, 4),
    ("tree-label", 20, 4),
    ("count-of-names", 24, 4),
    ("count-of-layers", 28, 4),
    ("count-of-labels", 32, 4),
    ("count-of-edge-labels", 36, 4),
    ("count-of-properties", 40, 4),
    ("count-of-indexes", 44, 4),
    ("count-of-label-sets", 48, 4),
    ("count-of-columns", 52, 4),
    ("count-of-segments", 56, 4),
    ("count-of-letters", 60, 4),
    ("parents", 64, 4),
];

const TABLES: [Table; 8] = [
    Table("name", 0, &[("offset", 0, 4), ("length", 4, 4)]),
    Table("layer", 1, &[("name", 0, 4), ("tool", 4, 4), ("nodes", 12, 4), ("time", 16, 8)]),
    Table(
        "label",
        2,
        &[("name", 0, 4), ("layer", 4, 4), ("nodes", 8, 4), ("places", 12, 4), ("origin", 16, 4)],
    ),
    Table(
        "edge-label",
        3,
        &[
            ("name", 0, 4),
            ("layer", 4, 4),
            ("edges", 8, 8),
            ("out-nodes", 16, 4),
            ("out-offsets", 20, 4),
            ("out-neighbours", 24, 4),
            ("in-nodes", 28, 4),
            ("in-offsets", 32, 4),
            ("in-neighbours", 36, 4),
            ("places", 40, 4),
        ],
    ),
    Table(
        "property",
        4,
        &[
            ("name", 0, 4),
            ("layer", 4, 4),
            ("owner", 8, 4),
            ("type", 12, 1),
            ("cardinality", 13, 1),
            ("default-kind", 14, 1),
            ("default", 16, 8),
            ("owners", 24, 4),
            ("offsets", 28, 4),
            ("values", 32, 4),
            ("texts", 36, 4),
        ],
    ),
    Table(
        "index",
        5,
        &[
            ("property", 0, 4),
            ("buckets", 4, 4),
            ("codes", 8, 4),
            ("groups", 12, 4),
            ("sets", 16, 4),
            ("starts", 20, 4),
            ("nodes", 24, 4),
        ],
    ),
    Table(
        "column",
        7,
        &[
            ("encoding", 0, 2),
            ("width", 2, 1),
            ("flags", 3, 1),
            ("count", 4, 8),
            ("base", 12, 8),
            ("step", 20, 8),
            ("child", 28, 4),
            ("segment", 40, 4),
        ],
    ),
    Table(
        "segment",
        8,
        &[
            ("offset", 0, 8),
            ("stored-length", 8, 8),
            ("plain-length", 16, 8),
            ("block-length", 32, 4),
            ("codec", 36, 1),
            ("filter-width", 37, 1),
            ("filter-flags", 38, 1),
        ],
    ),
];

pub(super) fn all() -> Vec<HostileFile> {
    let good = small().finish();
    let directory = u64_at(&good, SUPERBLOCK_DIRECTORY) as usize;
    // The valid graph is also one of the files, to show that every query has a result.
    let mut files = vec![HostileFile::graph("a-sound-graph", good.clone())];
    for (name, at, width) in HEAD {
        files.extend(changed(&good, &format!("directory-{name}"), directory + at, *width));
    }
    let mut start = directory + DIRECTORY_FIXED;
    let sizes = BEFORE_SEGMENTS.into_iter().chain([40]);
    for (number, size) in sizes.enumerate() {
        for Table(table, _, fields) in TABLES.iter().filter(|table| table.1 == number) {
            for (name, at, width) in *fields {
                files.extend(changed(&good, &format!("{table}-{name}"), start + at, *width));
            }
        }
        let count = directory + 24 + 4 * number;
        start += size
            * u32::from_le_bytes([good[count], good[count + 1], good[count + 2], good[count + 3]]) as usize;
    }
    files
}

/// The file with typical wrong numbers in a field, one file for each number.
fn changed(good: &[u8], field: &str, at: usize, width: usize) -> Vec<HostileFile> {
    let values: &[(&str, u64)] = match width {
        1 => &[("255", 255)],
        2 => &[("99", 99)],
        4 => &[("1", 1), ("2^32", u64::MAX)],
        _ => &[("2^33", 1 << 33), ("2^64", u64::MAX)],
    };
    let file = |(name, value): &(&str, u64)| {
        let mut file = good.to_vec();
        file[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
        repair(&mut file);
        HostileFile::graph(format!("field-{field}-is-{name}"), file)
    };
    values.iter().map(file).filter(|file| file.bytes != good).collect()
}

fn u64_at(file: &[u8], at: usize) -> u64 {
    file.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// A graph with a forest, CALL edges with a property, lists of numbers, and texts with an index.
fn small() -> Sketch {
    let mut sketch = Sketch::new(NODES);
    let last = u64::from(NODES) - 1;
    labels(&mut sketch);
    let offsets: Vec<u32> = (0..=NODES).collect();
    let targets: Vec<u32> = (1..NODES).chain([0]).collect();
    let sources: Vec<u32> = std::iter::once(NODES - 1).chain(0..NODES - 1).collect();
    let (out, in_) = (sketch.plain_lists(&offsets, &targets), sketch.plain_lists(&offsets, &sources));
    sketch.edges_both_ways("CALL", u64::from(NODES), out, in_);
    sketch.edges_both_ways("CONTAINS", u64::from(NODES), out, in_);
    sketch.directory.edge_labels[0].places = Some(sketch.constant(u64::from(NODES), 0));
    let (sizes, parents) = (sketch.sequence(u64::from(NODES), last as i64, -1), chain_parents(&mut sketch));
    sketch.forest(last, sizes, parents);
    names_with_index(&mut sketch);
    numbers(&mut sketch);
    sketch
}

/// Makes the first node a METHOD, and the others CALLs.
fn labels(sketch: &mut Sketch) {
    let first = sketch.set(Encoding::RangeSet, 1, 0);
    let others = sketch.set(Encoding::RangeSet, u64::from(NODES) - 1, 1);
    sketch.label("METHOD", first);
    sketch.label("CALL", others);
    sketch.directory.labels[0].origin_count = 1;
    sketch.directory.labels[1].origin_count = NODES - 1;
    sketch.directory.codes = Some(sketch.bytes((0..NODES).map(|node| u8::from(node > 0)).collect()));
    sketch.directory.label_sets = vec![0b01, 0b10];
}

fn chain_parents(sketch: &mut Sketch) -> ColumnId {
    sketch.bytes((0..NODES).map(|node| u8::from(node > 0)).collect())
}

/// Adds a list of two numbers for each node, and a number for each CALL edge.
fn numbers(sketch: &mut Sketch) {
    let (present, offsets) = (sketch.all(), sketch.sequence(u64::from(NODES) + 1, 0, 2));
    let values = sketch.bytes((0..2 * NODES as u8).collect());
    sketch.property("ORDER", present, Some(offsets), values, None);
    let values = sketch.bytes((0..NODES as u8).collect());
    let weight = sketch.name("WEIGHT");
    let order = sketch.directory.properties[2];
    sketch.directory.properties.push(PropertyRow {
        name: weight,
        owner: Owner::Edge(EdgeLabelId(0)),
        cardinality: 1,
        offsets: None,
        values,
        ..order
    });
}

/// Names the METHOD `main` and the CALLs `other`, with an index of both names.
fn names_with_index(sketch: &mut Sketch) {
    let texts = sketch.texts(&["main", "other"]);
    let codes = sketch.bytes((0..NODES).map(|node| u8::from(node > 0)).collect());
    sketch.text_property("NAME", NODES, codes, texts);
    let rising = sketch.sequence(2, 0, 1);
    let buckets = sketch.plain(&[0, 2]);
    let groups = sketch.sequence(3, 0, 1);
    let starts = sketch.plain(&[0, 1, NODES]);
    let nodes = sketch.sequence(u64::from(NODES), 0, 1);
    let row =
        TextIndexRow { property: PropertyId(0), buckets, codes: rising, groups, sets: rising, starts, nodes };
    sketch.directory.text_indexes.push(row);
    sketch.text_property("FULL_NAME", NODES, codes, texts);
}
