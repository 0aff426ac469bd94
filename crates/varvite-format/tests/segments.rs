//! Segment rows and block tables: ranges must be inside the file, and blocks must be at their offsets.

use varvite_codec::{Codec, Filter};
use varvite_format::{BlockTable, BlockTableBuilder, Directory, SegmentRow};

const START: u64 = 3 * 4096;
const FILE: [u8; 16] = [7; 16];
const ROW: SegmentRow = SegmentRow {
    offset: START,
    stored_len: 100,
    plain_len: 100,
    table_hash: 0,
    block_len: 64,
    codec: Codec::None,
    filter: Filter::NONE,
};

/// Reads a row through a directory; the error is a text.
fn read(row: SegmentRow) -> Result<SegmentRow, String> {
    let directory = Directory { segments: vec![row], ..Directory::default() };
    match Directory::from_bytes(&directory.to_bytes(), START, START + 1000) {
        Ok(directory) => Ok(directory.segments[0]),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn a_row_comes_back() {
    let planes = Filter { width: 4, delta: true, planes: true };
    for row in [ROW, SegmentRow { codec: Codec::Zstd, stored_len: 9, filter: planes, ..ROW }] {
        assert_eq!(read(row), Ok(row));
    }
}

#[test]
fn rows_that_contradict_themselves_are_refused() {
    let zstd = SegmentRow { codec: Codec::Zstd, ..ROW };
    let cases = [
        ("a block length from 1 to", SegmentRow { block_len: 0, ..ROW }),
        ("a block length from 1 to", SegmentRow { block_len: (16 << 20) + 1, ..ROW }),
        ("expected 100 plain bytes, found 101", SegmentRow { plain_len: 101, ..ROW }),
        (
            "no filter without a codec",
            SegmentRow { filter: Filter { width: 2, delta: true, planes: false }, ..ROW },
        ),
        ("at most 32768 plain bytes", SegmentRow { stored_len: 1, plain_len: 32_769, ..zstd }),
        ("at most 0 plain bytes", SegmentRow { stored_len: 0, plain_len: 1, ..zstd }),
        ("a range within", SegmentRow { stored_len: 900, plain_len: 32 * 900, ..zstd }),
        ("a range within", SegmentRow { stored_len: u64::MAX, plain_len: u64::MAX, ..zstd }),
        ("a range within", SegmentRow { stored_len: u64::MAX, plain_len: u64::MAX, ..ROW }),
        ("a range within", SegmentRow { offset: 1 << 63, ..ROW }),
    ];
    for (expected, row) in cases {
        let error = read(row).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_block_past_the_last_has_no_bytes() {
    let lengths = [0, 1, 2, 1000, u64::MAX].map(|number| ROW.plain_block_len(number));
    assert_eq!(lengths, [64, 36, 0, 0, 0]);
}

/// A block table of `blocks`, and the row of their segment.
fn table(blocks: &[&[u8]], codec: Codec) -> (Vec<u8>, SegmentRow) {
    let mut builder = BlockTableBuilder::new(FILE, 3);
    blocks.iter().for_each(|block| builder.push(block));
    let (bytes, table_hash) = builder.finish();
    let stored_len = blocks.iter().map(|block| block.len() as u64).sum();
    (bytes, SegmentRow { table_hash, stored_len, codec, ..ROW })
}

#[test]
fn blocks_are_checked_in_their_place() {
    let (first, second) = ([1u8; 64], [2u8; 36]);
    let (bytes, row) = table(&[&first, &second], Codec::None);
    let table = BlockTable::read(&bytes, FILE, 3, row).unwrap();
    assert_eq!(table.len(), 2);
    assert_eq!(table.block(1), Some((START + 64, 36)));
    assert_eq!(table.block(2), None);
    table.check(0, &first).unwrap();
    table.check(1, &second).unwrap();
    assert!(table.check(1, &first).is_err());
    assert!(table.check(2, &second).is_err());
}

#[test]
fn a_table_of_another_place_is_refused() {
    let (bytes, row) = table(&[&[1; 64], &[2; 36]], Codec::None);
    assert!(BlockTable::read(&bytes, FILE, 4, row).is_err());
    assert!(BlockTable::read(&bytes, [8; 16], 3, row).is_err());
    assert!(BlockTable::read(&bytes[..12], FILE, 3, row).is_err());
    assert!(BlockTable::read(&bytes, FILE, 3, SegmentRow { stored_len: 99, ..row }).is_err());
}

#[test]
fn blocks_that_are_read_in_place_have_the_length_of_their_place() {
    let (bytes, row) = table(&[&[1; 60], &[2; 40]], Codec::None);
    let error = BlockTable::read(&bytes, FILE, 3, row).unwrap_err().to_string();
    assert!(error.contains("block 0") && error.contains("expected 64 bytes, found 60"), "{error}");
    let (bytes, row) = table(&[&[1; 60], &[2; 40]], Codec::Lz4);
    BlockTable::read(&bytes, FILE, 3, row).unwrap();
}
