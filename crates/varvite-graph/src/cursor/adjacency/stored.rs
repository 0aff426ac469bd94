//! The forms in which a file keeps the neighbours of its nodes.
//!
//! Each form reads the neighbours of one node, and notes damage of the file in [`Damage`]: an id that does
//! not exist is never returned.

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
    /// None: each list has one entry.
    ends: Option<ListEnds<Pinned>>,
    neighbors: Ints<Pinned>,
    nodes: u32,
    damage: Damage,
}

impl StoredLists {
    /// Lists in a graph of `nodes` nodes. The caller has checked, when it opened the columns, that their
    /// lengths fit.
    pub(crate) fn new(
        owners: NodeSet<Pinned>,
        offsets: Option<Ints<Pinned>>,
        neighbors: Ints<Pinned>,
        nodes: u32,
        damage: Damage,
    ) -> Self {
        Self { owners, ends: offsets.map(ListEnds::new), neighbors, nodes, damage }
    }

    /// The number of nodes that have a list, though it may be empty.
    pub(super) fn owner_count(&self) -> u32 {
        self.owners.len()
    }

    /// The number of entries in all lists.
    #[inline]
    pub(crate) fn entry_count(&self) -> usize {
        self.neighbors.len()
    }

    /// The nodes that have a list, though it may be empty.
    pub(crate) fn owners(&self) -> NodeSetIter<'_, Pinned> {
        self.owners.iter()
    }

    /// Whether lists have ends of their own; else each has one entry.
    pub(super) fn has_offsets(&self) -> bool {
        self.ends.is_some()
    }

    /// Whether the list of the owner with rank `rank` is empty, as far as that can be read.
    #[inline]
    pub(super) fn is_empty_at(&self, rank: usize) -> bool {
        let ends = self.ends.as_ref().and_then(|ends| ends.of(rank));
        ends.is_some_and(|(start, end)| start == end)
    }

    /// The owner of the entry at a position, and the positions of its list; none for a damaged file.
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

    /// Whether a bit shows that `node` has no list.
    #[inline(always)]
    pub(super) fn has_none(&self, node: u32) -> bool {
        self.owners.lacks(node)
    }

    /// A bit for each node, whether it has a list; nothing where these are not stored as bits.
    pub(super) fn owner_bits(&self) -> &[u8] {
        self.owners.bitmap().unwrap_or(&[])
    }

    /// Positions of the list of `node`. Inlined always: a range returned from a call goes through memory.
    #[inline(always)]
    pub(crate) fn range(&self, node: u32) -> Range<usize> {
        let Some(rank) = self.owners.member_rank(node) else { return 0..0 };
        let Some(ends) = &self.ends else { return rank..rank + 1 };
        match ends.of(rank) {
            Some((start, end)) if self.is_range(start, end) => start as usize..end as usize,
            _ => self.no_range(node),
        }
    }

    /// The length of each list, if all are equal.
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

    /// Positions of the list of the owner with rank `rank`; none for a damaged file.
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

    /// All lists as they lie in memory, in a file of the direct profile. Their entries are not checked yet.
    #[inline]
    pub(super) fn as_slice(&self) -> Option<&[u32]> {
        self.neighbors.as_u32_slice()
    }

    #[inline]
    pub(super) fn is_node(&self, neighbor: u32) -> bool {
        neighbor < self.nodes
    }

    /// The entry at a position, of the list of `node`.
    #[inline]
    pub(crate) fn neighbor_at(&self, position: usize, node: u32) -> Option<u32> {
        let neighbor = self.neighbors.get_u32(position, node).filter(|neighbor| self.is_node(*neighbor));
        if neighbor.is_none() {
            self.note_neighbors(node);
        }
        neighbor
    }

    /// Calls `visit` with each entry in a part of the list of `node`, up to an id that does not exist.
    #[inline]
    pub(super) fn each(&self, range: Range<usize>, node: u32, visit: impl FnMut(u32)) {
        if self.neighbors.each_u32(range, node, self.nodes, visit).is_none() {
            self.note_neighbors(node);
        }
    }

    /// The neighbours of `node` up to the first that does not exist.
    ///
    /// A list is checked where it is handed out, which costs a twentieth of a hop. Checking the column when
    /// it is opened would read all of it, and prove nothing about a mapped file that changes later.
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

    /// Appends the list of `node`, up to an id that does not exist. Not inlined, so that its callers stay
    /// short enough to be inlined.
    #[inline(never)]
    pub(super) fn append_all(&self, node: u32, output: &mut Vec<u32>) {
        let range = self.range(node);
        if !range.is_empty() {
            self.append(range, node, output);
        }
    }

    /// Appends a part of the list of `node`, up to an id that does not exist; false if there is one.
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

    /// Appends at most `room` neighbours of `node` that are left in `rest`; true if there are more.
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

    /// Appends the lists of many nodes, one call after another.
    pub(super) fn many(&self) -> ManyLists<'_> {
        ManyLists { lists: self, owners: self.owners.cursor(), run_max: usize::MAX }
    }

    /// Appends the lists of owners with some ranks; false, with nothing appended, if these are too many or
    /// hold an id that does not exist.
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

    /// Notes that the list of `node` has an impossible id.
    #[inline]
    pub(super) fn note_neighbors(&self, node: u32) {
        self.damage.note("neighbours", node);
    }
}

/// Appends lists of nodes one behind the other; its state makes the next list faster.
#[derive(Debug)]
pub(super) struct ManyLists<'a> {
    lists: &'a StoredLists,
    owners: SetCursor<'a, Pinned>,
    /// Owners of a run whose lists are appended in one piece: fewer after one that had too many neighbours.
    run_max: usize,
}

impl ManyLists<'_> {
    /// Appends the neighbours of nodes, as long as `output` has at most `limit` entries with those of the
    /// next; returns for how many nodes that was done.
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

/// The distance from each node to its parent; 0 for a root.
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

    /// The parent of a node that has a distance; for other nodes the result of `other`.
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
            // An id that the graph does not have has no neighbours; a distance that is missing or too far is
            // damage.
            _ if node >= self.nodes => None,
            _ => {
                self.damage.note("parents", node);
                None
            }
        }
    }
}

/// The rest of one node's neighbours, for callers that take some at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListRest {
    is_begun: bool,
    /// Counts positions in all lists of the label, end to end.
    is_ranked: bool,
    /// Counts positions in the lists of appended edges.
    is_appended: bool,
    next: usize,
    end: usize,
}

impl ListRest {
    /// All of a list.
    #[doc(hidden)]
    pub const ALL: Self = Self { is_begun: false, is_ranked: false, is_appended: false, next: 0, end: 0 };

    /// Whether some were taken already.
    #[doc(hidden)]
    #[inline]
    pub fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// The rest of a list at these positions of the base.
    #[inline]
    pub(super) fn of_base(positions: Range<usize>) -> Self {
        Self { is_begun: true, next: positions.start, end: positions.end, ..Self::default() }
    }

    /// All of a list that takes up some positions, if it has entries.
    #[inline]
    pub(super) fn of_list(positions: Range<usize>) -> Option<Self> {
        (!positions.is_empty()).then(|| Self { is_ranked: true, ..Self::of_base(positions) })
    }

    /// The rest of a list of appended edges.
    #[inline]
    pub(super) fn of_appended(positions: Range<usize>) -> Self {
        Self { is_appended: true, ..Self::of_base(positions) }
    }

    /// Whether those of the base were all taken.
    #[inline]
    pub(super) fn is_appended(&self) -> bool {
        self.is_appended
    }

    /// The positions that are left.
    #[inline]
    pub(super) fn left(&self) -> Range<usize> {
        self.next..self.end
    }

    /// Goes on at a position.
    #[inline]
    pub(super) fn move_to(&mut self, position: usize) {
        self.next = position.min(self.end);
    }

    /// The position behind the last neighbour that was taken, in all lists of the label end to end; none
    /// where the label has no lists.
    #[doc(hidden)]
    #[inline]
    pub fn position(&self) -> Option<usize> {
        self.is_ranked.then_some(self.next)
    }

    /// Appends at most `room` children of `node` that are left; true if there are more.
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
