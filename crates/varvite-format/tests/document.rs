//! Checks `docs/format.md` against the code: the sizes in its tables add up, its numbers are those of the
//! code, and its examples can be read.

use std::sync::Arc;

use varvite_codec::{BlockAddress, Codec, Filter, block_hash, hash};
use varvite_format::{
    AdjacencyRow, Changes, ColumnId, ColumnRow, Directory, EdgeChangeRow, EdgeLabelId, EdgeLabelRow,
    EncodedColumn, EncodedSegment, Encoding, FORMAT_VERSION, Header, Ints, Keys, LabelRow, LayerRow,
    LogRecord, NameId, NamesBuilder, NodeSet, Owner, PAGE, PLAIN_BLOCK, Profile, PropertyChangeRow,
    PropertyId, PropertyRow, Purpose, SEGMENT_ALIGN, SegmentRow, Superblock, TextIndexRow, encode_ints,
};
use varvite_testing::memory::Memory;

const DOCUMENT: &str = include_str!("../../../docs/format.md");

/// A row of a table: its cells, without backticks.
type Row = Vec<String>;

/// The rows of the table whose first line is `head`.
#[track_caller]
fn table(head: &str) -> Vec<Row> {
    let start = DOCUMENT.find(head).unwrap_or_else(|| panic!("no table {head:?}"));
    rows(&DOCUMENT[start..])
}

/// The rows of the first table in `text`, without its head.
fn rows(text: &str) -> Vec<Row> {
    let lines =
        text.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
    lines.skip(2).map(cells).collect()
}

/// The table of offsets under the heading `name`, and the number of bytes that the heading states. Checks
/// that there are no gaps between fields.
#[track_caller]
fn layout(name: &str) -> (Vec<Row>, usize) {
    let heading =
        DOCUMENT.lines().find(|line| line.starts_with('#') && line.contains(&format!("# {name} ("))).unwrap();
    let bytes = heading.rsplit_once('(').unwrap().1.trim_end_matches(" bytes)").parse().unwrap();
    let rows = rows(&DOCUMENT[DOCUMENT.find(heading).unwrap()..]);
    let mut end = 0;
    for row in &rows {
        assert_eq!(row[0].parse(), Ok(end), "{name}: {row:?}");
        end += row[1].parse::<usize>().unwrap();
    }
    assert_eq!(end, bytes, "{name}");
    (rows, bytes)
}

fn size(name: &str) -> usize {
    layout(name).1
}

fn constant(name: &str) -> u64 {
    let rows = table("| name | value | meaning |");
    rows.iter().find(|row| row[0] == name).unwrap()[1].parse().unwrap()
}

#[test]
fn constants_are_those_of_the_code() {
    assert_eq!(constant("format version"), u64::from(FORMAT_VERSION));
    assert_eq!(constant("page"), PAGE as u64);
    assert_eq!(constant("segment alignment"), SEGMENT_ALIGN);
    assert_eq!(constant("directory limit"), Superblock::DIRECTORY_MAX);
    assert_eq!(constant("log limit"), LogRecord::LOG_MAX);
    assert_eq!(constant("plain block"), u64::from(PLAIN_BLOCK));
    assert_eq!(constant("codec block"), u64::from(SegmentRow::block_len_of(Codec::Zstd)));
    assert_eq!(constant("name limit"), 65_536, "named in the tests of the store");
    assert_eq!(constant("unstored limit"), 1 << 32, "named in the tests of integers");
}

#[test]
fn limits_on_claims_are_those_of_the_code() {
    const LENGTH: u64 = 16 << 20;
    let is_legal = |directory: Directory| directory.check_claims(LENGTH).is_ok();
    let places = |places: u64| {
        let row = LabelRow { name: NameId(0), layer: 0, nodes: ColumnId(0), origin_count: 0, origin: None };
        let whole = (0..places / (1 << 31)).map(|_| LabelRow { origin_count: 1 << 31, ..row });
        let rest = LabelRow { origin_count: (places % (1 << 31)) as u32, ..row };
        Directory { labels: whole.chain([rest]).collect(), ..Directory::default() }
    };
    let values = constant("values of a byte") * LENGTH;
    assert!(is_legal(places(values)) && !is_legal(places(values + 1)));
    let plain = |plain_len| Directory { segments: vec![coded_segment(plain_len)], ..Directory::default() };
    let bytes = constant("plain bytes of a byte") * LENGTH;
    assert!(is_legal(plain(bytes)) && !is_legal(plain(bytes + 1)));
    let free = constant("plain bytes in any file");
    assert!(plain(free).check_claims(1).is_ok() && plain(free + 1).check_claims(1).is_err());
    let named = |rows| {
        let mut names = NamesBuilder::default();
        let name = names.intern(&"n".repeat(1 << 16));
        let row = LayerRow { name, tool: name, version: name, nodes: None, time: 0, source: [0; 32] };
        Directory { names: names.build(), layers: vec![row; rows], ..Directory::default() }
    };
    let rows = (constant("bytes of names of a byte") * LENGTH / (3 << 16)) as usize;
    assert!(is_legal(named(rows)) && !is_legal(named(rows + 1)));
}

fn coded_segment(plain_len: u64) -> SegmentRow {
    let (codec, filter) = (Codec::Zstd, Filter::NONE);
    SegmentRow { offset: 0, stored_len: 1, plain_len, table_hash: 0, block_len: 1, codec, filter }
}

#[test]
fn every_layout_adds_up_to_the_size_in_the_code() {
    assert_eq!(size("Header"), PAGE);
    assert_eq!(size("Superblock"), PAGE);
    assert_eq!(size("Column"), ColumnRow::SIZE);
    assert_eq!(size("Segment"), SegmentRow::SIZE);
    assert_eq!(size("Log record, head"), LogRecord::HEAD);
    assert_eq!(size("Directory, fixed part"), Directory::default().to_bytes().len());
    for (name, with_row) in directories_of_one_row() {
        assert_eq!(size(name), with_row.to_bytes().len() - Directory::default().to_bytes().len(), "{name}");
    }
    let fixed = Directory::default().to_bytes().len();
    let with_changes = |changes| Directory { changes: Some(changes), ..Directory::default() };
    let changed = |changes| with_changes(changes).to_bytes().len() - fixed;
    assert_eq!(size("Changes, head"), changed(Changes::default()));
    let (head, (edges, properties)) = (changed(Changes::default()), changes_of_one_row());
    assert_eq!(size("Edge change"), changed(edges) - head);
    assert_eq!(size("Property change"), changed(properties) - head);
    assert_eq!(size("Packed block header"), 48);
    assert_eq!(size("Sloped block header"), 64);
    assert_eq!(size("Local block header"), 16);
    assert_eq!(size("Block table entry"), 12);
}

/// Changes of one edge label, and of one property.
fn changes_of_one_row() -> (Changes, Changes) {
    let none = AdjacencyRow { nodes: None, offsets: None, neighbors: None };
    let edges = EdgeChangeRow {
        edge_label: EdgeLabelId(0),
        appended: 0,
        out: none,
        out_ranks: None,
        in_: none,
        in_ranks: None,
        removed: None,
        removed_in: None,
    };
    let (property, column) = (PropertyId(0), ColumnId(0));
    let (owners, present, values) = (column, column, column);
    let property = PropertyChangeRow { property, owners, present, offsets: None, values, strings: None };
    (
        Changes { edges: vec![edges], ..Changes::default() },
        Changes { properties: vec![property], ..Changes::default() },
    )
}

fn directories_of_one_row() -> [(&'static str, Directory); 6] {
    let empty = Directory::default;
    let (name, none) = (NameId(0), AdjacencyRow { nodes: None, offsets: None, neighbors: None });
    let mut names = NamesBuilder::default();
    names.intern("");
    let layer = LayerRow { name, tool: name, version: name, nodes: None, time: 0, source: [0; 32] };
    let label = LabelRow { name, layer: 0, nodes: ColumnId(0), origin_count: 0, origin: None };
    let edge_label = EdgeLabelRow { name, layer: 0, edges: 0, out: none, in_: none, places: None };
    let property = PropertyRow {
        name,
        layer: 0,
        owner: Owner::Node,
        value_type: 0,
        cardinality: 0,
        default_kind: 0,
        default: 0,
        present: ColumnId(0),
        offsets: None,
        values: ColumnId(0),
        strings: None,
    };
    let column = ColumnId(0);
    let (groups, sets, starts, nodes) = (column, column, column, column);
    let text_index =
        TextIndexRow { property: PropertyId(0), buckets: column, codes: column, groups, sets, starts, nodes };
    [
        ("Name", Directory { names: names.build(), ..empty() }),
        ("Layer", Directory { layers: vec![layer], ..empty() }),
        ("Label", Directory { labels: vec![label], ..empty() }),
        ("Edge label", Directory { edge_labels: vec![edge_label], ..empty() }),
        ("Property", Directory { properties: vec![property], ..empty() }),
        ("Text index", Directory { text_indexes: vec![text_index], ..empty() }),
    ]
}

#[test]
fn the_tables_of_the_directory_have_the_sizes_of_their_rows() {
    let rows = table("| table | row bytes | rows |");
    let sizes: Vec<(&str, usize)> =
        rows.iter().map(|row| (row[0].as_str(), row[1].parse().unwrap())).collect();
    let expected = [
        ("names", size("Name")),
        ("layers", size("Layer")),
        ("labels", size("Label")),
        ("edge labels", size("Edge label")),
        ("properties", size("Property")),
        ("text indexes", size("Text index")),
        ("label sets", 8),
        ("columns", size("Column")),
        ("segments", size("Segment")),
        ("name pool", 1),
    ];
    assert_eq!(sizes, expected);
}

#[test]
fn magics_and_numbers_are_at_their_offsets() {
    let header = Header { file_id: [7; 16], profile: Profile::Archive }.to_page();
    let magic: Vec<u8> = hex(&layout("Header").0[0][2].split_once("magic ").unwrap().1[..47]);
    assert_eq!(header[..16], magic);
    assert_eq!((header[16..20].to_vec(), header[24], header[56]), (vec![1, 0, 0, 0], 7, 2));
    for profile in Profile::ALL {
        assert!(layout("Header").0.iter().any(|row| row[2].contains(&format!(
            "{} {}",
            profile.to_number(),
            profile.name()
        ))));
    }
    let slot = Superblock {
        generation: 1,
        directory_offset: 2,
        directory_len: 3,
        directory_hash: 4,
        file_len: 5,
        required_features: 6,
    };
    let slot = slot.to_page(&[7; 16]);
    assert_eq!(&slot[..8], b"VVSUPER1");
    assert_eq!([8, 16, 24, 32, 40, 48].map(|at| slot[at]), [1, 2, 3, 4, 5, 6]);
    assert_eq!(slot[56..64], hash(&slot[..56], hash(&[7; 16], 0)).to_le_bytes());
    assert_eq!(header[64..72], hash(&header[..64], 0).to_le_bytes());
}

#[test]
fn the_fixed_part_of_the_directory_names_columns_at_their_offsets() {
    let column = |number| Some(ColumnId(number));
    let directory = Directory {
        nodes: 1,
        codes: column(2),
        subtree: column(3),
        tree_label: Some(EdgeLabelId(4)),
        parents: column(5),
        ..Directory::default()
    };
    let bytes = directory.to_bytes();
    assert_eq!([8, 12, 16, 20, 64].map(|at| bytes[at]), [1, 2, 3, 4, 5]);
    let fields = layout("Directory, fixed part").0;
    let words = ["number of nodes", "label code", "subtree size", "edge label", "parent distance"];
    for (at, word) in ["8", "12", "16", "20", "64"].into_iter().zip(words) {
        assert!(fields.iter().any(|row| row[0] == at && row[2].contains(word)), "{word}");
    }
}

#[test]
fn encodings_codecs_and_value_types_have_their_numbers() {
    let encodings = table("| encoding | name | kind |");
    let expected =
        Encoding::ALL.iter().map(|encoding| ((*encoding as u16).to_string(), encoding.name().to_owned()));
    assert!(encodings.iter().map(|row| (row[0].clone(), row[1].clone())).eq(expected));
    for row in table("| codec | name |") {
        assert_eq!(Codec::from_number(row[0].parse().unwrap()).unwrap().name(), row[1]);
    }
    let code = include_str!("../../varvite-graph/src/cursor/value.rs").to_lowercase();
    for row in table("| value type | name |") {
        assert!(code.contains(&format!("{} = {},", row[1], row[0])), "{row:?}");
    }
}

#[test]
fn flags_have_their_bits() {
    let plain = encode_ints(&[0; 1], Keys::None, Purpose::Numbers, Profile::Direct).unwrap().row;
    let rows = [
        ("relative", ColumnRow { relative: true, ..plain }),
        ("sorted", ColumnRow { sorted: true, ..plain }),
        ("signed", ColumnRow { signed: true, ..plain }),
        ("sloped", ColumnRow { sloped: true, ..plain }),
    ];
    let published = table("| flag | meaning |");
    assert_eq!(published.len(), rows.len());
    for ((name, row), flag) in rows.into_iter().zip(published) {
        assert!(flag[1].starts_with(name), "{flag:?}");
        let directory = Directory { columns: vec![row], ..Directory::default() }.to_bytes();
        let bits = directory[size("Directory, fixed part") + 3];
        assert_eq!(bits.to_string(), flag[0], "{name}");
    }
}

#[test]
fn checksums_have_the_published_values() {
    let file: [u8; 16] = std::array::from_fn(|index| index as u8);
    let address: Vec<u8> = [&file[..], &1u32.to_le_bytes(), &2u32.to_le_bytes()].concat();
    let expected = [
        hash(&file, 0),
        hash(&address, 0),
        block_hash(b"varvite", BlockAddress { file, segment: 1, block: 2 }),
        hash(b"", 0),
    ];
    let published = table("| value | expected |").into_iter().map(|row| row[1].clone());
    assert!(published.eq(expected.map(|value| format!("{value:016x}"))), "{expected:016x?}");
}

/// Parses bytes in the notation of the examples: `00*7` is seven times zero.
fn hex(text: &str) -> Vec<u8> {
    let bytes = text.split_whitespace().flat_map(|word| {
        let (byte, times) = word.split_once('*').unwrap_or((word, "1"));
        std::iter::repeat_n(u8::from_str_radix(byte, 16).unwrap(), times.parse().unwrap())
    });
    bytes.collect()
}

/// The column of an example.
fn example(row: &Row, count: usize) -> (Memory, ColumnId) {
    let mut column: EncodedColumn =
        encode_ints(&[0; 1], Keys::None, Purpose::Numbers, Profile::Direct).unwrap();
    column.row.encoding = *Encoding::ALL.iter().find(|encoding| encoding.name() == row[0]).unwrap();
    column.row.count = count as u64;
    for parameter in row[1].split(", ").filter(|parameter| !parameter.starts_with("limit")) {
        match parameter.split_once(' ') {
            Some(("width", width)) => column.row.width = width.parse().unwrap(),
            Some(("step", step)) => column.row.step = step.parse().unwrap(),
            _ => (column.row.signed, column.row.sloped) = (parameter == "signed", parameter == "sloped"),
        }
    }
    let segments = row[3..].iter().filter(|segment| !segment.is_empty());
    column.segments = segments.map(|segment| EncodedSegment::new(hex(segment), Filter::NONE)).collect();
    Memory::of(&column)
}

#[test]
fn the_examples_can_be_read() {
    for row in table("| encoding | row | values |") {
        let values: Vec<i64> = row[2].split(", ").map(|value| value.parse().unwrap()).collect();
        let (memory, root) = example(&row, values.len());
        match row[1].strip_prefix("limit ") {
            Some(limit) => {
                let set: NodeSet<Arc<[u8]>> = NodeSet::open(&memory, root, limit.parse().unwrap()).unwrap();
                let ranks = values.iter().map(|member| set.member_rank(*member as u32));
                assert!(ranks.eq((0..values.len()).map(Some)), "{row:?}");
            }
            None => {
                let ints = Ints::open(&memory, root).unwrap();
                let read: Vec<i64> = (0..values.len()).map(|index| ints.get(index, 0).unwrap()).collect();
                assert_eq!(read, values, "{row:?}");
            }
        }
    }
}
