//! [`LevelEnds`]: the branches of one level, by the node at which they end.

use crate::walk::key_set::{Key, KeySet};
use varvite_graph::{Budget, OverBudget};

/// The branches of one level, by the node at which they end.
#[derive(Debug, Default)]
pub(super) struct LevelEnds {
    /// For each node, the last branch that ends at it.
    last: KeySet,
    /// For each branch of the level, the next branch that ends at the same node; the last branch that ends at
    /// a node refers back to the first.
    next: Vec<u32>,
    /// The first branch of the level.
    begin: u32,
    held: usize,
}

impl LevelEnds {
    /// Removes all branches. The new level starts with branch number `branch`.
    pub(super) fn begin(&mut self, branch: u32) {
        self.last.clear();
        self.next.clear();
        self.begin = branch;
    }

    /// Adds a branch to the level, after all its other branches. `ends` is the node at which the branch ends;
    /// `None` if the branch must not meet branches of the other side.
    pub(super) fn add(&mut self, branch: u32, ends: Option<u32>, budget: &Budget) -> Result<(), OverBudget> {
        let place = branch.saturating_sub(self.begin) as usize;
        if place >= self.next.len() {
            let more = place + 1 - self.next.len();
            budget.make_room(&mut self.next, more, &mut self.held)?;
            self.next.resize(place + 1, branch);
        }
        let Some(node) = ends else { return Ok(()) };
        let before = self.last.put(Key { id: node.into(), depth: 0 }, branch, budget)?;
        self.next[place] = branch;
        if let Some(before) = before {
            let before = before.saturating_sub(self.begin) as usize;
            self.next[place] = std::mem::replace(&mut self.next[before], branch);
        }
        Ok(())
    }

    /// The first and the last of the branches that end at a node.
    pub(super) fn at(&self, node: u32) -> Option<(u32, u32)> {
        let last = self.last.get(Key { id: node.into(), depth: 0 })?;
        Some((self.after(last), last))
    }

    /// The next branch that ends at the same node as `branch`.
    pub(super) fn after(&self, branch: u32) -> u32 {
        self.next.get(branch.saturating_sub(self.begin) as usize).copied().unwrap_or(branch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_at_a_node_come_in_their_order() {
        let (budget, mut ends) = (Budget::new(1 << 20), LevelEnds::default());
        for begin in [0, 7] {
            ends.begin(begin);
            for (place, node) in [(0, Some(5)), (1, Some(6)), (2, None), (3, Some(5)), (5, Some(5))] {
                ends.add(begin + place, node, &budget).unwrap();
            }
            assert_eq!(ends.at(6), Some((begin + 1, begin + 1)));
            let (first, last) = ends.at(5).unwrap();
            let second = ends.after(first);
            assert_eq!([first, second, last], [begin, begin + 3, begin + 5]);
            assert_eq!(ends.at(7), None);
        }
    }
}
