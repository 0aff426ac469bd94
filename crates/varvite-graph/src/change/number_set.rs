//! [`NumberSet`]: a set of nodes or edges, stored as a list or as a bitmap, whichever takes less memory.

use super::sorted::{contains, insert};

/// A bitmap replaces the list only if the list has at least this many members.
const MANY: usize = 1 << 12;
/// The maximum count of numbers that wait to be inserted: the first number, or the set's size divided by the
/// second number, whichever is larger.
const WAITING: (usize, usize) = (1 << 14, 8);

/// A set of ascending numbers: four bytes for each member, or a bit for each number up to the last member,
/// whichever is less.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberSet {
    /// All members in ascending order; empty if there is a bitmap.
    rising: Vec<u32>,
    bitmap: Vec<u64>,
    /// The number of members in the bitmap.
    count: usize,
}

/// Collects numbers, in any order, for a set.
#[derive(Debug, Default)]
pub(super) struct Collected {
    set: NumberSet,
    waiting: Vec<u32>,
}

impl NumberSet {
    /// The set of the numbers in an ascending list.
    pub(super) fn of(rising: Vec<u32>) -> Self {
        let mut set = Self { rising, ..Self::default() };
        set.choose_form();
        set
    }

    pub(super) fn len(&self) -> usize {
        self.rising.len() + self.count
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that the set takes.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.rising) + size_of_val(&*self.bitmap)
    }

    pub(super) fn contains(&self, number: u32) -> bool {
        match self.bitmap.is_empty() {
            true => contains(&self.rising, number),
            false => {
                let word = self.bitmap.get(number as usize / 64);
                word.is_some_and(|word| word >> (number % 64) & 1 != 0)
            }
        }
    }

    /// All members in ascending order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.rising.iter().copied().chain(varvite_format::members(&self.bitmap))
    }

    /// Inserts numbers, in any order.
    pub(super) fn insert(&mut self, new: impl IntoIterator<Item = u32>) {
        if self.bitmap.is_empty() {
            insert(&mut self.rising, new);
            self.choose_form();
        } else {
            new.into_iter().for_each(|number| self.insert_bit(number));
        }
    }

    /// Removes the members of another set.
    pub(super) fn remove_all(&mut self, others: &Self) {
        self.rising.retain(|number| !others.contains(*number));
        if !self.bitmap.is_empty() {
            for number in others.iter() {
                let word = self.bitmap.get_mut(number as usize / 64);
                let bit = 1 << (number % 64);
                if let Some(word) = word.filter(|word| **word & bit != 0) {
                    *word &= !bit;
                    self.count -= 1;
                }
            }
        }
    }

    /// The members as a list; `None` if the set is a bitmap.
    pub(super) fn as_list(&self) -> Option<&[u32]> {
        self.bitmap.is_empty().then_some(&self.rising)
    }

    /// The set as a bitmap of `limit` bits; all members are below `limit`.
    pub(super) fn to_bitmap(&self, limit: u32) -> Vec<u64> {
        let mut bitmap = self.bitmap.clone();
        bitmap.resize((limit as usize).div_ceil(64), 0);
        self.rising.iter().for_each(|number| bitmap[*number as usize / 64] |= 1 << (number % 64));
        bitmap
    }

    fn insert_bit(&mut self, number: u32) {
        let index = number as usize / 64;
        if index >= self.bitmap.len() {
            self.bitmap.resize(index + 1, 0);
        }
        let (word, bit) = (&mut self.bitmap[index], 1 << (number % 64));
        self.count += usize::from(*word & bit == 0);
        *word |= bit;
    }

    fn choose_form(&mut self) {
        let bits = self.rising.last().map_or(0, |last| *last as usize + 1);
        if self.rising.len() >= MANY && bits <= self.rising.len() * 32 {
            let rising = std::mem::take(&mut self.rising);
            self.bitmap = vec![0; bits.div_ceil(64)];
            rising.iter().for_each(|number| self.insert_bit(*number));
        }
    }
}

impl Collected {
    pub(super) fn push(&mut self, number: u32) {
        self.waiting.push(number);
        if self.waiting.len() >= WAITING.0.max(self.set.len() / WAITING.1) {
            self.set.insert(self.waiting.drain(..));
        }
    }

    /// The set of all collected numbers.
    pub(super) fn finish(mut self) -> NumberSet {
        self.set.insert(self.waiting);
        self.set
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_set_is_the_same_as_a_list_and_as_a_bitmap() {
        // Numbers far apart, numbers near each other, and numbers near each other after a few that are far
        // apart.
        for (count, step) in [(100, 1_000_003), (20_000, 7_919), (50_000, 3), (5_000, 90)] {
            let numbers: Vec<u32> =
                (0..count).map(|number: u32| number.wrapping_mul(step) % 3_000_017).collect();
            let mut collected = Collected::default();
            numbers.iter().chain(&numbers).for_each(|number| collected.push(*number));
            let mut set = collected.finish();
            let mut expected: BTreeSet<u32> = numbers.iter().copied().collect();
            assert!(set.iter().eq(expected.iter().copied()), "{count} {step}");
            assert_eq!(set.len(), expected.len());
            assert!(set.heap_bytes() <= (4 * set.len()).clamp(4 * MANY, 3_000_017 / 8) + 8);
            let other = NumberSet::of(expected.iter().copied().step_by(3).collect());
            assert!((0..100_000).all(|number| other.contains(number) <= set.contains(number)));
            set.remove_all(&other);
            expected.retain(|number| !other.contains(*number));
            assert!(set.iter().eq(expected.iter().copied()));
            assert_eq!(set.len(), expected.len());
            let last = expected.last().map_or(0, |last| last + 1);
            assert!(varvite_format::members(&set.to_bitmap(last)).eq(expected.iter().copied()));
        }
    }
}
