//! [`NodeBits`]: a set of nodes, as a bit for each node of the graph.
//!
//! It is cleared by the words that were written, as long as these are few: a walk of ten nodes does not pay for sixteen
//! million.

use crate::budget::{Budget, OverBudget};

/// A set of nodes.
#[derive(Debug, Default)]
pub(super) struct NodeBits {
    words: Vec<u64>,
    /// Words that were written, unless there were too many to tell.
    written: Vec<u32>,
    held: usize,
}

/// Words of which one may be written before all are cleared.
const WORDS_OF_WRITTEN: usize = 16;

impl NodeBits {
    /// Makes it the empty set of nodes below `limit`.
    pub(super) fn clear(&mut self, limit: u32, budget: &Budget) -> Result<(), OverBudget> {
        if self.written.len() < self.written_max() {
            self.written.iter().for_each(|word| self.words[*word as usize] = 0);
        } else {
            self.words.fill(0);
        }
        self.written.clear();
        let words = (limit as usize).div_ceil(64);
        let before = self.words.len();
        if words > before {
            budget.make_room(&mut self.words, words - before, &mut self.held)?;
            self.words.resize(words, 0);
            let written = self.written_max();
            budget.make_room(&mut self.written, written, &mut self.held)?;
        }
        Ok(())
    }

    fn written_max(&self) -> usize {
        self.words.len() / WORDS_OF_WRITTEN + 1
    }

    /// Adds a node; false if it is in there already.
    #[inline]
    pub(super) fn insert(&mut self, node: u32) -> bool {
        let bit = 1 << (node % 64);
        let written_max = self.written_max();
        let Some(word) = self.words.get_mut(node as usize / 64) else { return false };
        if *word & bit != 0 {
            return false;
        }
        if *word == 0 && self.written.len() < written_max {
            self.written.push(node / 64);
        }
        *word |= bit;
        true
    }

    /// Takes a node out.
    #[inline]
    pub(super) fn remove(&mut self, node: u32) {
        if let Some(word) = self.words.get_mut(node as usize / 64) {
            *word &= !(1 << (node % 64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cleared_set_is_empty_however_much_was_written() {
        let (budget, mut bits) = (Budget::new(1 << 20), NodeBits::default());
        for count in [1, 3, 5000, 2, 10_000, 1] {
            bits.clear(10_000, &budget).unwrap();
            let nodes = || (0..10_000).step_by(10_000 / count);
            assert!(nodes().all(|node| bits.insert(node)), "{count}");
            assert!(!nodes().any(|node| bits.insert(node)), "{count}");
        }
        bits.remove(0);
        assert!(bits.insert(0) && !bits.insert(10_112));
        let held = budget.held();
        bits.clear(100, &budget).unwrap();
        assert_eq!(budget.held(), held);
    }

    #[test]
    fn words_that_are_written_again_and_again_are_cleared() {
        let (budget, mut bits) = (Budget::new(1 << 20), NodeBits::default());
        bits.clear(10_000, &budget).unwrap();
        for _ in 0..1000 {
            assert!(bits.insert(77));
            bits.remove(77);
        }
        assert!(bits.insert(9999));
        bits.clear(10_000, &budget).unwrap();
        assert!(bits.insert(9999));
    }
}
