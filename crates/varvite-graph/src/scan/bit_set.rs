//! [`BitSet`]: a set of nodes, or of other small numbers, as a bit for each possible member.
//!
//! If few words were written, clearing the set resets only these words. So a walk of ten nodes stays cheap in
//! a graph of sixteen million nodes. Pages that are never written take no memory.

use crate::budget::{Budget, OverBudget};

/// A set of numbers below a limit.
#[derive(Debug, Default)]
pub struct BitSet {
    words: Vec<u64>,
    /// The indexes of written words. If the vector is full, other words may have been written too.
    written: Vec<u32>,
    held: usize,
}

/// The list of written words has one entry for each `WORDS_OF_WRITTEN` words, and at most `WRITTEN_MAX`
/// entries. If it is full, clearing the set resets all words.
const WORDS_OF_WRITTEN: usize = 16;
const WRITTEN_MAX: usize = 1 << 16;

impl BitSet {
    /// Makes this set an empty set of numbers below `limit`.
    ///
    /// # Errors
    /// [`OverBudget`]; the set is then empty and has its previous limit.
    #[doc(hidden)]
    pub fn begin(&mut self, limit: usize, budget: &Budget) -> Result<(), OverBudget> {
        self.clear();
        let words = limit.div_ceil(64);
        if words <= self.words.len() {
            return Ok(());
        }
        budget.hold(&mut self.held, 8 * words + 4 * written_max(words))?;
        *self = Self {
            // Zero pages from the operating system, which take no memory until they are written.
            words: vec![0; words],
            written: Vec::with_capacity(written_max(words)),
            held: self.held,
        };
        Ok(())
    }

    /// Whether the set can hold any number at all, because its limit is not 0.
    #[inline]
    #[doc(hidden)]
    pub fn has_room(&self) -> bool {
        !self.words.is_empty()
    }

    /// Removes all numbers.
    #[doc(hidden)]
    #[inline]
    pub fn clear(&mut self) {
        if self.written.len() < self.written.capacity() {
            self.written.iter().for_each(|word| self.words[*word as usize] = 0);
        } else {
            self.words.fill(0);
        }
        self.written.clear();
    }

    /// Adds a number. Returns false if it is a member already, or beyond the limit.
    #[inline]
    #[doc(hidden)]
    pub fn insert(&mut self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        let Some(word) = self.words.get_mut(number / 64) else { return false };
        if *word & bit != 0 {
            return false;
        }
        if *word == 0 && self.written.len() < self.written.capacity() {
            self.written.push((number / 64) as u32);
        }
        *word |= bit;
        true
    }

    /// Removes a number.
    #[inline]
    #[doc(hidden)]
    pub fn remove(&mut self, number: usize) {
        if let Some(word) = self.words.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    /// Whether a number is a member.
    #[inline]
    #[doc(hidden)]
    pub fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// Frees the memory of the set, and gives its bytes back to the budget. Call this method before the set
    /// is dropped.
    #[doc(hidden)]
    #[inline]
    pub fn release(&mut self, budget: &Budget) {
        budget.give_back(std::mem::take(self).held);
    }
}

fn written_max(words: usize) -> usize {
    (words / WORDS_OF_WRITTEN + 1).min(WRITTEN_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_set_is_empty_however_much_was_written() {
        let (budget, mut set) = (Budget::new(1 << 20), BitSet::default());
        for count in [1, 3, 5000, 2, 10_000, 1] {
            set.begin(10_000, &budget).unwrap();
            let numbers = || (0..10_000).step_by(10_000 / count);
            assert!(numbers().all(|number| set.insert(number)), "{count}");
            assert!(!numbers().any(|number| set.insert(number)), "{count}");
        }
        set.remove(0);
        assert!(!set.contains(0) && set.insert(0) && set.contains(0) && !set.insert(10_112));
        let held = budget.held();
        set.begin(100, &budget).unwrap();
        assert_eq!(budget.held(), held);
        set.release(&budget);
        assert_eq!(budget.held(), 0);
    }

    #[test]
    fn words_that_are_written_again_and_again_are_cleared() {
        let (budget, mut set) = (Budget::new(1 << 20), BitSet::default());
        set.begin(10_000, &budget).unwrap();
        for _ in 0..1000 {
            assert!(set.insert(77));
            set.remove(77);
        }
        assert!(set.insert(9999));
        set.clear();
        assert!(set.insert(9999));
    }
}
