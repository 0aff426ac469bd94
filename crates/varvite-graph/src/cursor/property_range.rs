//! Reads many values of a property at once: the values of a range of owners as arrays and bits, and sums and
//! counts of these values.
//!
//! Results equal those of calling [`Property::number`] for each owner, at a fraction of the cost. In a
//! damaged file the result is computed owner by owner, so that sound values are still included and damage is
//! recorded. In a graph with changed values the result is first computed from the base; then changed values
//! replace the values of the base.

use std::ops::{Range, RangeInclusive};

use varvite_format::{NodeSet, compress, keep_members, members, spread};
use varvite_store::Pinned;

use crate::cursor::bounds::ANY;
use crate::cursor::property::Property;

/// If fewer than one in `FEW` owners of a range are wanted, single look-ups cost less than reading the values
/// of all owners.
pub const FEW: usize = 16;

impl Property {
    /// Reads the first values of a range of owners as numbers. Clears both vectors, then sets `values[i]` to
    /// the value of owner `owners.start + i` and bit `i % 64` of `present[i / 64]`. For an owner without a
    /// value, the value and the bit are 0.
    ///
    /// Costs half a nanosecond for each owner if all or none of 64 adjacent owners have a value, and a
    /// nanosecond otherwise, besides the time to read memory. Values in lists are read one by one. Allocates
    /// only if the capacity of the vectors is too small.
    pub fn fill(&self, owners: Range<u32>, values: &mut Vec<i64>, present: &mut Vec<u64>) {
        if self.fill_run(&owners, values, present).is_none() {
            let numbers = owners.clone().map(|owner| self.number(owner));
            return collect(numbers, values, present);
        }
        self.change.iter().for_each(|change| change.patch(&owners, values, present));
    }

    /// The same as [`Property::fill`], for the values in the base, if owners have one value each. Returns
    /// `None` if they have lists or a value is invalid; the output is then undefined.
    fn fill_run(&self, owners: &Range<u32>, values: &mut Vec<i64>, present: &mut Vec<u64>) -> Option<()> {
        values.resize(owners.len(), 0);
        self.fill_members(owners, values, present)?;
        spread(values, present)
    }

    /// Copies the values that a range of owners has in the base to the front of `values`, one after the
    /// other, and sets in `present` the bits of the owners that have a value. Returns the number of values.
    /// `None` if owners have lists, a value is invalid, or `values` is too short.
    fn fill_members(&self, owners: &Range<u32>, values: &mut [i64], present: &mut Vec<u64>) -> Option<usize> {
        present.clear();
        if self.offsets.is_some() {
            return None;
        }
        let positions = self.present.append_bits(owners.clone(), present)?;
        let (count, members) = (positions.len(), values.get_mut(..positions.len())?);
        self.values.read(positions.start, 0, members)?;
        if !self.is_checked(&positions) {
            self.stored_bounds.allow_all(members).then_some(())?;
            self.note_checked(positions);
        }
        Some(count)
    }

    /// Appends to `numbers` the values of the owners of a range whose bits in `wanted` are set, in order.
    /// Nothing is appended for an owner without a value.
    #[doc(hidden)]
    pub fn append_wanted(
        &self,
        owners: Range<u32>,
        wanted: &[u64],
        scratch: (&mut Vec<i64>, &mut Vec<u64>),
        numbers: &mut Vec<i64>,
    ) {
        let (values, present) = scratch;
        if self.change.is_some() {
            self.fill_wanted(owners, wanted, values, present);
            return numbers.extend(members(present).filter_map(|index| values.get(index as usize)));
        }
        values.resize(owners.len(), 0);
        let filled =
            if are_few(wanted, &owners) { None } else { self.fill_members(&owners, values, present) };
        match filled {
            Some(count) => compress(values.get(..count).unwrap_or(&[]), present, wanted, numbers),
            None => {
                let indexes = members(wanted).take_while(|index| (*index as usize) < owners.len());
                let mut cursor = self.cursor();
                numbers.extend(indexes.filter_map(|index| cursor.number(owners.start + index)));
            }
        }
    }

    /// The same as [`Property::fill`], for owners in any order: `values[i]` and bit `i % 64` of `present[i /
    /// 64]` belong to `owners[i]`. This is fastest if owners are ascending.
    ///
    /// Costs about two nanoseconds for each owner if the owners are ascending, and up to three cache misses
    /// for each owner in other orders.
    pub fn fill_list(&self, owners: &[u32], values: &mut Vec<i64>, present: &mut Vec<u64>) {
        let mut cursor = self.cursor();
        collect(owners.iter().map(|owner| cursor.number(*owner)), values, present);
    }

    /// The same as [`Property::fill`], for the wanted owners of a range: bit `i % 64` of `wanted[i / 64]` is
    /// set if `owners.start + i` is wanted. For other owners, the entries of `values` are undefined and the
    /// bits of `present` are 0.
    ///
    /// Costs as much as [`Property::fill`] or, if few owners are wanted, some nanoseconds for each wanted
    /// owner.
    pub fn fill_wanted(
        &self,
        owners: Range<u32>,
        wanted: &[u64],
        values: &mut Vec<i64>,
        present: &mut Vec<u64>,
    ) {
        if !are_few(wanted, &owners) {
            self.fill(owners, values, present);
            present.iter_mut().zip(wanted).for_each(|(present, wanted)| *present &= wanted);
            return;
        }
        values.resize(owners.len(), 0);
        present.clear();
        present.resize(owners.len().div_ceil(64), 0);
        let mut cursor = self.cursor();
        for index in members(wanted).take_while(|index| (*index as usize) < owners.len()) {
            if let Some(number) = cursor.number(owners.start + index) {
                values[index as usize] = number;
                present[index as usize / 64] |= 1 << (index % 64);
            }
        }
    }

    /// Selects the owners of a range whose first value is in `numbers`: clears `bits`, and sets bit `i % 64`
    /// of `bits[i / 64]` for owner `owners.start + i`.
    ///
    /// Costs a fraction of a nanosecond for each value, and nothing for packed blocks whose header decides
    /// the result. Values in lists are read one by one. Allocates only if the capacity of `bits` is too
    /// small.
    pub fn select(&self, numbers: RangeInclusive<i64>, owners: Range<u32>, bits: &mut Vec<u64>) {
        let passes = |number| numbers.contains(&number);
        match self.select_run(&numbers, &owners, bits) {
            Some(()) => self.change.iter().for_each(|change| change.patch_bits(&owners, bits, passes)),
            None => self.select_one_by_one(owners, bits, passes),
        }
    }

    /// The same as [`Property::select`], for values that pass a test. Costs a nanosecond or two for each
    /// value. The content of `values` is undefined afterwards.
    #[inline]
    #[doc(hidden)]
    pub fn select_if(
        &self,
        owners: Range<u32>,
        values: &mut Vec<i64>,
        bits: &mut Vec<u64>,
        passes: impl Fn(i64) -> bool,
    ) {
        values.resize(owners.len(), 0);
        let Some(count) = self.fill_members(&owners, values, bits) else {
            return self.select_one_by_one(owners, bits, passes);
        };
        let words = bits.len();
        let bit = |word, (index, number): (usize, &i64)| word | u64::from(passes(*number)) << index;
        let found = values.get(..count).unwrap_or(&[]).chunks(64);
        bits.extend(found.map(|values| values.iter().enumerate().fold(0, bit)));
        let (members, of_values) = bits.split_at_mut(words);
        keep_members(members, of_values);
        bits.truncate(words);
        self.change.iter().for_each(|change| change.patch_bits(&owners, bits, &passes));
    }

    /// The same as [`Property::select`], for the values in the base, if owners have one value each. Returns
    /// `None` if they have lists or a value is invalid; the output is then undefined.
    fn select_run(
        &self,
        numbers: &RangeInclusive<i64>,
        owners: &Range<u32>,
        bits: &mut Vec<u64>,
    ) -> Option<()> {
        bits.clear();
        if self.offsets.is_some() {
            return None;
        }
        let positions = self.present.append_bits(owners.clone(), bits)?;
        let bounds = self.checked_bounds(&positions)?;
        if positions.len() == owners.len() {
            bits.fill(0);
            self.values.select_in(numbers, positions.clone(), &bounds, bits)?;
        } else {
            let words = bits.len();
            bits.resize(words + positions.len().div_ceil(64), 0);
            let (members, of_values) = bits.split_at_mut(words);
            self.values.select_in(numbers, positions.clone(), &bounds, of_values)?;
            keep_members(members, of_values);
            bits.truncate(words);
        }
        self.note_checked(positions);
        Some(())
    }

    fn select_one_by_one(&self, owners: Range<u32>, bits: &mut Vec<u64>, passes: impl Fn(i64) -> bool) {
        set_bits(owners.map(|owner| self.number(owner).is_some_and(&passes)), bits);
    }

    /// Selects the owners of a range that have a value, or a list that is not empty: clears `bits`, and sets
    /// bit `i % 64` of `bits[i / 64]` for owner `owners.start + i`.
    ///
    /// Costs a fraction of a nanosecond for each 64 owners or, if owners are stored as a sparse set, a
    /// nanosecond or two for each owner with a value.
    pub fn select_present(&self, owners: Range<u32>, bits: &mut Vec<u64>) {
        select_members(&self.present, owners.clone(), bits);
        self.change.iter().for_each(|change| change.members.patch_bits(&owners, bits));
    }

    /// The sum of all values of a range of owners as numbers, values in lists included.
    ///
    /// Costs a fraction of a nanosecond for each value, and the time of reading memory. Allocates nothing.
    pub fn sum(&self, owners: Range<u32>) -> i128 {
        let mut sum = 0;
        self.in_runs(owners, |property, owners| sum += property.sum_stored(owners));
        sum
    }

    fn sum_stored(&self, owners: Range<u32>) -> i128 {
        let sum = self.positions_of(&owners).and_then(|positions| {
            let bounds = self.checked_bounds(&positions)?;
            let sum = self.values.sum(positions.clone(), &bounds)?;
            self.note_checked(positions);
            Some(sum)
        });
        sum.unwrap_or_else(|| self.sound_numbers(owners).map(i128::from).sum())
    }

    /// The least and the greatest value of a range of owners as numbers, values in lists included. `None` if
    /// the owners have no values.
    ///
    /// Costs a fraction of a nanosecond for each value in a block that can hold the least or the greatest
    /// value. Allocates nothing.
    pub fn least_and_greatest(&self, owners: Range<u32>) -> Option<(i64, i64)> {
        let mut all: Option<(i64, i64)> = None;
        self.in_runs(owners, |property, owners| {
            let ends = property.ends_of_stored(owners);
            let both = all.zip(ends).map(|((a, b), (low, high))| (a.min(low), b.max(high)));
            all = both.or(all).or(ends);
        });
        all
    }

    fn ends_of_stored(&self, owners: Range<u32>) -> Option<(i64, i64)> {
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

    /// The number of values of a range of owners that are in `numbers`, values in lists included.
    ///
    /// Costs a fraction of a nanosecond for each value, and nothing for packed blocks whose header decides
    /// the result. Allocates nothing.
    pub fn count_in(&self, numbers: RangeInclusive<i64>, owners: Range<u32>) -> u64 {
        let mut count = 0;
        self.in_runs(owners, |property, owners| count += property.count_stored(&numbers, owners));
        count
    }

    fn count_stored(&self, numbers: &RangeInclusive<i64>, owners: Range<u32>) -> u64 {
        let count = self.positions_of(&owners).and_then(|positions| {
            let bounds = self.checked_bounds(&positions)?;
            let count = self.values.count_in(numbers, positions.clone(), &bounds)?;
            self.note_checked(positions);
            Some(count)
        });
        count.unwrap_or_else(|| {
            self.sound_numbers(owners).filter(|number| numbers.contains(number)).count() as u64
        })
    }

    /// Adds to `counts[n]` the number of values of a range of owners that equal `n`, values in lists
    /// included. Returns the number of values that are negative or beyond the end of `counts`.
    ///
    /// Use this method for codes of texts and for small numbers. Costs about a nanosecond for each value.
    /// Allocates nothing.
    pub fn count_codes(&self, owners: Range<u32>, counts: &mut [u64]) -> u64 {
        let mut others = 0;
        self.in_runs(owners, |property, owners| others += property.count_stored_codes(owners, counts));
        others
    }

    fn count_stored_codes(&self, owners: Range<u32>, counts: &mut [u64]) -> u64 {
        let others = self.positions_of(&owners).and_then(|positions| {
            let bounds = self.checked_bounds(&positions)?;
            // Values out of bounds must not be counted, so all values are checked first.
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

    /// The number of owners of a range that have a value.
    #[doc(hidden)]
    #[inline]
    pub fn count_owners(&self, owners: Range<u32>) -> u64 {
        let rank = |owner| match &self.change {
            None => self.present.rank(owner).unwrap_or(0) as u64,
            Some(change) => change.members.of(&self.present).rank(owner) as u64,
        };
        rank(owners.end).saturating_sub(rank(owners.start))
    }

    /// Calls `visit` with a property and the owners to read from it: once for each run of `owners` whose
    /// values are in the base, and once for the changed values.
    fn in_runs(&self, owners: Range<u32>, mut visit: impl FnMut(&Self, Range<u32>)) {
        let Some(change) = &self.change else { return visit(self, owners) };
        change.runs(owners.clone()).for_each(|run| visit(self, run));
        change.values.iter().for_each(|values| visit(values, owners.clone()));
    }

    /// Positions of the values of a range of owners in the base. `None` if offsets are invalid.
    fn positions_of(&self, owners: &Range<u32>) -> Option<Range<usize>> {
        let ranks = self.present.rank(owners.start)?..self.present.rank(owners.end.max(owners.start))?;
        let Some(offsets) = &self.offsets else { return Some(ranks) };
        let position = |rank: usize| usize::try_from(offsets.get(rank, rank as u64)?).ok();
        let positions = position(ranks.start)?..position(ranks.end)?;
        (positions.start <= positions.end).then_some(positions)
    }

    /// The bounds to check the values at `positions` against. If the number that stands for null is not
    /// adjacent to the numbers of values, one range cannot check both; then this call checks the values
    /// itself and returns the range of all numbers. `None` if the values are damaged.
    fn checked_bounds(&self, positions: &Range<usize>) -> Option<RangeInclusive<i64>> {
        if let Some(bounds) = self.bounds_of(positions) {
            return Some(bounds);
        }
        let (low, high) = self.stored_bounds.ends();
        let count = |numbers: RangeInclusive<i64>| self.values.count_in(&numbers, positions.clone(), &ANY);
        let nulls = self.stored_bounds.null().map_or(Some(0), |null| count(null..=null))?;
        (count(low..=high)? + nulls == positions.len() as u64).then_some(ANY)
    }

    /// The sound values of a range of owners in the base as numbers. Also records damage, because this
    /// function is called only after a faster read failed.
    fn sound_numbers(&self, owners: Range<u32>) -> impl Iterator<Item = i64> + '_ {
        self.damage.note("property", owners.start);
        owners.flat_map(|owner| self.stored_numbers(owner))
    }
}

/// Whether so few owners are wanted that single look-ups are cheaper than reading all values.
fn are_few(wanted: &[u64], owners: &Range<u32>) -> bool {
    wanted.iter().map(|word| word.count_ones() as usize).sum::<usize>() < owners.len() / FEW
}

/// Clears `bits`, and sets a bit for each id of `ids` that is a member of the set.
pub(crate) fn select_members(set: &NodeSet<Pinned>, ids: Range<u32>, bits: &mut Vec<u64>) {
    bits.clear();
    if set.append_bits(ids.clone(), bits).is_none() {
        set_bits(ids.map(|id| set.contains(id)), bits);
    }
}

/// Clears `bits`, and sets a bit for each answer that is true.
pub(crate) fn set_bits(answers: impl ExactSizeIterator<Item = bool>, bits: &mut Vec<u64>) {
    bits.clear();
    bits.resize(answers.len().div_ceil(64), 0);
    answers.enumerate().for_each(|(index, is_set)| bits[index / 64] |= u64::from(is_set) << (index % 64));
}

/// Clears `bits`, and sets the first `count` bits.
pub fn fill_bits(count: usize, bits: &mut Vec<u64>) {
    bits.clear();
    bits.resize(count.div_ceil(64), u64::MAX);
    if let Some(last) = bits.last_mut().filter(|_| !count.is_multiple_of(64)) {
        *last = (1 << (count % 64)) - 1;
    }
}

/// Clears both vectors and fills them. For each item, `values` gets the number, or 0 if it is missing, and
/// `present` gets a bit that is set if the number exists.
fn collect(
    numbers: impl ExactSizeIterator<Item = Option<i64>>,
    values: &mut Vec<i64>,
    present: &mut Vec<u64>,
) {
    values.clear();
    present.clear();
    present.resize(numbers.len().div_ceil(64), 0);
    for (index, number) in numbers.enumerate() {
        values.push(number.unwrap_or(0));
        present[index / 64] |= u64::from(number.is_some()) << (index % 64);
    }
}
