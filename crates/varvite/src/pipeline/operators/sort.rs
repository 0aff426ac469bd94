//! Sorting that can be cancelled: runs first, then merges of two until one is left. Stable.

use std::cmp::Ordering;

use super::context::{Context, Stop};

/// Items of a run, which is sorted without a look at the flag.
const RUN: usize = 1 << 14;
/// The same where a comparison reads texts, which may be decoded for it.
const RUN_OF_TEXTS: usize = 1 << 4;
/// Items that are copied without a look at the flag.
pub(super) const COPIED: usize = 1 << 16;
/// Turns of a loop that comparing two texts is worth.
const TURNS_OF_TEXTS: usize = 64;

/// Sorts items of which comparing two costs about a nanosecond.
pub(super) fn sort<T: Copy>(
    items: &mut Vec<T>,
    compare: impl Fn(&T, &T) -> Ordering,
    cx: &mut Context,
) -> Result<(), Stop> {
    merge_sort(items, RUN, 1, compare, cx)
}

/// Sorts items of which comparing two reads two texts.
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
    let mut merged = Vec::with_capacity(if items.len() > run { items.len() } else { 0 });
    let mut width = run;
    while width < items.len() {
        merged.clear();
        for pair in items.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (Some(a), Some(b)) = (left.first(), right.first()) {
                cx.tick_by(turns)?;
                if compare(b, a).is_lt() {
                    merged.push(*b);
                    right = &right[1..];
                } else {
                    merged.push(*a);
                    left = &left[1..];
                }
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
