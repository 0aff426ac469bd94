//! Many values of a property at once: those of a range of owners as arrays and bits, and what they come to.
//!
//! Every answer is the one that [`Property::number`] gives owner by owner, for a fraction of its cost. Where the file is
//! damaged the answer is put together owner by owner, so that what is sound still counts and the rest is noted.

use std::ops::{Range, RangeInclusive};

use crate::bounds::ANY;
use crate::property::Property;

impl Property {
    /// The first values of a range of owners as numbers, one behind the other; and who has one: bit `i % 64` of
    /// `present[i / 64]` for owner `owners.start + i`. Both are filled anew.
    ///
    /// Half a nanosecond for each value that is not in a list, and what memory takes; values in lists are read one by one.
    /// Allocates only if the vectors are too small.
    pub fn fill(&self, owners: Range<u32>, values: &mut Vec<i64>, present: &mut Vec<u64>) {
        if self.fill_run(&owners, values, present).is_none() {
            let numbers = owners.clone().map(|owner| self.number(owner));
            collect(numbers, owners.len(), values, present);
        }
    }

    /// [`Property::fill`] where owners have one value each. None if that makes no sense, with anything filled in.
    fn fill_run(&self, owners: &Range<u32>, values: &mut Vec<i64>, present: &mut Vec<u64>) -> Option<()> {
        present.clear();
        if self.offsets.is_some() {
            return None;
        }
        let positions = self.present.append_bits(owners.clone(), present)?;
        values.resize(positions.len(), 0);
        self.values.read(positions.start, 0, values)?;
        if !self.is_checked(&positions) {
            self.bounds.allow_all(values).then_some(())?;
            self.note_checked(positions);
        }
        Some(())
    }

    /// The same for owners in any order: bit `i % 64` of `present[i / 64]` for `owners[i]`. Fastest where they rise.
    ///
    /// Some two nanoseconds for each owner that rises, up to three cache misses for others.
    pub fn fill_list(&self, owners: &[u32], values: &mut Vec<i64>, present: &mut Vec<u64>) {
        let mut cursor = self.cursor();
        let numbers = owners.iter().map(|owner| cursor.number(*owner));
        collect(numbers, owners.len(), values, present);
    }

    /// The sum of all values of a range of owners, as numbers; those of lists too.
    ///
    /// A fraction of a nanosecond for each value, and what memory takes. Allocates nothing.
    pub fn sum(&self, owners: Range<u32>) -> i128 {
        let sum = self.positions_of(&owners).and_then(|positions| {
            let bounds = self.checked_bounds(&positions)?;
            let sum = self.values.sum(positions.clone(), &bounds)?;
            self.note_checked(positions);
            Some(sum)
        });
        sum.unwrap_or_else(|| self.sound_numbers(owners).map(i128::from).sum())
    }

    /// The least and the greatest value of a range of owners, as numbers; those of lists too. None if they have no values.
    ///
    /// A fraction of a nanosecond for each value that can be one of them. Allocates nothing.
    pub fn least_and_greatest(&self, owners: Range<u32>) -> Option<(i64, i64)> {
        let ends = self.positions_of(&owners).and_then(|positions| {
            let bounds = self.checked_bounds(&positions)?;
            let ends = self.values.least_and_greatest(positions.clone(), &bounds)?;
            self.note_checked(positions);
            Some(ends)
        });
        ends.unwrap_or_else(|| {
            self.sound_numbers(owners).fold(None, |ends, number| {
                let (low, high) = ends.unwrap_or((number, number));
                Some((low.min(number), high.max(number)))
            })
        })
    }

    /// How many values of a range of owners are in `numbers`; those of lists too.
    ///
    /// A fraction of a nanosecond for each value of which a header does not tell. Allocates nothing.
    pub fn count_in(&self, numbers: RangeInclusive<i64>, owners: Range<u32>) -> u64 {
        let count = self.positions_of(&owners).and_then(|positions| {
            let bounds = self.checked_bounds(&positions)?;
            let count = self.values.count_in(&numbers, positions.clone(), &bounds)?;
            self.note_checked(positions);
            Some(count)
        });
        count.unwrap_or_else(|| {
            self.sound_numbers(owners).filter(|number| numbers.contains(number)).count() as u64
        })
    }

    /// Adds to `counts[n]` how many values of a range of owners are the number `n`; those of lists too. Gives how many are
    /// beyond the end of `counts`, or negative.
    ///
    /// For codes of texts, and for small numbers: about a nanosecond for each value. Allocates nothing.
    pub fn count_codes(&self, owners: Range<u32>, counts: &mut [u64]) -> u64 {
        let others = self.positions_of(&owners).and_then(|positions| {
            let bounds = self.checked_bounds(&positions)?;
            // What is out of bounds must not have been counted, so that is looked at before.
            if bounds != ANY {
                self.values.count_in(&ANY, positions.clone(), &bounds)?;
                self.note_checked(positions.clone());
            }
            self.values.count_each(positions, counts)
        });
        others.unwrap_or_else(|| {
            let mut others = 0;
            for number in self.sound_numbers(owners) {
                let count = usize::try_from(number).ok().and_then(|number| counts.get_mut(number));
                *count.unwrap_or(&mut others) += 1;
            }
            others
        })
    }

    /// How many of a range of owners have a value.
    pub(crate) fn count_owners(&self, owners: Range<u32>) -> u64 {
        let rank = |owner| self.present.rank(owner).unwrap_or(0) as u64;
        rank(owners.end).saturating_sub(rank(owners.start))
    }

    /// Positions of the values of a range of owners. None if offsets make no sense.
    fn positions_of(&self, owners: &Range<u32>) -> Option<Range<usize>> {
        let ranks = self.present.rank(owners.start)?..self.present.rank(owners.end.max(owners.start))?;
        let Some(offsets) = &self.offsets else { return Some(ranks) };
        let position = |rank: usize| usize::try_from(offsets.get(rank, rank as u64)?).ok();
        let positions = position(ranks.start)?..position(ranks.end)?;
        (positions.start <= positions.end).then_some(positions)
    }

    /// What the values at `positions` are to be held against: anything, if that was done before or is done here, because null
    /// lies apart from the other numbers. None if they are damaged.
    fn checked_bounds(&self, positions: &Range<usize>) -> Option<RangeInclusive<i64>> {
        if let Some(bounds) = self.bounds_of(positions) {
            return Some(bounds);
        }
        let (low, high) = self.bounds.ends();
        let count = |numbers: RangeInclusive<i64>| self.values.count_in(&numbers, positions.clone(), &ANY);
        let nulls = self.bounds.null().map_or(Some(0), |null| count(null..=null))?;
        (count(low..=high)? + nulls == positions.len() as u64).then_some(ANY)
    }

    /// The numbers of a range of owners that can be read; notes those that can't.
    fn sound_numbers(&self, owners: Range<u32>) -> impl Iterator<Item = i64> + '_ {
        self.damage.note("property", owners.start);
        owners.flat_map(|owner| self.numbers(owner))
    }
}

/// Numbers that are there, one behind the other, and which are.
fn collect(
    numbers: impl Iterator<Item = Option<i64>>,
    count: usize,
    values: &mut Vec<i64>,
    present: &mut Vec<u64>,
) {
    values.clear();
    present.clear();
    present.resize(count.div_ceil(64), 0);
    for (index, number) in numbers.enumerate() {
        if let Some(number) = number {
            values.push(number);
            present[index / 64] |= 1 << (index % 64);
        }
    }
}
