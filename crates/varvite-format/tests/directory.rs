//! The directory: a reader returns the same directory that was written, and refuses contradictions.

use varvite_codec::{Codec, Filter};
use varvite_format::{
    AdjacencyRow, Changes, ColumnId, Continuable, Continued, Directory, EdgeChangeRow, EdgeLabelId,
    EdgeLabelRow, Keys, LabelRow, LayerRow, NameId, NamesBuilder, Owner, Profile, PropertyChangeRow,
    PropertyId, PropertyRow, Purpose, SegmentId, SegmentRow, TextIndexRow, encode_ints,
};

const START: u64 = 3 * 4096;
const END: u64 = START + 1000;

/// A directory with a row in every table.
fn sample() -> Directory {
    let mut names = NamesBuilder::default();
    let [layer, tool, version, label, edge, property] =
        ["code", "varvite", "1", "METHOD", "CALL", "NAME"].map(|name| names.intern(name));
    let column = encode_ints(&[4i64, 9, 2], Keys::None, Purpose::Ids, Profile::Direct).unwrap().row;
    let mut dictionary = column;
    dictionary.children[0] = Some(ColumnId(0));
    dictionary.segments[0] = Some(SegmentId(0));
    let adjacency = AdjacencyRow { nodes: None, offsets: Some(ColumnId(0)), neighbors: Some(ColumnId(1)) };
    Directory {
        nodes: 3,
        codes: Some(ColumnId(1)),
        subtree: Some(ColumnId(0)),
        parents: Some(ColumnId(1)),
        tree_label: Some(EdgeLabelId(0)),
        names: names.build(),
        layers: vec![LayerRow { name: layer, tool, version, nodes: None, time: -5, source: [9; 32] }],
        labels: vec![LabelRow { name: label, layer: 0, nodes: ColumnId(0), origin_count: 7, origin: None }],
        edge_labels: vec![EdgeLabelRow {
            name: edge,
            layer: 0,
            edges: 1 << 40,
            out: adjacency,
            in_: adjacency,
            places: Some(ColumnId(1)),
        }],
        properties: vec![PropertyRow {
            name: property,
            layer: 0,
            owner: Owner::Edge(EdgeLabelId(0)),
            value_type: 3,
            cardinality: 1,
            default_kind: 1,
            default: i64::MIN,
            present: ColumnId(0),
            offsets: None,
            values: ColumnId(1),
            strings: None,
        }],
        text_indexes: vec![text_index(PropertyId(0))],
        label_sets: vec![0, 1],
        columns: vec![column, dictionary],
        segments: vec![segment(START, 12), segment(START + 64, 100)],
        changes: Some(changes(adjacency)),
    }
}

fn changes(side: AdjacencyRow) -> Changes {
    let (column, removed) = (ColumnId(1), Some(ColumnId(0)));
    let edges = EdgeChangeRow {
        edge_label: EdgeLabelId(0),
        appended: 2,
        out: side,
        out_ranks: Some(column),
        in_: side,
        in_ranks: None,
        removed,
        removed_in: removed,
    };
    let (owners, present, values) = (column, column, column);
    let property =
        PropertyChangeRow { property: PropertyId(0), owners, present, offsets: None, values, strings: None };
    Changes { base_nodes: 2, codes: Some(column), removed, edges: vec![edges], properties: vec![property] }
}

fn text_index(property: PropertyId) -> TextIndexRow {
    let [buckets, codes, groups, sets, starts, nodes] = [0, 1, 0, 1, 0, 1].map(ColumnId);
    TextIndexRow { property, buckets, codes, groups, sets, starts, nodes }
}

fn segment(offset: u64, len: u64) -> SegmentRow {
    SegmentRow {
        offset,
        stored_len: len,
        plain_len: len,
        table_hash: 77,
        block_len: 65_536,
        codec: Codec::None,
        filter: Filter::NONE,
    }
}

fn read(bytes: &[u8]) -> varvite_format::Result<Directory> {
    Directory::from_bytes(bytes, START, END)
}

/// Checks the error of reading a directory after `change`.
#[track_caller]
fn refused(change: impl FnOnce(&mut Directory), expected: &str) {
    let mut directory = sample();
    change(&mut directory);
    let error = read(&directory.to_bytes()).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn a_directory_comes_back() {
    for directory in [sample(), Directory::default()] {
        let bytes = directory.to_bytes();
        let back = read(&bytes).unwrap();
        assert_eq!(format!("{back:?}"), format!("{directory:?}"));
        assert_eq!(back.to_bytes(), bytes);
    }
}

#[test]
fn a_directory_of_another_length_is_refused() {
    let bytes = sample().to_bytes();
    for len in 0..bytes.len() {
        assert!(read(&bytes[..len]).is_err(), "{len}");
    }
    assert!(read(&[&bytes[..], &[0]].concat()).is_err());
}

#[test]
fn numbers_of_rows_that_do_not_exist_are_refused() {
    refused(|directory| directory.layers[0].tool = NameId(6), "a name that exists");
    refused(|directory| directory.labels[0].name = NameId(6), "a name that exists");
    refused(|directory| directory.labels[0].layer = 1, "a layer that exists");
    refused(|directory| directory.properties[0].layer = u32::MAX, "a layer that exists");
    refused(|directory| directory.labels[0].nodes = ColumnId(2), "a column that exists");
    refused(|directory| directory.codes = Some(ColumnId(2)), "a column that exists");
    refused(|directory| directory.edge_labels[0].places = Some(ColumnId(9)), "a column that exists");
    refused(
        |directory| directory.properties[0].owner = Owner::Edge(EdgeLabelId(1)),
        "an edge label that exists",
    );
    refused(|directory| directory.tree_label = Some(EdgeLabelId(1)), "an edge label that exists");
    refused(|directory| directory.text_indexes[0].property = PropertyId(1), "a property that exists");
    refused(|directory| directory.text_indexes[0].buckets = ColumnId(2), "a column that exists");
    refused(|directory| directory.text_indexes[0].nodes = ColumnId(u32::MAX), "a column that exists");
    refused(
        |directory| directory.columns[0].segments[1] = Some(SegmentId(2)),
        "a segment that exists, found 2 where there are 2",
    );
}

#[test]
fn renumbering_changes_every_root_and_nothing_else() {
    let (before, mut after) = (sample(), sample());
    after.renumber(|column| ColumnId(column.0 + 10));
    assert!(after.roots().eq(before.roots().map(|column| ColumnId(column.0 + 10))));
    assert_eq!(after.columns, before.columns);
}

#[test]
fn a_column_is_never_its_own_ancestor() {
    refused(|directory| directory.columns[0].children[0] = Some(ColumnId(0)), "children before their parent");
    refused(|directory| directory.columns[0].children[2] = Some(ColumnId(1)), "children before their parent");
    refused(|directory| directory.columns[1].children[1] = Some(ColumnId(7)), "children before their parent");
}

#[test]
fn kinds_and_defaults_are_known() {
    refused(|directory| directory.properties[0].cardinality = 3, "a known cardinality, found 3");
    refused(|directory| directory.properties[0].default_kind = 3, "a known kind of default, found 3");
    let expected = "a known name as its default";
    refused(
        |directory| (directory.properties[0].default_kind, directory.properties[0].default) = (2, 6),
        expected,
    );
    refused(
        |directory| (directory.properties[0].default_kind, directory.properties[0].default) = (2, -1),
        expected,
    );
}

#[test]
fn a_property_has_one_index_at_most() {
    let with_indexes_of = |properties: [u32; 2]| {
        move |directory: &mut Directory| {
            directory.properties.push(directory.properties[0]);
            directory.text_indexes = properties.map(|property| text_index(PropertyId(property))).to_vec();
        }
    };
    refused(with_indexes_of([0, 0]), "indexes that rise by their property");
    refused(with_indexes_of([1, 0]), "indexes that rise by their property");
    let mut directory = sample();
    with_indexes_of([0, 1])(&mut directory);
    assert_eq!(read(&directory.to_bytes()).unwrap().text_indexes.len(), 2);
}

#[test]
fn segments_lie_in_order_within_the_file() {
    refused(|directory| directory.segments[0].offset = START - 64, "a range within");
    refused(|directory| directory.segments[1].offset = START, "a range within");
    refused(|directory| directory.segments.swap(0, 1), "a range within");
    refused(|directory| directory.segments[1] = segment(START + 64, 925), "a range within");
    refused(|directory| directory.segments[1] = segment(u64::MAX - 63, 64), "a range within");
    refused(|directory| directory.segments[1].offset += 8, "a multiple of 64");
}

#[test]
fn masks_of_labels_are_whole() {
    let with_65_labels = |masks| {
        move |directory: &mut Directory| {
            directory.labels = vec![directory.labels[0]; 65];
            directory.label_sets = vec![0; masks];
        }
    };
    refused(with_65_labels(3), "a multiple of 2, found");
    let mut directory = sample();
    with_65_labels(4)(&mut directory);
    assert_eq!(read(&directory.to_bytes()).unwrap().mask_words(), 2);
}

/// A directory in bytes with these names. The rows of names, each an offset and a length, begin at byte 72,
/// and the pool is at the end.
fn with_names(texts: &[&[u8]], rows: &[(u32, u32)]) -> Vec<u8> {
    let mut directory = Directory::default().to_bytes();
    let pool = texts.concat();
    directory[24..28].copy_from_slice(&(rows.len() as u32).to_le_bytes());
    directory[60..64].copy_from_slice(&(pool.len() as u32).to_le_bytes());
    rows.iter().for_each(|(start, len)| directory.extend([start.to_le_bytes(), len.to_le_bytes()].concat()));
    directory.extend(pool);
    directory
}

#[test]
fn names_lie_end_to_end_and_differ() {
    assert_eq!(read(&with_names(&[b"ab", b"", b"c"], &[(0, 2), (2, 0), (2, 1)])).unwrap().names.len(), 3);
    type Case<'a> = (&'a str, &'a [&'a [u8]], &'a [(u32, u32)]);
    let cases: [Case<'_>; 6] = [
        ("ranges of the name pool end to end", &[b"ab"], &[(0, 2), (0, 2)]),
        ("ranges of the name pool end to end", &[b"ab"], &[(0, 3)]),
        ("ranges of the name pool end to end", &[b"ab"], &[(u32::MAX, 2)]),
        ("valid UTF-8", &[b"\xff\xfe"], &[(0, 2)]),
        ("each name once, found \"a\" again", &[b"aa"], &[(0, 1), (1, 1)]),
        ("name pool: expected 2 bytes, found 3", &[b"abc"], &[(0, 2)]),
    ];
    for (expected, texts, rows) in cases {
        let error = read(&with_names(texts, rows)).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn masks_name_labels_that_exist() {
    let with_labels = |labels: usize, mask: u64| {
        move |directory: &mut Directory| {
            directory.labels = vec![directory.labels[0]; labels];
            directory.label_sets = vec![0; directory.mask_words()];
            *directory.label_sets.last_mut().unwrap() = mask;
        }
    };
    for (labels, known, unknown) in [(0, 0, 1), (3, 0b111, 0b1000), (63, u64::MAX >> 1, 1 << 63), (65, 1, 2)]
    {
        refused(
            with_labels(labels, unknown),
            &format!("a label that exists, found {labels} where there are {labels}"),
        );
        let mut directory = sample();
        with_labels(labels, known)(&mut directory);
        read(&directory.to_bytes()).unwrap();
    }
    let mut directory = sample();
    with_labels(64, u64::MAX)(&mut directory);
    read(&directory.to_bytes()).unwrap();
}

/// An older directory, which `sample` continues.
fn older() -> (Directory, Continuable) {
    let mut directory = sample();
    directory.columns.truncate(1);
    directory.segments.truncate(1);
    let place = Continued { offset: START, len: 500, hash: 1, generation: 1 };
    (directory, Continuable { place, columns: 1, segments: 1 })
}

#[test]
fn a_directory_that_continues_another_is_completed_by_it() {
    let (older, rows) = older();
    let whole = sample().to_bytes();
    let short = rows.shorten(&whole).unwrap();
    assert_eq!(short.len(), whole.len() + 40 - 48 - 40, "its head, less a row of each table");
    let place = Continued::of(&short, START..END).unwrap().expect("it says what it continues");
    assert_eq!(place, rows.place);
    assert_eq!(place.complete(&older.to_bytes(), &short).unwrap(), (whole.clone(), rows));
    assert_eq!(Continued::of(&whole, START..END).unwrap(), None);
    assert!(read(&short).is_err(), "by itself it is none");
}

#[test]
fn a_directory_never_continues_what_is_not_before_it() {
    let (_, rows) = older();
    let short = rows.shorten(&sample().to_bytes()).unwrap();
    let refused = |within, expected: &str| {
        let error = Continued::of(&short, within).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(START + 1..END, "expected a range within");
    refused(START..START + 499, "expected a range within");
    let mut long = short.clone();
    long[16..24].copy_from_slice(&u64::MAX.to_le_bytes());
    let error = Continued::of(&long, START..END).unwrap_err().to_string();
    assert!(error.contains("16777216 bytes of directory"), "{error}");
    for len in 8..40 {
        assert!(Continued::of(&short[..len], START..END).is_err(), "{len}");
    }
}

#[test]
fn counts_that_lie_end_the_completion() {
    let (older, rows) = older();
    let (older, short) = (older.to_bytes(), rows.shorten(&sample().to_bytes()).unwrap());
    for table in 0..10 {
        let at = 24 + 4 * table;
        let with_lie = |bytes: &[u8], at: usize| {
            let mut bytes = bytes.to_vec();
            bytes[at..at + 4].fill(0xff);
            bytes
        };
        let completed = rows.place.complete(&with_lie(&older, at), &short);
        // The names and the pool of the older directory are not used.
        assert!(completed.is_err() || table == 9, "table {table} of the older");
        let completed = rows.place.complete(&older, &with_lie(&short, 40 + at));
        assert!(completed.is_err() || table == 9, "table {table}");
    }
    for len in 0..short.len() {
        let completed = rows.place.complete(&older, &short[..len]);
        assert!(completed.map_or(true, |(whole, _)| read(&whole).is_err()), "{len} bytes");
    }
    for len in 0..older.len() {
        drop(rows.place.complete(&older[..len], &short));
    }
}
