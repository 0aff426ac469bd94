//! [`Touched`]: a bit for each node that says whether any of its edges changed.

use varvite_store::Charge;

use super::Adjacency;
use crate::adjacency::change_columns::ChangeColumns;
use crate::adjacency::stored::StoredLists;

/// The nodes of which edges were appended or removed, along one edge label in one direction.
#[derive(Debug)]
pub(crate) struct Touched {
    words: Box<[u64]>,
    _memory: Charge,
}

impl Touched {
    /// Bytes that it takes in a graph of so many nodes.
    pub(crate) fn bytes(nodes: u32) -> u64 {
        u64::from(nodes).div_ceil(64) * 8
    }

    /// Those that `columns` change in `base`. A removed edge of the forest is told by its target, whose parent is in
    /// `parents`.
    ///
    /// Costs a few nanoseconds for each node with appended edges, and some hundred for each with removed ones.
    pub(crate) fn of(
        base: &Adjacency,
        columns: &ChangeColumns,
        parents: Option<&Adjacency>,
        nodes: u32,
        memory: Charge,
    ) -> Self {
        let mut words = vec![0; (nodes as usize).div_ceil(64)].into_boxed_slice();
        let mut add = |node: u32| {
            if let Some(word) = words.get_mut(node as usize / 64) {
                *word |= 1 << (node % 64);
            }
        };
        columns.appended.iter().flat_map(StoredLists::owners).for_each(&mut add);
        if let Some(holes) = &columns.holes {
            let (mut next, limit) = (0, base.entry_limit());
            while let Some(hole) = holes.iter_from(next).next().filter(|hole| (*hole as usize) < limit) {
                let Some((node, end)) = base.owner_of(hole, parents) else {
                    base.note_damage(hole);
                    break;
                };
                add(node);
                let Some(end) = u32::try_from(end).ok().filter(|end| *end > hole) else { break };
                next = end;
            }
        }
        Self { words, _memory: memory }
    }

    #[inline]
    pub(crate) fn contains(&self, node: u32) -> bool {
        self.words.get(node as usize / 64).is_some_and(|word| word >> (node % 64) & 1 != 0)
    }
}
