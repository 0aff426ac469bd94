//! [`Pending`]: neighbours that were read but not visited yet. [`Frame`]: the neighbours of one node.
//!
//! Neighbours are read some at a time, so that a walk that stops early has read little, and a walk holds only
//! a small part of a long list.

use std::ops::Range;

use super::branch::{Arrival, NO_WAY};
use super::error::WalkResult;
use super::plan::Plan;
use super::skipped_nodes::SkippedNodes;
use super::way::{EdgeRanks, PairedEntries};
use varvite_graph::Budget;
use varvite_graph::internal::ListRest;

/// The number of neighbours that are read at a time.
const PIECE: usize = 1 << 10;

/// Neighbours of all nodes that have a frame. The neighbours of the last frame come last.
#[derive(Debug, Default)]
pub(super) struct Pending {
    nodes: Vec<u32>,
    /// A rank for each neighbour, if the walk identifies edges.
    ranks: Vec<u32>,
    /// The way to each neighbour, if a function of the caller expands the walk.
    ways: Vec<u16>,
    /// The frames: in a depth-first walk one for each node of the current path, otherwise only one.
    frames: Vec<Frame>,
    paired: PairedEntries,
    paired_held: usize,
    held: usize,
}

/// The neighbours of one node. Some of them have been read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The entries that were read, as three indexes in [`Pending`]: their start, the next entry to visit, and
    /// their end.
    begin: usize,
    next: usize,
    end: usize,
    /// The unread rest of the list.
    rest: ListRest,
    /// The ways whose lists have not been read yet, as a range in the plan's numbers of ways.
    ways: (u32, u32),
    /// The way along which the entries were read.
    way: u16,
    has_more: bool,
}

/// The entries of the last frame that were read, for a loop that keeps its position in a variable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    next: usize,
    end: usize,
    pub(super) way: u16,
}

impl Pending {
    #[inline]
    pub(super) fn clear(&mut self) {
        self.frames.clear();
        self.truncate(0);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
        self.ranks.truncate(len);
        self.ways.truncate(len);
    }

    /// Adds a neighbour that a function of the caller supplies.
    pub(super) fn push(&mut self, node: u32, way: u16, rank: u32, budget: &Budget) -> WalkResult<()> {
        budget.make_room(&mut self.nodes, 1, &mut self.held)?;
        budget.make_room(&mut self.ranks, 1, &mut self.held)?;
        budget.make_room(&mut self.ways, 1, &mut self.held)?;
        self.nodes.push(node);
        self.ranks.push(rank);
        self.ways.push(way);
        Ok(())
    }

    /// Adds all neighbours along a way, with their ranks if the walk identifies edges.
    pub(super) fn push_all(&mut self, plan: &Plan, way: u16, node: u32, budget: &Budget) -> WalkResult<()> {
        let before = self.nodes.len();
        if plan.has_ranks {
            self.read_ranked(plan, way, node, budget)?;
        } else {
            let mut rest = ListRest::ALL;
            let mut has_more = true;
            while has_more {
                has_more = self.read(plan, way, node, &mut rest, budget)?;
            }
            self.fill(before, u32::MAX, |pending| &mut pending.ranks, budget)?;
        }
        self.fill(before, way, |pending| &mut pending.ways, budget)
    }

    fn fill<T: Copy>(
        &mut self,
        before: usize,
        item: T,
        items: impl Fn(&mut Self) -> &mut Vec<T>,
        budget: &Budget,
    ) -> WalkResult<()> {
        let (len, mut held) = (self.nodes.len(), self.held);
        budget.make_room(items(self), len - before, &mut held)?;
        self.held = held;
        items(self).resize(len, item);
        Ok(())
    }

    /// Reads some of the remaining neighbours of a node along a way; returns whether there are more.
    #[inline]
    fn read(
        &mut self,
        plan: &Plan,
        way: u16,
        node: u32,
        rest: &mut ListRest,
        budget: &Budget,
    ) -> WalkResult<bool> {
        budget.make_room(&mut self.nodes, PIECE, &mut self.held)?;
        let begin = self.nodes.len();
        let has_more = plan.ways[way as usize].adjacency.append_rest(node, rest, PIECE, &mut self.nodes);
        if plan.meets_loops_twice {
            plan.drop_loops(way, node, &mut self.nodes, begin);
        }
        Ok(has_more)
    }

    /// Reads all neighbours with the ranks of their edges.
    #[inline(never)]
    fn read_ranked(&mut self, plan: &Plan, way: u16, node: u32, budget: &Budget) -> WalkResult<()> {
        let Some(ranks) = &plan.ways[way as usize].ranks else { return Ok(()) };
        if let EdgeRanks::Paired(lists) = ranks {
            let bytes = PairedEntries::bytes(lists.in_.degree(node).max(PIECE).next_power_of_two());
            let bytes = bytes.max(self.paired_held);
            budget.hold(&mut self.paired_held, bytes)?;
        }
        let follows_loops = plan.follows_loops(way, node);
        let Self { nodes, ranks: all, paired, held, .. } = self;
        ranks.try_each(node, paired, |neighbor, rank| {
            if neighbor == node && !follows_loops {
                return Ok(());
            }
            budget.make_room(nodes, 1, held)?;
            budget.make_room(all, 1, held)?;
            nodes.push(neighbor);
            all.push(rank);
            Ok(())
        })
    }
}

/// Methods for frames.
impl Pending {
    /// Reads the first neighbours of a node along some ways, and adds a frame for these neighbours; returns
    /// false if there are none.
    #[inline]
    pub(super) fn open(
        &mut self,
        plan: &Plan,
        node: u32,
        ways: Range<u32>,
        budget: &Budget,
    ) -> WalkResult<bool> {
        let begin = self.nodes.len();
        let mut at = ways.start;
        while at < ways.end {
            let way = plan.way_numbers[at as usize];
            at += 1;
            // Most nodes have no neighbours along most ways. `begin_some` finds this out before a read is
            // prepared.
            let Some(mut rest) = plan.ways[way as usize].adjacency.begin_some(node) else { continue };
            let has_more = self.read_some(plan, way, node, &mut rest, budget)?;
            let end = self.nodes.len();
            if end > begin {
                budget.make_room(&mut self.frames, 1, &mut self.held)?;
                self.frames.push(Frame {
                    begin,
                    next: begin,
                    end,
                    rest,
                    ways: (at, ways.end),
                    way,
                    has_more,
                });
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds a frame for the neighbours that a function of the caller supplied, which start at index `begin`.
    /// Returns false if there are none.
    pub(super) fn open_given(&mut self, begin: usize, budget: &Budget) -> WalkResult<bool> {
        let end = self.nodes.len();
        if end == begin {
            return Ok(false);
        }
        budget.make_room(&mut self.frames, 1, &mut self.held)?;
        let (rest, ways, way) = (ListRest::ALL, (0, 0), NO_WAY);
        self.frames.push(Frame { begin, next: begin, end, rest, ways, way, has_more: false });
        Ok(true)
    }

    /// Adds a frame for the start nodes of a walk.
    pub(super) fn open_starts(&mut self, starts: &[u32], budget: &Budget) -> WalkResult<()> {
        budget.make_room(&mut self.nodes, starts.len(), &mut self.held)?;
        self.nodes.extend_from_slice(starts);
        budget.make_room(&mut self.frames, 1, &mut self.held)?;
        let (rest, ways, way, end) = (ListRest::ALL, (0, 0), NO_WAY, self.nodes.len());
        self.frames.push(Frame { begin: 0, next: 0, end, rest, ways, way, has_more: false });
        Ok(())
    }

    /// The entries of the last frame that were read.
    #[inline]
    pub(super) fn level(&self) -> Level {
        let of_frame = |frame: &Frame| Level { next: frame.next, end: frame.end, way: frame.way };
        self.frames.last().map_or(Level { next: 0, end: 0, way: NO_WAY }, of_frame)
    }

    /// Takes the next neighbour of a level; `None` at the end.
    #[inline]
    pub(super) fn at(&self, level: &mut Level) -> Option<u32> {
        if level.next >= level.end {
            return None;
        }
        level.next += 1;
        self.nodes.get(level.next - 1).copied()
    }

    /// Takes neighbours from the start of a level while they are nodes that the walk counts without a visit.
    /// Returns the number of nodes taken, which is at most a thousand.
    #[inline]
    pub(super) fn pass(&self, level: &mut Level, passed: &SkippedNodes<'_>) -> u32 {
        let count = passed.count(self.nodes.get(level.next..level.end).unwrap_or(&[]));
        level.next += count;
        count as u32
    }

    /// Records the position of the walk in the last frame.
    #[inline]
    pub(super) fn park(&mut self, level: Level) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = level.next;
        }
    }

    /// Whether there is no frame.
    #[inline]
    pub(super) fn is_closed(&self) -> bool {
        self.frames.is_empty()
    }

    /// The next entry of the last frame, among the entries that were read.
    #[inline]
    pub(super) fn next(&mut self, parent: u32, depth: u32) -> Option<Arrival> {
        let frame = self.frames.last_mut()?;
        if frame.next >= frame.end {
            return None;
        }
        let at = frame.next;
        frame.next += 1;
        let way = self.ways.get(at).copied().unwrap_or(frame.way);
        let rank = self.ranks.get(at).copied().unwrap_or(u32::MAX);
        Some(Arrival { node: *self.nodes.get(at)?, parent, depth, rank, way })
    }

    /// Replaces the entries of the last frame, which belongs to `node`, with the next neighbours of the node.
    /// If there are none, removes the frame and returns false.
    #[inline]
    pub(super) fn read_more(&mut self, plan: &Plan, node: u32, budget: &Budget) -> WalkResult<bool> {
        let Some(frame) = self.frames.last() else { return Ok(false) };
        let (begin, is_done) = (frame.begin, !frame.has_more && frame.ways.0 == frame.ways.1);
        self.truncate(begin);
        if is_done {
            self.frames.pop();
            return Ok(false);
        }
        self.read_rest(plan, node, budget)
    }

    #[inline(never)]
    fn read_rest(&mut self, plan: &Plan, node: u32, budget: &Budget) -> WalkResult<bool> {
        let Some(mut frame) = self.frames.pop() else { return Ok(false) };
        if frame.has_more {
            frame.has_more = self.read_some(plan, frame.way, node, &mut frame.rest, budget)?;
            if self.nodes.len() > frame.begin {
                (frame.next, frame.end) = (frame.begin, self.nodes.len());
                self.frames.push(frame);
                return Ok(true);
            }
        }
        self.open(plan, node, frame.ways.0..frame.ways.1, budget)
    }

    /// Reads neighbours along a way until some are found. Returns whether there are more.
    #[inline]
    fn read_some(
        &mut self,
        plan: &Plan,
        way: u16,
        node: u32,
        rest: &mut ListRest,
        budget: &Budget,
    ) -> WalkResult<bool> {
        if plan.has_ranks {
            self.read_ranked(plan, way, node, budget)?;
            return Ok(false);
        }
        let begin = self.nodes.len();
        loop {
            let has_more = self.read(plan, way, node, rest, budget)?;
            if !has_more || self.nodes.len() > begin {
                return Ok(has_more);
            }
        }
    }
}
