//! [`LabelSets`]: the label sets of nodes, each with a code.

use std::collections::HashMap;

use crate::budget::Reserved;
use crate::budget::{Budget, OverBudget};

/// Label sets by code.
#[derive(Debug)]
pub(super) struct LabelSets {
    codes: HashMap<Box<[u32]>, u32>,
    sets: Vec<Box<[u32]>>,
    /// The labels of the last call, in the caller's order, and their code. Most nodes have the same labels as
    /// the previous node.
    last: (Vec<u32>, u32),
    room: Reserved,
}

/// Bytes of a label set besides its labels, in the map and the list.
const SET: usize = 64;

impl LabelSets {
    pub(super) fn within(budget: &Budget) -> Self {
        Self {
            codes: HashMap::new(),
            sets: Vec::new(),
            last: (Vec::new(), u32::MAX),
            room: Reserved::nothing_of(budget),
        }
    }

    /// The code of the set of some labels; the labels may be in any order and may repeat.
    ///
    /// # Errors
    /// Too little memory in the budget.
    pub(super) fn code(&mut self, labels: &[u32]) -> Result<u32, OverBudget> {
        if self.last.1 != u32::MAX && self.last.0 == labels {
            return Ok(self.last.1);
        }
        let mut set = labels.to_vec();
        set.sort_unstable();
        set.dedup();
        let code = match self.codes.get(&set[..]) {
            Some(code) => *code,
            None => self.add(set.into())?,
        };
        self.last = (labels.to_vec(), code);
        Ok(code)
    }

    fn add(&mut self, set: Box<[u32]>) -> Result<u32, OverBudget> {
        self.room.take(SET + 2 * size_of_val(&*set))?;
        let code = self.sets.len() as u32;
        self.codes.insert(set.clone(), code);
        self.sets.push(set);
        Ok(code)
    }

    /// The number of label sets.
    pub(super) fn len(&self) -> usize {
        self.sets.len()
    }

    /// The labels of each set, in ascending order.
    pub(super) fn list(&self) -> &[Box<[u32]>] {
        &self.sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_have_one_code() {
        let mut sets = LabelSets::within(&Budget::new(1 << 20));
        let codes =
            [vec![1, 0], vec![], vec![0, 1, 1], vec![1], vec![0, 1]].map(|set| sets.code(&set).unwrap());
        assert_eq!(codes, [0, 1, 0, 2, 0]);
        assert_eq!(sets.list(), [[0, 1].into(), [].into(), Box::from([1])]);
    }
}
