//! Golden files, each of which is damaged in one place. The expected answers are in
//! `conformance/cases/damaged`.
//!
//! In files for tests of a check that comes after the check of checksums, the checksums are repaired.

use varvite::Profile;
use varvite::{columns::WriteOptions, write::Codec};
use varvite_format::{PAGE, SegmentRow};
use varvite_model::{ModelGraph, RandomGraph, Value};
use varvite_testing::draft::{Draft, open_bytes};
use varvite_testing::repair::repair;

/// A damaged file.
pub(super) struct Damaged {
    pub(super) name: &'static str,
    pub(super) bytes: Vec<u8>,
}

/// A dozen nodes in a row, with one label, one edge label and a few properties.
fn small() -> ModelGraph {
    let mut graph = ModelGraph::default();
    let nodes: Vec<_> = (0..12).map(|_| graph.add_node(&["METHOD"])).collect();
    for pair in nodes.windows(2) {
        graph.add_edge(pair[0], "AST", pair[1], None);
        graph.add_edge(pair[0], "REF", pair[0], None);
        graph.add_edge(pair[1], "REF", pair[0], None);
    }
    for node in &nodes {
        graph.set_property(*node, "NAME", vec![Value::string(&"name"[..1 + node.0 % 4])]);
        graph.set_property(*node, "ORDER", vec![Value::I32(node.0 as i32 * node.0 as i32)]);
    }
    graph
}

/// The bytes of the undamaged file from which all damaged files are made.
pub(super) fn small_bytes() -> Vec<u8> {
    small_draft().bytes(Profile::Direct)
}

fn small_draft() -> Draft {
    let mut draft = Draft::of(&small());
    draft.edges.retain(|edges| edges.name == "AST" || edges.name == "REF");
    let kept = ["NAME", "ORDER"];
    draft.properties.retain(|property| kept.contains(&property.spec.name.as_str()));
    assert_ne!(RandomGraph::EDGE_PROPERTY_LABEL, "REF");
    draft
}

/// All damaged files.
pub(super) fn files() -> Vec<Damaged> {
    let good = small_bytes();
    let directory = u64_at(&good, PAGE + 16) as usize;
    let changed = |at: usize, bytes: &[u8]| {
        let mut file = good.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let repaired = |at: usize, bytes: &[u8]| {
        let mut file = changed(at, bytes);
        repair(&mut file);
        file
    };
    let row = |table: usize, row: usize| table_at(&good, directory, table) + row * SIZES[table];
    let column = |number: u32, field: usize| row(COLUMNS, number as usize) + field;
    let segment_of = |number: u32| {
        let segment = u32_at(&good, column(number, 40)) as usize;
        u64_at(&good, row(SEGMENTS, segment)) as usize
    };
    let property = |name: &str, field: usize| u32_at(&good, row(PROPERTIES, number_of(name)) + field);
    let refs = u32_at(&good, row(EDGE_LABELS, 1) + 24);
    let ref_offsets = u32_at(&good, row(EDGE_LABELS, 1) + 20);
    let starts = u32_at(&good, column(property("NAME", 36), 28));
    let doubled = || {
        let mut file = good.clone();
        for number in 1..6u32 {
            let children = [number - 1; 2].map(u32::to_le_bytes).concat();
            let at = column(number, 28);
            file[at..at + children.len()].copy_from_slice(&children);
        }
        repair(&mut file);
        file
    };
    let codes = open_bytes(&good).unwrap().store().directory().codes.unwrap().0;
    let damaged = |name, bytes| Damaged { name, bytes };
    vec![
        damaged("empty", Vec::new()),
        damaged("zip", b"PK\x03\x04 and then something else".to_vec()),
        damaged("flatgraph", b"FLT GRPH........".to_vec()),
        damaged("text-mode", changed(8, b"\n")),
        damaged("short-header", good[..100].to_vec()),
        damaged("header-checksum", changed(30, b"?")),
        damaged("newer-version", repaired(16, &[9])),
        damaged("unknown-feature", repaired(40, &[4])),
        damaged("unknown-profile", repaired(56, &[3])),
        damaged("superblock-checksum", changed(PAGE + 9, b"?")),
        damaged("even-generation", repaired(PAGE + 8, &[2])),
        damaged("no-commit", changed(PAGE, &[0; PAGE])),
        damaged("cut-short", good[..good.len() - 50].to_vec()),
        damaged("directory-checksum", changed(directory + 9, b"?")),
        damaged("row-counts", repaired(directory + 24, &[99])),
        damaged("name-not-utf8", repaired(row(POOL, 0), &[0xff])),
        damaged("unknown-name", repaired(row(LABELS, 0), &[0x77; 4])),
        damaged("unknown-column", repaired(row(LABELS, 0) + 8, &[0x77; 4])),
        damaged("unknown-encoding", repaired(column(0, 0), &[99])),
        damaged("unknown-flag", repaired(column(0, 3), &[16])),
        damaged("child-after-parent", repaired(column(0, 28), &[0, 0, 0, 0])),
        damaged("unknown-codec", repaired(row(SEGMENTS, 0) + 36, &[7])),
        damaged("segment-unaligned", repaired(row(SEGMENTS, 0), &[1])),
        damaged("segment-outside", repaired(row(SEGMENTS, 0) + 5, &[1])),
        damaged("unknown-cardinality", repaired(row(PROPERTIES, 0) + 13, &[9])),
        damaged("unknown-type", repaired(row(PROPERTIES, 0) + 12, &[99])),
        damaged("count-too-large", repaired(column(property("ORDER", 32), 5), &[1])),
        damaged("set-too-large", repaired(column(property("ORDER", 24), 4), &[200])),
        damaged("set-is-integers", repaired(column(property("ORDER", 24), 0), &[16])),
        damaged("neighbours-missing", repaired(column(refs, 4), &[20])),
        damaged("claimed-nodes", repaired(directory + 8, &[0xff; 4])),
        damaged("claimed-values", repaired(column(0, 4) + 7, &[0x10])),
        damaged("claimed-edges", repaired(row(EDGE_LABELS, 0) + 8, &[0xff; 8])),
        damaged("claimed-parts", doubled()),
        damaged("offset-too-large", repaired(segment_of(ref_offsets) + 8, &[0xf0])),
        damaged("text-code-outside", repaired(segment_of(property("NAME", 32)) + 3, &[0xf0])),
        damaged("neighbour-outside", repaired(segment_of(refs) + 4, &[0xf0])),
        damaged("label-set-outside", repaired(column(codes, 12), &[9])),
        damaged("text-outside", repaired(segment_of(starts) + 2, &[0xf0, 0xff])),
    ]
}

/// Files with damage that only checksums or a codec detect. Readers find such damage in a part that they
/// decode, but not in a part that they map.
pub(super) fn checked() -> [Damaged; 2] {
    let mut flipped = small_bytes();
    let at = position_of(&flipped, b"name");
    flipped[at] = b'g';
    let options = WriteOptions { profile: Profile::Archive, codec: Codec::Zstd, ..WriteOptions::default() };
    let mut coded = small_draft().bytes_with(&options);
    let graph = open_bytes(&coded).unwrap();
    let is_coded = |segment: &&SegmentRow| segment.codec != Codec::None;
    let segment = graph.store().directory().segments.iter().find(is_coded).unwrap();
    let at = segment.offset as usize + 2;
    coded[at] ^= 0xff;
    [Damaged { name: "block-checksum", bytes: flipped }, Damaged { name: "block-codec", bytes: coded }]
}

fn position_of(file: &[u8], text: &[u8]) -> usize {
    file.windows(text.len()).position(|window| window == text).unwrap()
}

/// A file whose newest commit is damaged, while the commit before it is undamaged. The file opens, and the
/// graph reports the damage.
pub(super) fn recovered() -> Vec<u8> {
    let mut file = small_bytes();
    file.copy_within(PAGE..2 * PAGE, 2 * PAGE);
    file[2 * PAGE + 8] = 2;
    file[2 * PAGE + 32] ^= 1;
    let id: [u8; 16] = file[24..40].try_into().unwrap();
    let sum = varvite_codec::hash(&file[2 * PAGE..2 * PAGE + 48], varvite_codec::hash(&id, 0));
    file[2 * PAGE + 48..2 * PAGE + 56].copy_from_slice(&sum.to_le_bytes());
    file
}

/// The row size of each table, as given in docs/format.md.
const SIZES: [usize; 10] = [8, 56, 20, 44, 40, 28, 8, 48, 40, 1];
const LABELS: usize = 2;
const EDGE_LABELS: usize = 3;
const PROPERTIES: usize = 4;
const COLUMNS: usize = 7;
const SEGMENTS: usize = 8;
const POOL: usize = 9;

fn table_at(file: &[u8], directory: usize, table: usize) -> usize {
    let before = SIZES.iter().enumerate().take(table);
    let lengths = before.map(|(number, size)| u32_at(file, directory + 24 + 4 * number) as usize * size);
    directory + 72 + lengths.sum::<usize>()
}

/// The number of a property of the small file.
fn number_of(property: &str) -> usize {
    ["ORDER", "NAME"].iter().position(|name| *name == property).unwrap()
}

fn u32_at(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

fn u64_at(file: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(file[at..at + 8].try_into().unwrap())
}
