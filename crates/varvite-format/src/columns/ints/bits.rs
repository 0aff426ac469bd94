//! Integers of one bit each, read 64 at a time.

use std::ops::{ControlFlow, Range};

use crate::columns::stored_bounds::StoredBounds;

/// Fills `output` with the bits from index `start` on, each plus `base`.
pub(super) fn read(bytes: &[u8], start: usize, base: i64, output: &mut [i64]) -> Option<()> {
    let mut rest = output;
    let range = start..start + rest.len();
    words(bytes, range, |word, count| {
        let (now, later) = std::mem::take(&mut rest).split_at_mut_checked(count)?;
        (0..).zip(now).for_each(|(bit, value)| *value = base.wrapping_add((word >> bit & 1) as i64));
        rest = later;
        Some(())
    })
}

/// Finds the bits that are `wanted`, a word at a time.
pub(super) fn find(
    bytes: &[u8],
    wanted: u32,
    range: Range<usize>,
    bounds: StoredBounds,
    visit: &mut impl FnMut(usize) -> ControlFlow<()>,
) -> Option<()> {
    let all_where = |holds: bool| if holds { u64::MAX } else { 0 };
    let are_others = [0, 1].map(|bit| all_where(!bounds.hold(bit)));
    let are_wanted = [0, 1].map(|bit| all_where(wanted == bit));
    let mut at = range.start;
    while at < range.end {
        let run = (range.end - at).min(64 - at % 64);
        let stored = bytes.get(at / 64 * 8..(at + run).div_ceil(8))?;
        let mut word = [0; 8];
        word[..stored.len()].copy_from_slice(stored);
        let ones = u64::from_le_bytes(word) >> (at % 64);
        let chosen = |[zeros_are, ones_are]: [u64; 2]| {
            ((zeros_are & !ones) | (ones_are & ones)) & (u64::MAX >> (64 - run))
        };
        (chosen(are_others) == 0).then_some(())?;
        let mut hits = chosen(are_wanted);
        while hits != 0 {
            if visit(at + hits.trailing_zeros() as usize).is_break() {
                return Some(());
            }
            hits &= hits - 1;
        }
        at += run;
    }
    Some(())
}

/// Calls `visit` with the bits of `range`, up to 64 at a time, and their number. `None` if bytes are missing.
pub(super) fn words(
    bytes: &[u8],
    range: Range<usize>,
    mut visit: impl FnMut(u64, usize) -> Option<()>,
) -> Option<()> {
    let mut at = range.start;
    while at < range.end {
        let run = (range.end - at).min(64 - at % 64);
        let stored = bytes.get(at / 64 * 8..(at + run).div_ceil(8))?;
        let mut word = [0; 8];
        word[..stored.len()].copy_from_slice(stored);
        visit(u64::from_le_bytes(word) >> (at % 64) & (u64::MAX >> (64 - run)), run)?;
        at += run;
    }
    Some(())
}
