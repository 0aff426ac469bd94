//! Columns that no writer would make: rows and segments from any bytes.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 2 | number of nodes |
//! | 2 | 2 | length of the first segment; the second has the rest |
//! | 4 | 3 x 16 | rows: encoding, width, flags, base, count (u32), step (u64) |
//! | 52 | .. | segments |
//!
//! Each row may have the rows before it as children, and refers to both segments.

use std::sync::Arc;

use varvite_format::{ColumnId, ColumnRow, EncodedColumn, Encoding, Profile, SegmentId, encode_set};

use crate::memory::Memory;
use crate::readers::ask_all;

const ROWS: usize = 3;
const ROW: usize = 16;
const SEGMENTS: usize = 4 + ROWS * ROW;
/// Reads the columns that `bytes` encode.
pub fn read_columns(bytes: &[u8]) {
    if bytes.len() < SEGMENTS {
        return;
    }
    let nodes = u32::from(u16::from_le_bytes([bytes[0], bytes[1]]));
    let first = usize::from(u16::from_le_bytes([bytes[2], bytes[3]])).min(bytes.len() - SEGMENTS);
    let (first, second) = bytes[SEGMENTS..].split_at(first);
    let rows = bytes[4..SEGMENTS].chunks_exact(ROW).enumerate();
    let memory = Memory {
        rows: rows.map(|(number, bytes)| row(bytes, number)).collect(),
        segments: vec![Arc::from(first), Arc::from(second)],
        // For some inputs, texts are read in blocks, whose length is given by the first byte.
        block_len: Some(usize::from(bytes[0])).filter(|len| *len % 2 == 1),
    };
    ask_all(&memory, ROWS as u32, nodes);
}

fn row(bytes: &[u8], number: usize) -> ColumnRow {
    let u32_at = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let EncodedColumn { mut row, .. } =
        encode_set(&[], 0, Profile::Direct).expect("an empty set has no limits");
    row.encoding = Encoding::ALL[usize::from(bytes[0]) % Encoding::ALL.len()];
    row.width = bytes[1];
    let flag = |bit: u8| bytes[2] >> bit & 1 != 0;
    (row.relative, row.sorted, row.signed, row.sloped) = (flag(0), flag(1), flag(2), flag(3));
    row.base = i64::from(bytes[3] as i8);
    // The top bit makes a count that is too large for any file.
    row.count = u64::from(u32_at(4) & 0x7fff_ffff) << (u32_at(4) >> 31 << 5);
    row.step = i64::from(u32_at(8)) << 32 | i64::from(u32_at(12));
    row.children = std::array::from_fn(|child| (child < number).then_some(ColumnId(child as u32)));
    row.segments = [Some(SegmentId(0)), flag(4).then_some(SegmentId(1))];
    row
}
