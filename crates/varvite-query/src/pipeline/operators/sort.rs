//! A stable sort that can be cancelled: it sorts runs of items, then merges two runs at a time until one is
//! left.

use std::cmp::Ordering;

use super::context::Context;
use super::stop::Stop;
use super::tally::Numbers;
use crate::pipeline::rows::Meaning;
use varvite_graph::Texts;
use varvite_graph::internal::TextStart;

/// The number of items in a run. A run is sorted without a check of the cancel flag, in fewer than 100,000
/// comparisons.
const RUN: usize = 1 << 13;
/// The number of items in a run if comparisons read texts, which may have to be decoded.
const RUN_OF_TEXTS: usize = 1 << 4;
/// The number of items merged between two checks of the cancel flag.
const MERGED: usize = 256;
/// The number of items copied between two checks of the cancel flag.
pub(super) const COPIED: usize = 1 << 16;
/// The number of loop turns for which one comparison of two texts counts.
const TURNS_OF_TEXTS: usize = 64;

/// Fills `order` with the row numbers below `rows`, which the caller then sorts.
pub(super) fn number_rows(
    order: &mut Vec<u32>,
    rows: usize,
    held: &mut usize,
    cx: &mut Context,
) -> Result<(), Stop> {
    order.clear();
    cx.budget.make_room(order, rows, held)?;
    for first in (0..rows).step_by(COPIED) {
        cx.tick_by(COPIED)?;
        order.extend(first as u32..rows.min(first + COPIED) as u32);
    }
    Ok(())
}

/// Sorts the numbers of groups by the keys of the groups, which are distinct.
pub(super) fn sort_groups(
    order: &mut Vec<u32>,
    keys: &[i64],
    meaning: &Meaning,
    cx: &mut Context,
) -> Result<(), Stop> {
    if let Meaning::Text = meaning {
        let texts = cx.texts;
        let text = |group: &u32| texts.get(keys[*group as usize]);
        return sort_by_texts(order, |a, b| text(a).cmp(&text(b)), cx);
    }
    if let Some(texts) = meaning.mixed_texts() {
        return sort_by_property(order, keys, texts, cx);
    }
    let numbers = Numbers::of(meaning);
    sort(order, |a, b| numbers.compare(keys[*a as usize], keys[*b as usize]), cx)
}

/// Sorts the numbers of groups by texts. If the budget has room, compares the first bytes of the texts, and
/// reads whole texts only where these are equal.
fn sort_by_property(order: &mut Vec<u32>, keys: &[i64], texts: &Texts, cx: &mut Context) -> Result<(), Stop> {
    let allowance = texts.allowance();
    let whole = |a: &u32, b: &u32| texts.compare(keys[*a as usize], keys[*b as usize], &allowance);
    let Ok(_room) = cx.budget.reserve(keys.len().saturating_mul(size_of::<TextStart>())) else {
        return sort_by_texts(order, whole, cx);
    };
    let mut starts = Vec::with_capacity(keys.len());
    for keys in keys.chunks(RUN_OF_TEXTS) {
        cx.tick_by(TURNS_OF_TEXTS * keys.len())?;
        starts.extend(keys.iter().map(|key| texts.start_of(*key)));
    }
    let start = |group: &u32| &starts[*group as usize];
    sort_by_texts(order, |a, b| start(a).cmp(start(b)).then_with(|| whole(a, b)), cx)
}

/// Sorts items whose comparison costs about a nanosecond.
pub(super) fn sort<T: Copy>(
    items: &mut Vec<T>,
    compare: impl Fn(&T, &T) -> Ordering,
    cx: &mut Context,
) -> Result<(), Stop> {
    merge_sort(items, RUN, 1, compare, cx)
}

/// Sorts items whose comparison reads two texts.
pub(super) fn sort_by_texts<T: Copy>(
    items: &mut Vec<T>,
    compare: impl Fn(&T, &T) -> Ordering,
    cx: &mut Context,
) -> Result<(), Stop> {
    merge_sort(items, RUN_OF_TEXTS, TURNS_OF_TEXTS, compare, cx)
}

fn merge_sort<T: Copy>(
    items: &mut Vec<T>,
    run: usize,
    turns: usize,
    compare: impl Fn(&T, &T) -> Ordering,
    cx: &mut Context,
) -> Result<(), Stop> {
    for run in items.chunks_mut(run) {
        cx.cancel.check()?;
        run.sort_by(&compare);
    }
    if items.len() <= run {
        return Ok(());
    }
    let _copy = cx.budget.reserve(items.capacity() * size_of::<T>())?;
    let mut merged = Vec::with_capacity(items.capacity());
    let mut width = run;
    while width < items.len() {
        merged.clear();
        for pair in items.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            // `count` items can be merged before `left` or `right` can become empty.
            while let count @ 1.. = left.len().min(right.len()).min(MERGED) {
                cx.tick_by(turns * count)?;
                let (mut a, mut b) = (0, 0);
                for _ in 0..count {
                    if compare(&right[b], &left[a]).is_lt() {
                        merged.push(right[b]);
                        b += 1;
                    } else {
                        merged.push(left[a]);
                        a += 1;
                    }
                }
                (left, right) = (&left[a..], &right[b..]);
            }
            for part in left.chunks(COPIED).chain(right.chunks(COPIED)) {
                cx.tick_by(part.len())?;
                merged.extend_from_slice(part);
            }
        }
        std::mem::swap(items, &mut merged);
        width *= 2;
    }
    Ok(())
}
