//! Integer columns: every kind of read returns the encoded values.

use std::ops::ControlFlow::{Break, Continue};
use std::ops::{Range, RangeInclusive};

use proptest::prelude::*;
use varvite_format::{ColumnRow, Encoding, Ints, Keys, Profile, Purpose, encode_ints};
use varvite_testing::memory::Memory;

use crate::shapes::{integers, rising};

type Column = Ints<std::sync::Arc<[u8]>>;

/// Encodes `values`, and checks every kind of read; each value is read with its key.
fn check(values: &[i64], keys: Keys<'_>, purpose: Purpose, profile: Profile) {
    let column = encode_ints(values, keys, purpose, profile).unwrap();
    assert_eq!(column, encode_ints(values, keys, purpose, profile).unwrap(), "equal input, equal bytes");
    let (memory, root) = Memory::of(&column);
    let ints = Ints::open(&memory, root).unwrap();
    assert_eq!(ints.len(), values.len());
    assert_eq!(ints.is_empty(), values.is_empty());
    for (index, (value, key)) in values.iter().zip(keys_of(keys, values.len())).enumerate() {
        assert_eq!(ints.get(index, key), Some(*value), "{:?} at {index}", column.row);
        assert_eq!(ints.get_u32(index, key as u32), u32::try_from(*value).ok());
    }
    assert_eq!(ints.get(values.len(), 0), None);
    assert_eq!(ints.get(usize::MAX, 0), None);
    check_runs(&ints, values, keys);
    if !matches!(keys, Keys::Lists { .. }) {
        check_pairs(&ints, values);
    }
    if !column.row.relative {
        check_find(&ints, values);
        check_folds(&ints, values);
    }
    if let Some(slice) = ints.as_u32_slice() {
        assert!(slice.iter().map(|value| i64::from(*value)).eq(values.iter().copied()));
    }
}

/// The key of each value.
fn keys_of(keys: Keys<'_>, count: usize) -> Vec<u64> {
    match keys {
        Keys::None => vec![0; count],
        Keys::Index => (0..count as u64).collect(),
        Keys::Lists { nodes, offsets } => {
            let lists = nodes.iter().zip(offsets.windows(2));
            lists.flat_map(|(node, ends)| (ends[0]..ends[1]).map(|_| u64::from(*node))).collect()
        }
    }
}

/// Reads runs of values that share a key.
fn check_runs(ints: &Column, values: &[i64], keys: Keys<'_>) {
    let lists: Vec<(u64, usize, usize)> = match keys {
        Keys::None => (0..values.len()).step_by(97).map(|start| (0, start, values.len())).collect(),
        Keys::Index => (0..values.len()).map(|index| (index as u64, index, index + 1)).collect(),
        Keys::Lists { nodes, offsets } => {
            let lists = nodes.iter().zip(offsets.windows(2));
            lists.map(|(node, ends)| (u64::from(*node), ends[0] as usize, ends[1] as usize)).collect()
        }
    };
    for (key, start, end) in lists {
        let mut run = vec![0; end - start];
        ints.read(start, key, &mut run).unwrap();
        assert_eq!(run, &values[start..end]);
        check_append(ints, start..end, key as u32, &run);
    }
    assert_eq!(ints.read(values.len(), 0, &mut [0]), None);
    assert_eq!(ints.read(usize::MAX, 0, &mut [0]), None);
}

/// Reads pairs of neighbouring values, as readers of list ends do.
fn check_pairs(ints: &Column, values: &[i64]) {
    for (index, pair) in values.windows(2).enumerate() {
        assert_eq!(ints.pair(index), Some((pair[0] as u64, pair[1] as u64)), "{index}");
    }
    assert_eq!(ints.pair(values.len().saturating_sub(1)), None);
    assert_eq!(ints.pair(usize::MAX), None);
}

/// Reads runs of values as ids below a limit.
fn check_append(ints: &Column, range: Range<usize>, key: u32, expected: &[i64]) {
    let limit = 1 << 30;
    let mut output = vec![7];
    let is_below = |value: &i64| (0..i64::from(limit)).contains(value);
    let appended = ints.append_u32(range.clone(), key, limit, &mut output);
    assert_eq!(appended.is_some(), expected.iter().all(is_below));
    let below = expected.iter().take_while(|value| is_below(value)).map(|value| *value as u32);
    assert!(output.iter().copied().eq(std::iter::once(7).chain(below)));
    let mut run = vec![7];
    let appended = ints.append_run(range, limit, &mut run);
    if ints.is_relative() {
        assert_eq!((appended, run), (None, vec![7]));
    } else {
        assert_eq!((appended.is_some(), run), (expected.iter().all(is_below), output));
    }
}

/// Bounds that permit any value.
const ANY: RangeInclusive<i64> = i64::MIN..=i64::MAX;

fn check_find(ints: &Column, values: &[i64]) {
    check_bounds(ints, values);
    let some = values.iter().copied().step_by(values.len() / 8 + 1);
    let near = some.clone().map(|value| value.wrapping_add(1));
    let ranges = [0..values.len(), 0..usize::MAX, values.len() / 3..values.len() / 2, usize::MAX..usize::MAX];
    for wanted in some.chain(near).chain([0, -1, i64::MIN, i64::MAX]) {
        for range in &ranges {
            let mut found = Vec::new();
            ints.find_equal(wanted, range.clone(), &ANY, &mut |index| {
                found.push(index);
                Continue(())
            })
            .unwrap();
            let expected = (0..values.len()).filter(|index| range.contains(index));
            let expected: Vec<usize> = expected.filter(|index| values[*index] == wanted).collect();
            assert_eq!(found, expected, "{wanted} in {range:?}");
            let mut some = Vec::new();
            let stop_at_second = &mut |index| {
                some.push(index);
                if some.len() < 2 { Continue(()) } else { Break(()) }
            };
            ints.find_equal(wanted, range.clone(), &ANY, stop_at_second).unwrap();
            assert_eq!(some, expected[..expected.len().min(2)], "until it breaks");
        }
        for range in &ranges {
            check_find_if(ints, values, range.clone(), |value| value <= wanted);
            check_find_if(ints, values, range.clone(), |value| value == wanted);
        }
    }
}

/// Checks that sums, least and greatest values, counts and bitmaps of ranges are right, and that values out
/// of bounds end a pass.
fn check_folds(ints: &Column, values: &[i64]) {
    let len = values.len();
    let some = values.iter().copied().step_by(len / 3 + 1);
    let wanted = some.flat_map(|value| {
        [value..=value, value..=i64::MAX, i64::MIN..=value, value..=value.saturating_add(1)]
    });
    let wanted: Vec<_> = wanted.chain([ANY, RangeInclusive::new(1, 0), 0..=0, -5..=100]).collect();
    for range in [0..len, len / 3..len / 2, len / 5..len, len..len] {
        let values = &values[range.clone()];
        let sum = values.iter().map(|value| i128::from(*value)).sum();
        let ends = values.iter().min().copied().zip(values.iter().max().copied());
        let (low, high) = ends.unwrap_or((0, 0));
        for bounds in [ANY, low..=high] {
            assert_eq!(ints.sum(range.clone(), &bounds), Some(sum));
            assert_eq!(ints.least_and_greatest(range.clone(), &bounds), Some(ends));
            wanted.iter().for_each(|wanted| check_wanted(ints, values, wanted, range.clone(), &bounds));
        }
        let narrow = [low.saturating_add(1)..=i64::MAX, i64::MIN..=high.saturating_sub(1)];
        for bounds in narrow.iter().filter(|bounds| !values.iter().all(|value| bounds.contains(value))) {
            assert_eq!(ints.sum(range.clone(), bounds), None);
            assert_eq!(ints.least_and_greatest(range.clone(), bounds), None);
            assert_eq!(ints.count_in(&ANY, range.clone(), bounds), None);
            assert_eq!(ints.select_in(&ANY, range.clone(), bounds, &mut vec![0; len]), None);
        }
    }
    let mut counts = vec![0; 300];
    let others = ints.count_each(0..len, &mut counts);
    let mut expected = vec![0; 300];
    let expected_others = values.iter().filter(|value| match usize::try_from(**value) {
        Ok(value @ 0..300) => {
            expected[value] += 1;
            false
        }
        _ => true,
    });
    assert_eq!(others, Some(expected_others.count() as u64));
    assert_eq!(counts, expected);
    assert_eq!(ints.sum(0..len + 1, &ANY), None, "a value more than there are");
    assert_eq!(ints.sum(usize::MAX..usize::MAX, &ANY), None);
    assert_eq!(ints.select_in(&ANY, 0..len, &ANY, &mut vec![0; len.div_ceil(64).saturating_sub(1)]), {
        (len == 0).then_some(())
    });
}

fn check_wanted(
    ints: &Column,
    values: &[i64],
    wanted: &RangeInclusive<i64>,
    range: Range<usize>,
    bounds: &RangeInclusive<i64>,
) {
    let expected: Vec<usize> = (0..values.len()).filter(|index| wanted.contains(&values[*index])).collect();
    assert_eq!(ints.count_in(wanted, range.clone(), bounds), Some(expected.len() as u64), "{wanted:?}");
    let mut bits = vec![0; values.len().div_ceil(64)];
    ints.select_in(wanted, range, bounds, &mut bits).unwrap();
    let selected = (0..64 * bits.len()).filter(|index| bits[index / 64] >> (index % 64) & 1 != 0);
    assert_eq!(selected.collect::<Vec<_>>(), expected, "{wanted:?}");
}

fn check_find_if(ints: &Column, values: &[i64], range: Range<usize>, passes: impl Fn(i64) -> bool) {
    let expected = (0..values.len()).filter(|index| range.contains(index) && passes(values[*index]));
    let expected: Vec<usize> = expected.collect();
    for most in [usize::MAX, 1] {
        let mut found = Vec::new();
        let take = &mut |index| {
            found.push(index);
            if found.len() < most { Continue(()) } else { Break(()) }
        };
        ints.find_if(range.clone(), &ANY, &passes, take).unwrap();
        assert_eq!(found, expected[..expected.len().min(most)], "of {range:?}, {most} at most");
    }
}

/// Checks that a value out of bounds ends every search, and that bounds around all values end no search.
fn check_bounds(ints: &Column, values: &[i64]) {
    let (Some(least), Some(greatest)) = (values.iter().min(), values.iter().max()) else { return };
    let all = 0..values.len();
    let above_least = least.checked_add(1).map(|low| (low..=*greatest, false));
    let below_greatest = greatest.checked_sub(1).map(|high| (*least..=high, false));
    for (bounds, is_whole) in
        [Some((*least..=*greatest, true)), above_least, below_greatest].into_iter().flatten()
    {
        for wanted in [*least, *greatest, values[values.len() / 2], greatest.wrapping_add(1)] {
            let goes_on = &mut |_| Continue(());
            let found = ints.find_equal(wanted, all.clone(), &bounds, goes_on);
            assert_eq!(found.is_some(), is_whole, "{wanted} within {bounds:?}");
            let found = ints.find_range(wanted..=wanted, all.clone(), &bounds, goes_on);
            assert_eq!(found.is_some(), is_whole, "a range of {wanted} within {bounds:?}");
            let found = ints.find_if(all.clone(), &bounds, |value| value == wanted, goes_on);
            assert_eq!(found.is_some(), is_whole, "{wanted} by a test, within {bounds:?}");
        }
    }
}

fn purposes() -> impl Strategy<Value = Purpose> {
    prop::sample::select(vec![
        Purpose::HotIds,
        Purpose::Ids,
        Purpose::Offsets,
        Purpose::HotOffsets,
        Purpose::Truth,
        Purpose::Labels,
        Purpose::Hops,
        Purpose::Numbers,
    ])
}

fn profiles() -> impl Strategy<Value = Profile> {
    prop::sample::select(Profile::ALL.to_vec())
}

/// Each value of a lane is near the slope or far above it; a search must also find the values that are far
/// above.
#[test]
fn values_that_rise_in_jumps_come_back() {
    for jump in [60_000, 65_000] {
        let values: Vec<i64> = (0..900i64).map(|index| index / 23 * jump + index % 23 * 3).collect();
        for profile in Profile::ALL {
            check(&values, Keys::None, Purpose::Ids, profile);
            check(&values, Keys::Index, Purpose::Numbers, profile);
        }
    }
}

proptest! {
    #[test]
    fn values_come_back(values in integers(), purpose in purposes(), profile in profiles()) {
        check(&values, Keys::None, purpose, profile);
    }

    #[test]
    fn values_relative_to_their_index_come_back(
        values in prop_oneof![rising(), integers()], purpose in purposes(), profile in profiles(),
    ) {
        check(&values, Keys::Index, purpose, profile);
    }

    #[test]
    fn values_relative_to_their_node_come_back(
        values in integers(), near: bool, lengths in prop::collection::vec((0usize..9, 1u32..1000), 1..400),
        purpose in purposes(), profile in profiles(),
    ) {
        let (nodes, offsets) = lists(&lengths, values.len());
        let keys = Keys::Lists { nodes: &nodes, offsets: &offsets };
        let keyed = keys_of(keys, values.len());
        let nearby = values.iter().zip(&keyed).map(|(value, key)| value % 50 + *key as i64);
        let values = if near { nearby.collect() } else { values.clone() };
        check(&values, keys, purpose, profile);
    }
}

/// Ascending nodes, and offsets of lists with `count` values in total; the last list has the remaining
/// values.
fn lists(lengths: &[(usize, u32)], count: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut nodes, mut offsets, mut end, mut node) = (Vec::new(), vec![0u32], 0, 0);
    for (number, (length, step)) in lengths.iter().enumerate() {
        let is_last = number + 1 == lengths.len();
        end = if is_last { count } else { count.min(end + length) };
        node += step;
        nodes.push(node);
        offsets.push(end as u32);
    }
    (nodes, offsets)
}

#[test]
fn a_value_is_found_in_a_lane_whose_highest_code_lies_past_u32() {
    let mut values: Vec<i64> = vec![0; 128];
    values[1] = 1;
    values.extend((0..128).map(|index| 0x8000_0002 + index * 0x00ff_ffff));
    values.push(i64::from(u32::MAX));
    check(&values, Keys::None, Purpose::Numbers, Profile::Compact);
}

#[test]
fn the_lowest_numbers_are_encoded_like_all_others() {
    let values = [i64::MIN, i64::MIN + 5, i64::MIN + 1];
    for profile in Profile::ALL {
        check(&values, Keys::None, Purpose::Numbers, profile);
        check(&values, Keys::Index, Purpose::Numbers, profile);
    }
}

#[test]
fn a_sequence_is_searched_without_walking_it() {
    let far = |count, base, step| {
        let column = encode_ints(&[0, 1, 2], Keys::None, Purpose::Ids, Profile::Compact).unwrap();
        let (mut memory, root) = Memory::of(&column);
        memory.rows[0] = ColumnRow { count, base, step, ..memory.rows[0] };
        Ints::open(&memory, root).unwrap()
    };
    let find = |ints: &Column, wanted| {
        let mut found = Vec::new();
        ints.find_equal(wanted, 0..ints.len(), &ANY, &mut |index| {
            found.push(index);
            Continue(())
        })
        .unwrap();
        found
    };
    assert_eq!(find(&far(1 << 32, 10, 3), 10 + 3 * 4_000_000_000), [4_000_000_000]);
    assert_eq!(find(&far(1 << 32, 10, 3), 11), [0usize; 0]);
    assert_eq!(find(&far(3, i64::MIN, i64::MAX), i64::MAX - 1), [2]);
    assert_eq!(find(&far(3, 0, 0), 5), [0usize; 0]);
}

#[test]
fn a_sequence_that_stands_still_has_its_value_everywhere() {
    let column = encode_ints(&[0, 1, 2], Keys::None, Purpose::Ids, Profile::Compact).unwrap();
    let (mut memory, root) = Memory::of(&column);
    for base in [7, i64::MIN, i64::MAX] {
        memory.rows[0] = ColumnRow { count: 3, base, step: 0, ..memory.rows[0] };
        let ints: Column = Ints::open(&memory, root).unwrap();
        let mut found = Vec::new();
        let mut see = |index| {
            found.push(index);
            Continue(())
        };
        assert_eq!(ints.find_equal(base, 1..3, &ANY, &mut see), Some(()));
        assert_eq!(found, [1, 2], "{base}");
    }
}

#[test]
fn only_columns_with_bytes_behind_them_may_pass_two_to_the_32_values() {
    for values in [[5i64, 5, 5], [5, 6, 7]] {
        let column = encode_ints(&values, Keys::None, Purpose::Ids, Profile::Compact).unwrap();
        let (mut memory, root) = Memory::of(&column);
        memory.rows[0].count = 1 << 32;
        assert_eq!(Ints::open(&memory, root).unwrap().len(), 1 << 32);
        memory.rows[0].count += 1;
        assert!(Ints::open(&memory, root).is_err());
    }
}

#[test]
fn plain_ids_are_read_as_they_lie() {
    let values = [9i64, 3, 70_000];
    let column = encode_ints(&values, Keys::None, Purpose::Ids, Profile::Direct).unwrap();
    let (memory, root) = Memory::of(&column);
    let ints = Ints::open(&memory, root).unwrap();
    assert_eq!(ints.as_u32_slice(), Some(&[9u32, 3, 70_000][..]));
}

#[test]
fn a_column_of_another_kind_is_refused() {
    let column = encode_ints(&[1i64, 5, 2], Keys::None, Purpose::Ids, Profile::Direct).unwrap();
    for encoding in [Encoding::EmptySet, Encoding::BitmapSet, Encoding::Entries, Encoding::Slices] {
        let (mut memory, root) = Memory::of(&column);
        memory.rows[0].encoding = encoding;
        let error = Ints::open(&memory, root).unwrap_err().to_string();
        assert!(error.contains("an encoding of integers"), "{error}");
    }
}

proptest! {
    #[test]
    fn a_cursor_reads_what_the_column_holds(
        values in prop::collection::vec(-9i64..3000, 1..700),
        indexes in prop::collection::vec(0usize..720, 1..300),
        is_rising: bool,
    ) {
        let mut indexes = indexes;
        if is_rising {
            indexes.sort_unstable();
        }
        for profile in Profile::ALL {
            let column = encode_ints(&values, Keys::None, Purpose::Numbers, profile).unwrap();
            let (memory, root) = Memory::of(&column);
            let ints = Ints::open(&memory, root).unwrap();
            let mut cursor = ints.cursor();
            for index in &indexes {
                prop_assert_eq!(cursor.get(*index), values.get(*index).copied());
            }
        }
    }
}
