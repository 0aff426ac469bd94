//! [`IntsScan`]: the values of an integer column from front to back, decoded in blocks.

use std::ops::Range;

use varvite_format::{Ints, NodeSet};
use varvite_store::Pinned;

use crate::cursor::bounds::Bounds;

/// The number of values that are decoded at a time.
const BLOCK: usize = 1024;

/// A reader of the values of an integer column, in order.
pub struct IntsScan<'a> {
    ints: &'a Ints<Pinned>,
    /// The bounds of the values; `None` if values are not checked.
    bounds: Option<&'a Bounds>,
    key_mask: u64,
    block: Box<[i64; BLOCK]>,
    /// Index in the column of the first value after `block`.
    decoded: usize,
    /// The indexes in `block` of the values that were not returned yet.
    left: Range<usize>,
}

impl<'a> IntsScan<'a> {
    #[doc(hidden)]
    #[inline]
    pub fn new(ints: &'a Ints<Pinned>) -> Self {
        // Only in a relative column does a value depend on the key that it is read with.
        let key_mask = if ints.get(0, 1) == ints.get(0, 0) { 0 } else { u64::MAX };
        Self { ints, bounds: None, key_mask, block: Box::new([0; BLOCK]), decoded: 0, left: 0..0 }
    }

    /// The same as [`IntsScan::new`], but the scan ends before a block with a value out of bounds. Relative
    /// columns cannot be read this way.
    pub(crate) fn within(ints: &'a Ints<Pinned>, bounds: &'a Bounds) -> Self {
        Self { bounds: Some(bounds), ..Self::new(ints) }
    }

    /// The next value, read with `key`; `None` at the end of the column, if bytes are missing, or if a value
    /// is out of bounds.
    #[inline]
    #[doc(hidden)]
    pub fn next(&mut self, key: u64) -> Option<i64> {
        if self.left.is_empty() {
            self.decode()?;
        }
        let value = self.block[self.left.start];
        self.left.start += 1;
        Some(value.wrapping_add((key & self.key_mask) as i64))
    }

    /// The number of values in the column.
    #[doc(hidden)]
    #[inline]
    pub fn value_count(&self) -> usize {
        self.ints.len()
    }

    /// Index of the next value.
    pub(crate) fn position(&self) -> usize {
        self.decoded - self.left.len()
    }

    fn decode(&mut self) -> Option<()> {
        let run = BLOCK.min(self.ints.len() - self.decoded);
        let block = &mut self.block[..run];
        self.ints.read(self.decoded, 0, block).filter(|()| run > 0)?;
        self.bounds.is_none_or(|bounds| bounds.allow_all(block)).then_some(())?;
        self.decoded += run;
        self.left = 0..run;
        Some(())
    }
}

/// Calls `visit` with each owner and each entry of its list, in order, while `visit` returns true, which
/// means that the entry is valid. Unlike [`ListScan`](crate::scan::columns::ListScan), this function does not
/// describe the fault, and is several times as fast.
///
/// # Errors
/// The owner whose list is missing, or has an invalid end or entry.
#[inline]
pub(crate) fn for_each_entry(
    owners: &NodeSet<Pinned>,
    offsets: Option<&Ints<Pinned>>,
    mut values: IntsScan<'_>,
    mut visit: impl FnMut(u32, i64) -> bool,
) -> std::result::Result<(), u32> {
    let (total, mut owner_now) = (values.value_count(), 0);
    let read_all = match offsets {
        None => owners.try_for_each(|owner| {
            owner_now = owner;
            let entry = values.next(u64::from(owner))?;
            visit(owner, entry).then_some(())
        }),
        Some(offsets) => {
            let mut ends = IntsScan::new(offsets);
            let mut end = ends.next(0);
            owners.try_for_each(|owner| {
                owner_now = owner;
                let start = end?;
                let next = ends.next(ends.position() as u64)?;
                end = Some(next);
                (start <= next).then_some(())?;
                for _ in start..next {
                    let entry = values.next(u64::from(owner))?;
                    visit(owner, entry).then_some(())?;
                }
                Some(())
            })
        }
    };
    read_all.filter(|()| values.position() == total).ok_or(owner_now)
}
