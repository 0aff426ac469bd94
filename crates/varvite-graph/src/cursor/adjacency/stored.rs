//! The forms in which a file stores the neighbours of its nodes.
//!
//! Each form reads the neighbours of one node, and records damage of the file in [`Damage`]. No form returns
//! an id that does not exist.

use std::ops::Range;

use varvite_format::{Ints, ListEnds, NodeSet, NodeSetIter, SetCursor, SmallInts};
use varvite_store::Pinned;

use crate::cursor::damage::Damage;
use crate::cursor::ints_scan::{IntsScan, for_each_entry};
use crate::cursor::subtree::Subtree;

/// A list of ids for each node that has neighbours.
#[derive(Clone, Debug)]
pub(crate) struct StoredLists {
    owners: NodeSet<Pinned>,
    /// The ends of the lists; `None` if each list has one entry.
    ends: Option<ListEnds<Pinned>>,
    neighbors: Ints<Pinned>,
    nodes: u32,
    damage: Damage,
}

impl StoredLists {
    /// Lists in a graph of `nodes` nodes. The caller has checked that the lengths of the columns fit
    /// together.
    pub(crate) fn new(
        owners: NodeSet<Pinned>,
        offsets: Option<Ints<Pinned>>,
        neighbors: Ints<Pinned>,
        nodes: u32,
        damage: Damage,
    ) -> Self {
        Self { owners, ends: offsets.map(ListEnds::new), neighbors, nodes, damage }
    }

    /// The number of nodes that have a list, empty lists included.
    pub(super) fn owner_count(&self) -> u32 {
        self.owners.len()
    }

    /// The number of entries in all lists.
    #[inline]
    pub(crate) fn entry_count(&self) -> usize {
        self.neighbors.len()
    }

    /// The nodes that have a list, ascending, empty lists included.
    pub(crate) fn owners(&self) -> NodeSetIter<'_, Pinned> {
        self.owners.iter()
    }

    /// Whether the ends of lists are stored; if not, each list has one entry.
    pub(super) fn has_offsets(&self) -> bool {
        self.ends.is_some()
    }

    /// Whether the list of the owner with rank `rank` is empty; false if its ends cannot be read.
    #[inline]
    pub(super) fn is_empty_at(&self, rank: usize) -> bool {
        let ends = self.ends.as_ref().and_then(|ends| ends.of(rank));
        ends.is_some_and(|(start, end)| start == end)
    }

    /// The owner of the list that contains the entry at `position`, and all positions of that list; `None` if
    /// the file is damaged.
    pub(super) fn list_around(&self, position: usize) -> Option<(u32, Range<usize>)> {
        let (mut low, mut high) = (0, self.owner_count() as usize);
        while low < high {
            let middle = (low + high) / 2;
            let range = self.range_at(middle)?;
            if range.contains(&position) {
                return Some((self.owners.select(middle)?, range));
            }
            if range.end <= position {
                low = middle + 1
            } else {
                high = middle
            };
        }
        None
    }

    /// True if owners are stored as bits and the bit of `node` is 0, so that `node` has no list.
    #[inline(always)]
    pub(super) fn has_none(&self, node: u32) -> bool {
        self.owners.lacks(node)
    }

    /// A bit for each node, set if it has a list; empty if the owners of lists are not stored as bits.
    pub(super) fn owner_bits(&self) -> &[u8] {
        self.owners.bitmap().unwrap_or(&[])
    }

    /// Positions of the list of `node`. Always inlined, because a call would return the range through memory.
    #[inline(always)]
    pub(crate) fn range(&self, node: u32) -> Range<usize> {
        let Some(rank) = self.owners.member_rank(node) else { return 0..0 };
        let Some(ends) = &self.ends else { return rank..rank + 1 };
        match ends.of(rank) {
            Some((start, end)) if self.is_range(start, end) => start as usize..end as usize,
            _ => self.no_range(node),
        }
    }

    /// The length of each list, if all lists are equally long.
    pub(super) fn list_len(&self) -> Option<usize> {
        self.ends.as_ref().map_or(Some(1), |ends| ends.ints().list_len())
    }

    /// The rank of a node among those that have a list.
    #[inline(always)]
    pub(super) fn rank(&self, node: u32) -> Option<usize> {
        self.owners.member_rank(node)
    }

    #[cold]
    fn no_range(&self, node: u32) -> Range<usize> {
        self.damage.note("adjacency", node);
        0..0
    }

    #[inline]
    fn is_range(&self, start: u64, end: u64) -> bool {
        start <= end && end <= self.neighbors.len() as u64
    }

    /// Positions of the list of the owner with rank `rank`; `None` if the file is damaged.
    #[inline]
    fn range_at(&self, rank: usize) -> Option<Range<usize>> {
        let Some(ends) = &self.ends else { return Some(rank..rank + 1) };
        let (start, end) = ends.of(rank).filter(|(start, end)| self.is_range(*start, *end))?;
        Some(start as usize..end as usize)
    }

    /// The first entry of the list of `node`.
    #[inline]
    pub(super) fn first(&self, node: u32) -> Option<u32> {
        let range = self.range(node);
        if range.is_empty() {
            return None;
        }
        self.neighbor_at(range.start, node)
    }

    /// The entries of all lists as a slice of the column; `None` if the file does not have the direct
    /// profile. The entries are not checked yet.
    #[inline]
    pub(super) fn as_slice(&self) -> Option<&[u32]> {
        self.neighbors.as_u32_slice()
    }

    #[inline]
    pub(super) fn is_node(&self, neighbor: u32) -> bool {
        neighbor < self.nodes
    }

    /// The entry at `position`, which is in the list of `node`.
    #[inline]
    pub(crate) fn neighbor_at(&self, position: usize, node: u32) -> Option<u32> {
        let neighbor = self.neighbors.get_u32(position, node).filter(|neighbor| self.is_node(*neighbor));
        if neighbor.is_none() {
            self.note_neighbors(node);
        }
        neighbor
    }

    /// Calls `visit` with each entry at the positions `range`, which are in the list of `node`, up to the
    /// first id that does not exist.
    #[inline]
    pub(super) fn each(&self, range: Range<usize>, node: u32, visit: impl FnMut(u32)) {
        if self.neighbors.each_u32(range, node, self.nodes, visit).is_none() {
            self.note_neighbors(node);
        }
    }

    /// The entries of `list`, which belongs to `node`, up to the first id that does not exist.
    ///
    /// A list is checked each time it is returned, which adds a twentieth to the cost of a hop. A check of
    /// the whole column when it is opened would read all of it, and would prove nothing if the mapped file
    /// changes later.
    #[inline]
    pub(super) fn sound<'a>(&self, list: &'a [u32], node: u32) -> &'a [u32] {
        match list.iter().position(|neighbor| !self.is_node(*neighbor)) {
            None => list,
            Some(end) => {
                self.note_neighbors(node);
                &list[..end]
            }
        }
    }

    /// Appends the list of `node`, up to the first id that does not exist. Not inlined, so that its callers
    /// stay short enough to be inlined.
    #[inline(never)]
    pub(super) fn append_all(&self, node: u32, output: &mut Vec<u32>) {
        let range = self.range(node);
        if !range.is_empty() {
            self.append(range, node, output);
        }
    }

    /// Appends the entries at the positions `range`, which are in the list of `node`, up to the first id that
    /// does not exist. Returns false if there is such an id.
    #[inline]
    pub(crate) fn append(&self, range: Range<usize>, node: u32, output: &mut Vec<u32>) -> bool {
        if let Some(all) = self.as_slice() {
            let list = all.get(range).unwrap_or(&[]);
            let sound = self.sound(list, node);
            output.extend_from_slice(sound);
            return sound.len() == list.len();
        }
        let is_whole = self.neighbors.append_u32(range, node, self.nodes, output).is_some();
        if !is_whole {
            self.note_neighbors(node);
        }
        is_whole
    }

    /// Appends at most `room` neighbours of `node` that are left in `rest`. Returns true if more are left.
    #[inline]
    pub(super) fn append_rest(
        &self,
        node: u32,
        rest: &mut ListRest,
        room: usize,
        output: &mut Vec<u32>,
    ) -> bool {
        if !std::mem::replace(&mut rest.is_begun, true) {
            let range = self.range(node);
            (rest.next, rest.end, rest.is_ranked) = (range.start, range.end, true);
        }
        let range = rest.next..rest.end.min(rest.next.saturating_add(room));
        rest.next = range.end;
        if range.is_empty() {
            return rest.next < rest.end;
        }
        self.append(range, node, output) && rest.next < rest.end
    }

    /// A reader that appends the lists of many nodes in several calls.
    pub(super) fn many(&self) -> ManyLists<'_> {
        ManyLists { lists: self, owners: self.owners.cursor(), run_max: usize::MAX }
    }

    /// Appends the lists of the owners whose ranks are in `ranks`. Returns false and appends nothing if
    /// `output` would exceed `limit` entries, or if the lists hold an id that does not exist.
    fn append_run(&self, ranks: Range<usize>, limit: usize, output: &mut Vec<u32>) -> bool {
        if ranks.is_empty() {
            return true;
        }
        let ends = self.range_at(ranks.start).zip(self.range_at(ranks.end - 1));
        let Some((first, last)) = ends else { return false };
        let range = first.start..last.end;
        let before = output.len();
        if range.len() > limit.saturating_sub(before) {
            return false;
        }
        let is_sound = match self.as_slice().and_then(|all| all.get(range.clone())) {
            Some(list) => {
                output.extend_from_slice(list);
                self.is_node(list.iter().fold(0, |most, neighbor| most.max(*neighbor)))
            }
            None => self.neighbors.append_run(range, self.nodes, output).is_some(),
        };
        if !is_sound {
            output.truncate(before);
        }
        is_sound
    }

    /// Calls `visit` with every node and each of its neighbours. Columns are decoded in blocks from front to
    /// back.
    pub(super) fn for_each_edge(&self, mut visit: impl FnMut(u32, u32)) {
        let visit = |node, entry: i64| {
            let fits = (0..i64::from(self.nodes)).contains(&entry);
            if fits {
                visit(node, entry as u32);
            }
            fits
        };
        let neighbors = IntsScan::new(&self.neighbors);
        if let Err(node) =
            for_each_entry(&self.owners, self.ends.as_ref().map(ListEnds::ints), neighbors, visit)
        {
            self.note_neighbors(node);
        }
    }

    /// Records as damage that the list of `node` has an id that does not exist.
    #[inline]
    pub(super) fn note_neighbors(&self, node: u32) {
        self.damage.note("neighbours", node);
    }
}

/// Appends the lists of nodes, one after the other. It remembers the position of the last owner, so that it
/// finds the next list faster.
#[derive(Debug)]
pub(super) struct ManyLists<'a> {
    lists: &'a StoredLists,
    owners: SetCursor<'a, Pinned>,
    /// The largest number of consecutive owners whose lists are appended together. Halved after a run whose
    /// lists could not be appended.
    run_max: usize,
}

impl ManyLists<'_> {
    /// Appends the neighbours of one node after the other, and stops before the node whose neighbours would
    /// make `output` longer than `limit` entries. Returns the number of nodes whose neighbours were appended.
    pub(super) fn append(&mut self, nodes: &[u32], limit: usize, output: &mut Vec<u32>) -> usize {
        let lists = self.lists;
        let (mut done, has_runs) = (0, !lists.neighbors.is_relative());
        while let (Some(node), true) = (nodes.get(done), output.len() < limit) {
            if has_runs {
                let room = (limit - output.len()).min(nodes.len() - done).min(self.run_max);
                let (taken, run) = self.owners.run(&nodes[done..done + room]);
                if taken > 1 && lists.append_run(run, limit, output) {
                    (done, self.run_max) = (done + taken, self.run_max.saturating_mul(2));
                    continue;
                }
                self.run_max = (taken / 2).max(2);
            }
            if let Some(rank) = self.owners.member_rank(*node) {
                let range = lists.range_at(rank).filter(|range| range.len() <= limit - output.len());
                let Some(range) = range else { break };
                lists.append(range, *node, output);
            }
            done += 1;
        }
        done
    }
}

/// The stored distance from each node to its parent; 0 for a root.
#[derive(Clone, Debug)]
pub(super) struct StoredParents {
    distances: SmallInts<Pinned>,
    nodes: u32,
    damage: Damage,
}

impl StoredParents {
    pub(super) fn new(distances: Ints<Pinned>, nodes: u32, damage: Damage) -> Self {
        Self { distances: SmallInts::new(distances), nodes, damage }
    }

    /// The number of nodes of the stored forest.
    pub(super) fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The parent of a node that has a valid stored distance; for other nodes the result of `other`.
    #[inline(always)]
    pub(super) fn parent_or(&self, node: u32, other: impl FnOnce() -> Option<u32>) -> Option<u32> {
        match self.distances.get(node as usize) {
            Some(0) => None,
            Some(distance) if distance <= node => Some(node - distance),
            _ => other(),
        }
    }

    #[inline]
    pub(super) fn parent(&self, node: u32) -> Option<u32> {
        match self.distances.get(node as usize) {
            Some(0) => None,
            Some(distance) if distance <= node => Some(node - distance),
            // An id that the graph does not have has no neighbours. For an existing node, a missing or too
            // large distance is damage.
            _ if node >= self.nodes => None,
            _ => {
                self.damage.note("parents", node);
                None
            }
        }
    }
}

/// The neighbours of one node that a caller has not taken yet, for callers that take them part by part.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListRest {
    is_begun: bool,
    /// Whether `next` and `end` are positions among the entries of all lists of the label.
    is_ranked: bool,
    /// Whether `next` and `end` are positions among the entries of the lists of appended edges.
    is_appended: bool,
    next: usize,
    end: usize,
}

impl ListRest {
    /// All neighbours: none was taken yet.
    #[doc(hidden)]
    pub const ALL: Self = Self { is_begun: false, is_ranked: false, is_appended: false, next: 0, end: 0 };

    /// Whether `next` and `end` are set: neighbours were taken before, or a list was looked up.
    #[doc(hidden)]
    #[inline]
    pub fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// The entries at the given positions of the base.
    #[inline]
    pub(super) fn of_base(positions: Range<usize>) -> Self {
        Self { is_begun: true, next: positions.start, end: positions.end, ..Self::default() }
    }

    /// A whole list, given by its positions; `None` if the list is empty.
    #[inline]
    pub(super) fn of_list(positions: Range<usize>) -> Option<Self> {
        (!positions.is_empty()).then(|| Self { is_ranked: true, ..Self::of_base(positions) })
    }

    /// The entries at the given positions of the lists of appended edges.
    #[inline]
    pub(super) fn of_appended(positions: Range<usize>) -> Self {
        Self { is_appended: true, ..Self::of_base(positions) }
    }

    /// Whether all neighbours of the base were taken, so that appended edges are next.
    #[inline]
    pub(super) fn is_appended(&self) -> bool {
        self.is_appended
    }

    /// The positions of the entries that were not taken yet.
    #[inline]
    pub(super) fn left(&self) -> Range<usize> {
        self.next..self.end
    }

    /// Makes `position` the next position, or the end if `position` is beyond it.
    #[inline]
    pub(super) fn move_to(&mut self, position: usize) {
        self.next = position.min(self.end);
    }

    /// The position, among the entries of all lists of the label, after the last neighbour that was taken;
    /// `None` if the label is not stored in lists.
    #[doc(hidden)]
    #[inline]
    pub fn position(&self) -> Option<usize> {
        self.is_ranked.then_some(self.next)
    }

    /// Appends at most `room` children of `node` that are left. Returns true if more are left.
    #[inline]
    pub(super) fn append_children(
        &mut self,
        subtree: &Subtree,
        node: u32,
        room: usize,
        output: &mut Vec<u32>,
    ) -> bool {
        if !std::mem::replace(&mut self.is_begun, true) {
            let below = subtree.descendants(node);
            (self.next, self.end) = (below.start as usize, below.end as usize);
        }
        for _ in 0..room {
            if self.next >= self.end {
                break;
            }
            output.push(self.next as u32);
            self.next += 1 + subtree.size(self.next as u32) as usize;
        }
        self.next < self.end
    }
}
