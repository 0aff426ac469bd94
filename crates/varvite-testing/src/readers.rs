//! Calls every reader of columns at critical indexes.
//!
//! The number of calls does not depend on claimed counts, so the work is bounded for any bytes.

use std::ops::{ControlFlow, Range};

use varvite_format::{ColumnId, Ints, NodeSet, Source, Strings};

const PLACES: [usize; 12] = [0, 1, 63, 64, 127, 128, 511, 512, 1023, 1024, 5000, usize::MAX];
/// The largest number of steps of a loop whose count may be false.
const STEPS: usize = 3000;

/// Opens the first `columns` columns as every kind of column, and reads them.
pub fn ask_all<S: Source>(source: &S, columns: u32, nodes: u32) {
    for column in (0..columns).map(ColumnId) {
        if let Ok(ints) = Ints::open(source, column) {
            ask_ints(&ints);
        }
        if let Ok(set) = NodeSet::open(source, column, nodes) {
            ask_set(&set, nodes);
        }
        if let Ok(strings) = Strings::open(source, column) {
            ask_strings(&strings);
        }
    }
}

fn ask_ints<B: std::ops::Deref<Target = [u8]> + Clone>(ints: &Ints<B>) {
    for index in PLACES.into_iter().chain([ints.len() / 2, ints.len().wrapping_sub(1), ints.len()]) {
        let value = ints.get(index, u64::MAX);
        let _ = (ints.get_u32(index, 7), ints.pair(index));
        let _ = ints.read(index, 9, &mut [0; 300]);
        let _ = ints.read_indexed(index, &mut [0; 300]);
        let range = index..index.saturating_add(STEPS);
        let mut see = |found| {
            assert!(found < ints.len());
            ControlFlow::Continue(())
        };
        let wanted = value.unwrap_or(3);
        for bounds in [i64::MIN..=i64::MAX, 0..=5000] {
            let _ = ints.find_equal(wanted, range.clone(), &bounds, &mut see);
            let _ = ints.find_range(wanted..=wanted.saturating_add(9), range.clone(), &bounds, &mut see);
            let _ = ints.find_if(range.clone(), &bounds, |value| value % 2 == 0, &mut see);
        }
        ask_folds(ints, range.start..range.end.min(ints.len()));
        let mut run = Vec::new();
        let _ = ints.append_run(range, 5000, &mut run);
        assert!(run.iter().all(|value| *value < 5000));
    }
    assert!(ints.as_u32_slice().is_none_or(|slice| slice.len() == ints.len()));
    let _ = ints.is_identity();
}

/// Checks that folding a range has the same result as folding its values one by one, and fails if and only if
/// reading one of them fails.
fn ask_folds<B: std::ops::Deref<Target = [u8]> + Clone>(ints: &Ints<B>, range: Range<usize>) {
    if ints.is_relative() || range.is_empty() {
        return;
    }
    let wanted = 3..=900;
    for bounds in [i64::MIN..=i64::MAX, 0..=5000] {
        let mut bits = vec![0; range.len().div_ceil(64)];
        let sum = ints.sum(range.clone(), &bounds);
        let ends = ints.least_and_greatest(range.clone(), &bounds);
        let count = ints.count_in(&wanted, range.clone(), &bounds);
        let selected = ints.select_in(&wanted, range.clone(), &bounds, &mut bits);
        // If a header determines the result, a fold does not notice missing values. A fold also refuses a
        // whole lane that ends too early, although some values of the lane can be read.
        let mut values = vec![0; range.len()];
        let is_read = ints.read(range.start, 0, &mut values).is_some();
        if !is_read || !values.iter().all(|value| bounds.contains(value)) {
            continue;
        }
        assert!(range.clone().map(|index| ints.get(index, 0)).eq(values.iter().copied().map(Some)));
        assert_eq!(sum, Some(values.iter().map(|value| i128::from(*value)).sum()));
        assert_eq!(ends, Some(values.iter().min().copied().zip(values.iter().max().copied())));
        assert_eq!(count, Some(values.iter().filter(|value| wanted.contains(value)).count() as u64));
        assert_eq!(selected, Some(()));
        for (index, value) in values.iter().enumerate() {
            assert_eq!(bits[index / 64] >> (index % 64) & 1 != 0, wanted.contains(value));
        }
    }
}

fn ask_set<B: std::ops::Deref<Target = [u8]> + Clone>(set: &NodeSet<B>, nodes: u32) {
    assert!(set.len() <= nodes);
    for place in
        PLACES.into_iter().chain([nodes as usize / 2, (nodes as usize).wrapping_sub(1), nodes as usize])
    {
        let node = place.min(u32::MAX as usize) as u32;
        let _ = (set.contains(node), set.member_rank(node), set.rank(node));
        assert!(set.iter_from(node).take(STEPS).all(|member| member < nodes));
        let _ = set.select(place);
        let run: Vec<u32> = (node..node.saturating_add(STEPS as u32)).collect();
        let (taken, positions) = set.cursor().run(&run);
        assert!(taken <= run.len() && positions.len() <= taken);
        let (nodes, mut bits) = (node..node.saturating_add(STEPS as u32), Vec::new());
        if let Some(ranks) = set.append_bits(nodes.clone(), &mut bits) {
            let ones: u32 = bits.iter().map(|word| word.count_ones()).sum();
            assert_eq!((ranks.len(), bits.len()), (ones as usize, nodes.len().div_ceil(64)));
        }
    }
    let _ = set.try_for_each({
        let mut left = STEPS;
        move |member| {
            assert!(member < nodes);
            left -= 1;
            (left > 0).then_some(())
        }
    });
    let _ = set.words().map(|words| words.take(STEPS).count());
}

fn ask_strings<B: std::ops::Deref<Target = [u8]> + Clone>(strings: &Strings<B>) {
    for place in PLACES {
        let code = place.min(u32::MAX as usize) as u32;
        let (text, mut reader) = (strings.get(code), strings.reader());
        assert_eq!(text.as_deref(), reader.bytes(code));
        let _ = strings.slices(code, &mut [0; 70], &mut [0; 70]);
        let _ = strings.part(place, &mut Vec::new());
    }
    if strings.is_sorted() || strings.len() as usize <= STEPS {
        let _ = strings.find_sorted("some text");
    }
}
