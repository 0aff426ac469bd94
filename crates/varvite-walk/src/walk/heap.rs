//! [`Heap`]: the branches that a walk by cost may visit next, the cheapest first.

use std::cmp::Ordering;

use varvite_graph::{Budget, OverBudget};

/// Branches by cost, the cheapest first; among branches of equal cost, the one found first.
#[derive(Debug, Default)]
pub(super) struct Heap {
    entries: Vec<Entry>,
    held: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    cost: f64,
    /// The number of the branch. Branches are numbered in the order in which they are found.
    branch: u32,
}

impl Entry {
    fn is_before(&self, other: &Self) -> bool {
        let order = self.cost.total_cmp(&other.cost).then(self.branch.cmp(&other.branch));
        order == Ordering::Less
    }
}

impl Heap {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    pub(super) fn push(&mut self, cost: f64, branch: u32, budget: &Budget) -> Result<(), OverBudget> {
        budget.make_room(&mut self.entries, 1, &mut self.held)?;
        self.entries.push(Entry { cost, branch });
        let mut at = self.entries.len() - 1;
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.entries[at].is_before(&self.entries[above]) {
                break;
            }
            self.entries.swap(at, above);
            at = above;
        }
        Ok(())
    }

    /// Removes and returns the cheapest branch.
    pub(super) fn pop(&mut self) -> Option<u32> {
        if self.entries.is_empty() {
            return None;
        }
        let first = self.entries.swap_remove(0);
        let mut at = 0;
        loop {
            let below = 2 * at + 1..(2 * at + 3).min(self.entries.len());
            let least =
                below.reduce(
                    |one, other| {
                        if self.entries[other].is_before(&self.entries[one]) { other } else { one }
                    },
                );
            match least.filter(|least| self.entries[*least].is_before(&self.entries[at])) {
                Some(least) => self.entries.swap(at, least),
                None => break,
            }
            at = least.unwrap_or(at);
        }
        Some(first.branch)
    }
}

#[cfg(test)]
mod tests {
    use varvite_model::SplitMix64;

    use super::*;

    #[test]
    fn the_cheapest_comes_first_and_of_equal_ones_the_oldest() {
        let (budget, mut random) = (Budget::new(1 << 20), SplitMix64::new(1));
        let mut heap = Heap::default();
        let mut left: Vec<(usize, u32)> = Vec::new();
        for branch in 0..2000 {
            let cost = random.below(50);
            heap.push(cost as f64, branch, &budget).unwrap();
            left.push((cost, branch));
            if random.chance(40) {
                left.sort();
                assert_eq!(heap.pop(), Some(left.remove(0).1));
            }
        }
        left.sort();
        left.iter().for_each(|(_, branch)| assert_eq!(heap.pop(), Some(*branch)));
        assert_eq!(heap.pop(), None);
    }
}
