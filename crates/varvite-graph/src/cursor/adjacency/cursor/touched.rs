//! [`Touched`]: a bit for each node, set if any of its edges changed, and the short lists of the nodes whose
//! bit is set.
//!
//! The short lists are made when the edges of a label are opened, so that a hop from a touched node costs
//! little more than a hop from another node. The total length of all short lists is limited. Longer lists,
//! and all lists after the limit was reached, are merged when they are read.

use varvite_store::Charge;

use super::Adjacency;
use super::merged::MergedLists;
use crate::cursor::adjacency::change_columns::ChangeColumns;
use crate::cursor::adjacency::stored::{ListRest, StoredLists};
use crate::cursor::ranked_bits::RankedBits;

/// The nodes with appended or removed edges, along one edge label in one direction.
#[derive(Debug)]
pub(crate) struct Touched {
    nodes: RankedBits,
    /// The start of each touched node's list in `neighbors`, and the end of the last list. For a node without
    /// a short list, `neighbors` has the single entry [`ABSENT`].
    starts: Vec<u32>,
    neighbors: Vec<u32>,
    _memory: Charge,
    _lists: Option<Charge>,
}

/// The largest number of neighbours in a short list.
const SHORT: usize = 16;
/// The largest number of neighbours in all short lists together. Lists with that many neighbours take a few
/// tenths of a second to make.
const LISTED: u64 = 1 << 22;
/// Marks a touched node without a short list: `neighbors` holds this one entry for it. No node has this id.
const ABSENT: u32 = u32::MAX;

impl Touched {
    /// Bytes that a `Touched` takes in a graph of `nodes` nodes, without its short lists.
    pub(crate) fn bytes(nodes: u32) -> u64 {
        RankedBits::bytes(nodes)
    }

    /// The nodes whose edges in `base` are changed by `columns`, without short lists yet. For a removed edge
    /// of the forest, `columns` holds the target; the source is the target's parent in `parents`.
    ///
    /// Costs a few nanoseconds for each node with appended edges, and a few hundred nanoseconds for each node
    /// with removed edges.
    pub(crate) fn of(
        base: &Adjacency,
        columns: &ChangeColumns,
        parents: Option<&Adjacency>,
        nodes: u32,
        memory: Charge,
    ) -> Self {
        let nodes = RankedBits::of(nodes, |add| Self::find(base, columns, parents, add));
        Self { nodes, starts: Vec::new(), neighbors: Vec::new(), _memory: memory, _lists: None }
    }

    fn find(
        base: &Adjacency,
        columns: &ChangeColumns,
        parents: Option<&Adjacency>,
        add: &mut dyn FnMut(u32),
    ) {
        columns.appended.iter().flat_map(StoredLists::owners).for_each(&mut *add);
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
    }

    /// The largest number of bytes that the short lists may take, in a file of `file_len` bytes.
    pub(crate) fn list_bytes(&self, file_len: u64) -> u64 {
        4 * (u64::from(self.nodes.count()) + 1 + self.listed_max(file_len))
    }

    fn listed_max(&self, file_len: u64) -> u64 {
        (u64::from(self.nodes.count()) * SHORT as u64).min(file_len / 4).min(LISTED)
    }

    /// Makes the short lists, up to the limit of their memory. A damaged list is not stored, so that each
    /// reader of that list finds the damage.
    pub(crate) fn make_lists(&mut self, merged: &MergedLists, file_len: u64, mut memory: Charge) {
        let most = self.listed_max(file_len) as usize;
        let (mut starts, mut neighbors) = (Vec::with_capacity(self.nodes.count() as usize + 1), Vec::new());
        let mut list = Vec::with_capacity(SHORT + 1);
        for node in self.iter() {
            starts.push(neighbors.len() as u32);
            list.clear();
            let room = SHORT + 1;
            let is_damaged = merged.is_damaged(|| {
                merged.append_rest(node, &mut ListRest::default(), room, &mut list);
            });
            if is_damaged || list.len() > SHORT {
                list.clear();
                list.push(ABSENT);
            }
            if neighbors.len() + list.len() > most {
                starts.pop();
                break;
            }
            neighbors.extend_from_slice(&list);
        }
        starts.push(neighbors.len() as u32);
        neighbors.shrink_to_fit();
        memory.resize(4 * (starts.capacity() + neighbors.capacity()) as u64);
        (self.starts, self.neighbors, self._lists) = (starts, neighbors, Some(memory));
    }

    #[inline(always)]
    pub(crate) fn contains(&self, node: u32) -> bool {
        self.nodes.contains(node)
    }

    /// The short list of a touched node; `None` if it has none.
    #[inline]
    pub(super) fn list(&self, node: u32) -> Option<&[u32]> {
        let rank = self.nodes.rank(node);
        let (start, end) = (*self.starts.get(rank)?, *self.starts.get(rank + 1)?);
        let list = self.neighbors.get(start as usize..end as usize)?;
        if list.first() == Some(&ABSENT) { None } else { Some(list) }
    }

    /// All touched nodes, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.nodes.iter()
    }
}
