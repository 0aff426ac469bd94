//! Damage: arbitrary changes to rows and segments never make a reader panic, hang or fill the memory.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use varvite_format::{
    ColumnId, ColumnRow, Encoding, Ints, Keys, NodeSet, Profile, Purpose, StringsInput, encode_ints,
    encode_set, encode_strings,
};
use varvite_testing::memory::Memory;
use varvite_testing::readers::ask_all;

use crate::shapes::{integers, rising};

/// One change to a row or a segment.
#[derive(Clone, Debug)]
enum Change {
    Encoding(usize, usize),
    Count(usize, u64),
    Base(usize, i64),
    Step(usize, i64),
    Width(usize, u8),
    Flags(usize, u8),
    Child(usize, usize, usize),
    Byte(usize, usize, u8),
    Cut(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<usize>;
    let number = || prop_oneof![Just(0u64), 0u64..5000, Just(1 << 32), Just(u64::MAX), any::<u64>()];
    prop_oneof![
        1 => (at(), at()).prop_map(|(row, to)| Change::Encoding(row, to)),
        1 => (at(), number()).prop_map(|(row, to)| Change::Count(row, to)),
        1 => (at(), number()).prop_map(|(row, to)| Change::Base(row, to as i64)),
        1 => (at(), number()).prop_map(|(row, to)| Change::Step(row, to as i64)),
        1 => (at(), any::<u8>()).prop_map(|(row, to)| Change::Width(row, to)),
        1 => (at(), any::<u8>()).prop_map(|(row, to)| Change::Flags(row, to)),
        1 => (at(), at(), at()).prop_map(|(row, child, to)| Change::Child(row, child, to)),
        8 => (at(), at(), any::<u8>()).prop_map(|(segment, at, to)| Change::Byte(segment, at, to)),
        1 => (at(), at()).prop_map(|(segment, to)| Change::Cut(segment, to)),
    ]
}

impl Change {
    fn apply(&self, memory: &mut Memory) {
        let rows = memory.rows.len();
        match *self {
            Self::Encoding(row, to) => {
                memory.rows[row % rows].encoding = Encoding::ALL[to % Encoding::ALL.len()]
            }
            Self::Count(row, to) => memory.rows[row % rows].count = to,
            Self::Base(row, to) => memory.rows[row % rows].base = to,
            Self::Step(row, to) => memory.rows[row % rows].step = to,
            Self::Width(row, to) => memory.rows[row % rows].width = to,
            Self::Flags(row, to) => set_flags(&mut memory.rows[row % rows], to),
            // A child has a smaller number than its parent, as in a valid file.
            Self::Child(row, child, to) => {
                let parent = row % rows;
                let child = &mut memory.rows[parent].children[child % 3];
                *child = (parent > 0).then(|| ColumnId((to % parent) as u32));
            }
            Self::Byte(segment, at, to) => change_segment(memory, segment, |bytes| {
                let at = at % bytes.len().max(1);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte = to);
            }),
            Self::Cut(segment, to) => {
                change_segment(memory, segment, |bytes| bytes.truncate(to % (bytes.len() + 1)))
            }
        }
    }
}

fn set_flags(row: &mut ColumnRow, flags: u8) {
    (row.relative, row.sorted, row.signed) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
    row.sloped = flags & 8 != 0;
}

fn change_segment(memory: &mut Memory, segment: usize, change: impl FnOnce(&mut Vec<u8>)) {
    if memory.segments.is_empty() {
        return;
    }
    let segment = segment % memory.segments.len();
    let mut bytes = memory.segments[segment].to_vec();
    change(&mut bytes);
    memory.segments[segment] = Arc::from(bytes);
}

#[test]
fn an_impossible_count_over_a_segment_that_was_cut_is_survived() {
    let values: Vec<i64> =
        (0..82).map(|index| i64::from(u32::MAX / 2) + index * index * 321_987 % 0x7fff_0000).collect();
    for cut in 0..400 {
        let (mut memory, _) =
            Memory::of(&encode_ints(&values, Keys::None, Purpose::Numbers, Profile::Compact).unwrap());
        [Change::Width(0, 16), Change::Count(0, u64::MAX), Change::Cut(0, cut)]
            .iter()
            .for_each(|change| change.apply(&mut memory));
        ask_all(&memory, memory.rows.len() as u32, 3000);
    }
}

proptest! {
    #[test]
    fn damaged_integers_are_survived(
        values in integers(), index: bool, profile in prop::sample::select(Profile::ALL.to_vec()),
        changes in vec(change(), 1..6),
    ) {
        let keys = if index { Keys::Index } else { Keys::None };
        let (mut memory, _) = Memory::of(&encode_ints(&values, keys, Purpose::Numbers, profile).unwrap());
        changes.iter().for_each(|change| change.apply(&mut memory));
        ask_all(&memory, memory.rows.len() as u32, 3000);
    }

    #[test]
    fn damaged_sets_are_survived(
        words in vec(prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)], 1..60), sparse: bool,
        profile in prop::sample::select(Profile::ALL.to_vec()), changes in vec(change(), 1..6),
    ) {
        let words: Vec<u64> = if sparse { words.iter().map(|word| word & 0x100).collect() } else { words };
        let nodes = words.len() as u32 * 64;
        let (mut memory, _) = Memory::of(&encode_set(&words, nodes, profile).unwrap());
        changes.iter().for_each(|change| change.apply(&mut memory));
        ask_all(&memory, memory.rows.len() as u32, nodes);
        ask_all(&memory, memory.rows.len() as u32, nodes - 1);
    }

    #[test]
    fn damaged_strings_are_survived(
        starts in rising(), sliced: bool, sorted: bool, profile in prop::sample::select(Profile::ALL.to_vec()),
        changes in vec(change(), 1..6),
    ) {
        let mut pool: Vec<u8> = (0..2000u32).map(|byte| byte as u8).collect();
        let mut starts: Vec<u32> = std::iter::once(0).chain(starts.iter().map(|start| *start as u32 % 1990)).collect();
        starts.sort_unstable();
        if !sliced {
            pool.truncate(starts[starts.len() - 1] as usize);
        }
        let lengths = sliced.then(|| starts.iter().map(|start| start % 7).collect::<Vec<_>>());
        let input = StringsInput { pool: &pool, starts: &starts, lengths: lengths.as_deref(), sorted };
        let (mut memory, _) = Memory::of(&encode_strings(input, profile).unwrap());
        changes.iter().for_each(|change| change.apply(&mut memory));
        ask_all(&memory, memory.rows.len() as u32, 3000);
    }
}

/// Opening a set without stored rank words computes them: 8 bytes for every 64 bytes of the bitmap.
#[test]
fn a_bitmap_needs_its_bytes_before_ranks_are_made() {
    let column = encode_set(&[0x5555; 8], 512, Profile::Archive).unwrap();
    let (memory, root) = Memory::of(&column);
    assert!(NodeSet::open(&memory, root, 512).is_ok());
    let error = NodeSet::open(&memory, root, u32::MAX).unwrap_err().to_string();
    assert!(error.contains("expected at least 536870912 bytes in segment 0, found 64"), "{error}");
}

/// A column that claims more values than its bytes can hold is refused when it is opened.
#[test]
fn counts_are_bounded_by_bytes() {
    let has_bytes = |encoding: &Encoding| !matches!(encoding, Encoding::Constant | Encoding::Sequence);
    let integers = Encoding::ALL.iter().copied().filter(|encoding| encoding.is_of_integers());
    for encoding in integers.filter(has_bytes) {
        let width = if encoding == Encoding::TwoLevel { 1 } else { 8 };
        for count in [5000, 1 << 32, 1 << 60, u64::MAX / 8, u64::MAX / 4, u64::MAX - 63, u64::MAX] {
            let column = encode_ints(&[4i64, 1 << 40, 2], Keys::None, Purpose::Ids, Profile::Direct).unwrap();
            let (mut memory, _) = Memory::of(&column);
            memory.add(&column);
            let root = memory.add(&column);
            let row = &mut memory.rows[root.index()];
            (row.encoding, row.width, row.count) = (encoding, width, count);
            row.children[..2].copy_from_slice(&[Some(ColumnId(0)), Some(ColumnId(1))]);
            assert!(Ints::open(&memory, root).is_err(), "{encoding:?} {count}");
        }
    }
}
