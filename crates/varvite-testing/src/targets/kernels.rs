//! Loops over many values, compared with reads of single values: the results must be equal, and damage must
//! be an error.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | encoding, width, flags, and a number that selects one of eight bases, some of which make values overflow |
//! | 4 | 8 | step |
//! | 12 | 2 | number of values |
//! | 14 | 4 | first and last value of the range |
//! | 18 | 4 | first and last wanted value |
//! | 22 | .. | the segment, which is also the bitmap for loops over members |
//!
//! The flags are: relative, signed, sloped, whole, bounded, dictionary. In a whole segment the data of all
//! blocks is inside the segment, and zeros follow it, so that a loop has no reason to refuse values that
//! single reads return. A dictionary uses the column as its codes, and the bytes of the segment as its
//! values.

use std::ops::{ControlFlow, Deref, Range, RangeInclusive};
use std::sync::Arc;

use varvite_format::{
    ColumnId, ColumnRow, Encoding, Ints, NodeSet, SegmentId, compress, keep_members, spread,
};

use crate::memory::Memory;

const HEAD: usize = 22;
/// The number of zeros after a whole segment: more than its headers can refer to.
const ROOM: usize = 1 << 15;
const VALUES_MAX: usize = 5000;
const BASES: [i64; 8] = [0, 1, -1, i64::MAX, i64::MIN, u32::MAX as i64, i64::MAX - u32::MAX as i64, -300];
const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

/// Reads the column that `bytes` encode by loops and by single reads, and compares the results.
pub fn compare_kernels(bytes: &[u8]) {
    let Some((head, segment)) = bytes.split_first_chunk::<HEAD>() else { return };
    compare_members(segment);
    compare_sets(head, segment);
    let (row, is_whole) = (row(head), head[2] & 8 != 0);
    let segment = if is_whole { whole(&row, segment) } else { segment.to_vec() };
    let is_dictionary = head[2] & 32 != 0;
    let rows = if is_dictionary { dictionary(row, segment.len() as u64).to_vec() } else { vec![row] };
    let root = ColumnId(rows.len() as u32 - 1);
    let memory = Memory { rows, segments: vec![Arc::from(segment)], block_len: None };
    let Ok(ints) = Ints::open(&memory, root) else { return };
    let ends = [u16_at(head, 14), u16_at(head, 16)].map(|end| usize::from(end) % (ints.len() + 1));
    let range = ends[0].min(ends[1])..ends[0].max(ends[1]);
    let wanted = [u16_at(head, 18), u16_at(head, 20)].map(|number| ints_near(&ints, usize::from(number)));
    let wanted = wanted[0].min(wanted[1])..=wanted[0].max(wanted[1]);
    let has_tables = row.encoding == Encoding::Local || is_dictionary;
    let mut compared = Compared { ints: &ints, range, is_whole, has_tables };
    compared.reads();
    if !ints.is_relative() {
        compared.is_whole &= !may_wrap(&row);
        let bounds = if head[2] & 16 != 0 { -40..=70_000 } else { ANY };
        compared.folds(&wanted, &bounds);
        compared.finds(&wanted, &bounds);
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn row(head: &[u8; HEAD]) -> ColumnRow {
    let mut row = ColumnRow::empty(encoding(head[0]), u64::from(u16_at(head, 12)) % VALUES_MAX as u64);
    row.width = head[1];
    (row.relative, row.signed, row.sloped) = (head[2] & 1 != 0, head[2] & 2 != 0, head[2] & 4 != 0);
    row.base = BASES[usize::from(head[3]) % BASES.len()];
    row.step = i64::from_le_bytes(head[4..12].try_into().expect("eight bytes"));
    row.segments = [Some(SegmentId(0)), None];
    row
}

/// One of the encodings of integers, except the dictionary, which is made of two other columns.
fn encoding(number: u8) -> Encoding {
    let all = || {
        let integers = Encoding::ALL.iter().filter(|encoding| encoding.is_of_integers());
        integers.filter(|encoding| **encoding != Encoding::Dictionary)
    };
    *all().nth(usize::from(number) % all().count()).expect("the number is below the count")
}

/// The rows of the codes, of the values, and of the dictionary made of both. The values are the bytes of the
/// same segment.
fn dictionary(row: ColumnRow, values: u64) -> [ColumnRow; 3] {
    let codes = ColumnRow { base: 0, relative: false, ..row };
    let table = ColumnRow { encoding: Encoding::Plain, width: 1, count: values, ..codes };
    let children = [Some(ColumnId(0)), Some(ColumnId(1)), None];
    let dictionary = ColumnRow { encoding: Encoding::Dictionary, children, segments: [None; 2], ..row };
    [codes, table, dictionary]
}

/// Whether values may exceed 64 bits. If so, loops may fail where single reads do not.
fn may_wrap(row: &ColumnRow) -> bool {
    row.encoding == Encoding::Sequence
        || [row.base, row.step].iter().any(|part| part.unsigned_abs() > 1 << 60)
}

/// Makes a segment whole: the headers of its blocks refer to data inside it.
fn whole(row: &ColumnRow, segment: &[u8]) -> Vec<u8> {
    let mut bytes = segment.to_vec();
    bytes.resize(segment.len() + ROOM, 0);
    let (header, place) = match row.encoding {
        Encoding::Packed => (if row.sloped { 64 } else { 48 }, 40),
        Encoding::Local => (16, 4),
        _ => return bytes,
    };
    for block in 0..row.count.div_ceil(1024) as usize {
        let at = block * header + place;
        bytes[at + 1..at + 4].fill(0);
        if row.encoding == Encoding::Packed {
            bytes[at + 5] = 0;
        }
    }
    bytes
}

/// A value of the column, or a number next to one.
fn ints_near<B: Deref<Target = [u8]> + Clone>(ints: &Ints<B>, number: usize) -> i64 {
    let value = ints.get(number / 4 % ints.len().max(1), 0).unwrap_or(number as i64);
    value.saturating_add(number as i64 % 4 - 1)
}

/// A range of a column to compare.
struct Compared<'a, B> {
    ints: &'a Ints<B>,
    range: Range<usize>,
    is_whole: bool,
    has_tables: bool,
}

impl<B: Deref<Target = [u8]> + Clone> Compared<'_, B> {
    /// Reads the values one by one, up to the first that is missing.
    fn walk(&self, key: u64) -> Vec<i64> {
        self.range.clone().map_while(|index| self.ints.get(index, key)).collect()
    }

    /// Checks that the result of a loop equals that of single reads. It may be missing only if the segment is
    /// not whole.
    fn hold<T: PartialEq + std::fmt::Debug>(&self, found: Option<T>, expected: Option<T>) {
        if found.is_some() || self.is_whole {
            assert_eq!(found, expected);
        }
    }

    fn reads(&self) {
        let (ints, range) = (self.ints, &self.range);
        for key in [0, 7, u64::MAX] {
            let walked = self.walk(key);
            let mut read = vec![0; range.len()];
            let is_read = ints.read(range.start, key, &mut read).is_some();
            self.hold(is_read.then_some(read), (walked.len() == range.len()).then_some(walked));
        }
        let indexed: Option<Vec<i64>> = range.clone().map(|index| ints.get(index, index as u64)).collect();
        let mut read = vec![0; range.len()];
        self.hold(ints.read_indexed(range.start, &mut read).map(|()| read), indexed);
        self.ids();
        let mut cursor = ints.cursor();
        for index in range.clone().filter(|_| !ints.is_relative()) {
            assert_eq!(cursor.get(index), ints.get(index, 0));
        }
        for index in range.clone() {
            let next = (index + 1 < ints.len()).then_some(index + 1);
            let value = |index: usize| ints.get(index, index as u64).map(|value| value as u64);
            assert_eq!(ints.pair(index), value(index).zip(next.and_then(value)));
        }
    }

    /// Compares reads of values as ids below a limit.
    fn ids(&self) {
        let limit = 70_000;
        let walk = self.walk(9).into_iter().map_while(|value| u32::try_from(value).ok());
        let sound: Vec<u32> = walk.take_while(|value| *value < limit).collect();
        let is_sound = (sound.len() == self.range.len()).then_some(());
        let mut found = Vec::new();
        assert_eq!(self.ints.append_u32(self.range.clone(), 9, limit, &mut found), is_sound);
        assert_eq!(found, sound);
        if !self.ints.is_relative() {
            found.clear();
            let answer = self.ints.append_run(self.range.clone(), limit, &mut found);
            assert!(sound.starts_with(&found), "ids that are none");
            self.hold(answer, is_sound);
        }
    }

    /// The values that single reads return; `None` if one is missing or out of bounds.
    fn sound(&self, bounds: &RangeInclusive<i64>) -> Option<Vec<i64>> {
        let walked = self.walk(0);
        let is_sound = walked.len() == self.range.len() && walked.iter().all(|value| bounds.contains(value));
        is_sound.then_some(walked)
    }

    /// Whether values are missing. A loop that uses only a header does not notice this.
    fn lacks_values(&self) -> bool {
        self.walk(0).len() < self.range.len()
    }

    fn folds(&self, wanted: &RangeInclusive<i64>, bounds: &RangeInclusive<i64>) {
        if self.lacks_values() {
            return;
        }
        let (ints, range) = (self.ints, self.range.clone());
        let sound = self.sound(bounds);
        let values = sound.as_deref();
        self.hold(
            ints.sum(range.clone(), bounds),
            values.map(|values| values.iter().copied().map(i128::from).sum()),
        );
        let ends = |values: &[i64]| values.iter().min().copied().zip(values.iter().max().copied());
        self.hold(ints.least_and_greatest(range.clone(), bounds), values.map(ends));
        let is_wanted = |value: &&i64| wanted.contains(value);
        self.hold(
            ints.count_in(wanted, range.clone(), bounds),
            values.map(|values| values.iter().filter(is_wanted).count() as u64),
        );
        let mut bits = vec![0; range.len().div_ceil(64)];
        let selected = ints.select_in(wanted, range.clone(), bounds, &mut bits);
        let expected = values.map(|values| bits_of(values.iter().map(|value| wanted.contains(value))));
        self.hold(selected.map(|()| bits), expected);
        let mut counts = [0; 300];
        let others = ints.count_each(range, &mut counts);
        self.hold(others.map(|others| (counts, others)), self.sound(&ANY).map(|values| counts_of(&values)));
    }

    fn finds(&self, wanted: &RangeInclusive<i64>, bounds: &RangeInclusive<i64>) {
        // Searches assume that tables of blocks are ascending and complete, which single reads do not. So
        // they are compared only if no values are missing and no block has a table.
        if self.lacks_values() || self.has_tables {
            return;
        }
        let (ints, range, sound) = (self.ints, self.range.clone(), self.sound(bounds));
        let indexes = |passes: &dyn Fn(i64) -> bool| {
            let pairs = sound.as_ref()?.iter().zip(range.clone());
            Some(pairs.filter(|(value, _)| passes(**value)).map(|(_, index)| index).collect::<Vec<_>>())
        };
        let one = *wanted.start();
        let equal = found(|mut see| ints.find_equal(one, range.clone(), bounds, &mut see));
        self.hold(equal, indexes(&|value| value == one));
        let within =
            found(|mut see| ints.find_range(wanted.clone(), range.clone(), bounds, &mut see).map(|_| ()));
        self.hold(within, indexes(&|value| wanted.contains(&value)));
        let is_third = |value: i64| value % 3 == 0;
        self.hold(
            found(|mut see| ints.find_if(range.clone(), bounds, is_third, &mut see)),
            indexes(&is_third),
        );
    }
}

/// The indexes that a search visits.
fn found(search: impl FnOnce(&mut dyn FnMut(usize) -> ControlFlow<()>) -> Option<()>) -> Option<Vec<usize>> {
    let mut indexes = Vec::new();
    search(&mut |index| {
        indexes.push(index);
        ControlFlow::Continue(())
    })?;
    Some(indexes)
}

fn bits_of(answers: impl ExactSizeIterator<Item = bool>) -> Vec<u64> {
    let mut bits = vec![0; answers.len().div_ceil(64)];
    answers.enumerate().for_each(|(index, is_set)| bits[index / 64] |= u64::from(is_set) << (index % 64));
    bits
}

fn counts_of(values: &[i64]) -> ([u64; 300], u64) {
    let (mut counts, mut others) = ([0; 300], 0);
    for value in values {
        let count = usize::try_from(*value).ok().and_then(|value| counts.get_mut(value));
        *count.unwrap_or(&mut others) += 1;
    }
    (counts, others)
}

/// Compares loops over the members of a bitmap and their values.
fn compare_members(bytes: &[u8]) {
    let words: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let (members, others) = words.split_at(words.len() / 2);
    let is_set =
        |words: &[u64], index: usize| words.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 != 0);
    let places: Vec<usize> = (0..64 * members.len()).filter(|place| is_set(members, *place)).collect();
    let values: Vec<i64> = (0..places.len() as i64).map(|value| value * 3 + 1).collect();

    let mut spreaded = vec![-1; 64 * members.len()];
    spreaded[..values.len()].copy_from_slice(&values);
    assert_eq!(spread(&mut spreaded, members), Some(()));
    let mut expected = vec![0; 64 * members.len()];
    places.iter().zip(&values).for_each(|(place, value)| expected[*place] = *value);
    assert_eq!(spreaded, expected);

    let mut kept = members.to_vec();
    keep_members(&mut kept, others);
    let is_kept = |place: usize| places.binary_search(&place).is_ok_and(|rank| is_set(others, rank));
    assert_eq!(kept, bits_of((0..64 * members.len()).map(is_kept)));

    let mut compressed = Vec::new();
    compress(&values, members, others, &mut compressed);
    let wanted = places.iter().zip(&values).filter(|(place, _)| is_set(others, **place));
    assert!(compressed.iter().eq(wanted.map(|(_, value)| value)));
}

/// Compares bitmaps of members, and their ranks.
fn compare_sets(head: &[u8; HEAD], segment: &[u8]) {
    let nodes = u32::from(u16_at(head, 12)) % VALUES_MAX as u32;
    let mut row = row(head);
    row.count = u64::from(u16_at(head, 4)) % (u64::from(nodes) + 1);
    row.encoding = [Encoding::BitmapSet, Encoding::RangeSet, Encoding::AllSet][usize::from(head[0]) % 3];
    let memory = Memory { rows: vec![row], segments: vec![Arc::from(segment)], block_len: None };
    let Ok(set) = NodeSet::open(&memory, ColumnId(0), nodes) else { return };
    let ends = [u16_at(head, 14), u16_at(head, 16)].map(|end| u32::from(end) % (nodes + 1));
    let range = ends[0].min(ends[1])..ends[0].max(ends[1]);
    let mut bits = Vec::new();
    if let Some(ranks) = set.append_bits(range.clone(), &mut bits) {
        let members: Vec<u32> = range.clone().filter(|node| set.contains(*node)).collect();
        assert_eq!(
            bits,
            bits_of((range.start as usize..range.end as usize).map(|node| set.contains(node as u32)))
        );
        assert_eq!(ranks.len(), members.len());
        assert!(members.first().is_none_or(|node| set.member_rank(*node) == Some(ranks.start)));
    }
}
