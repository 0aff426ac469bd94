//! [`Pending`]: neighbours that were read and that the walk has not come to yet, and [`Frame`], a node whose neighbours
//! these are.
//!
//! Neighbours are read some at a time, so that a walk that stops early has read little, and holds little of a long list.

use std::ops::Range;

use super::branch::{Arrival, NO_WAY};
use super::error::WalkError;
use super::plan::Plan;
use super::way::{EdgeRanks, PairedEntries};
use crate::adjacency::ListRest;
use crate::budget::Budget;

/// Neighbours that are read at a time.
const PIECE: usize = 1 << 10;

/// Neighbours of all nodes that the walk is at, those of the last one last.
#[derive(Debug, Default)]
pub(super) struct Pending {
    nodes: Vec<u32>,
    /// One for each, if the walk tells edges from each other.
    ranks: Vec<u32>,
    /// The way to each, if a function of the caller expands the walk.
    ways: Vec<u16>,
    paired: PairedEntries,
    paired_held: usize,
    held: usize,
}

/// The neighbours of one node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Those that were read, as places in [`Pending`]: where they begin, the next to come to, and where they end.
    begin: usize,
    next: usize,
    end: usize,
    /// The way that they were read along, and what is left of the list.
    way: u16,
    rest: ListRest,
    has_more: bool,
    /// Ways that were not begun.
    ways: (u32, u32),
}

impl Pending {
    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
        self.ranks.truncate(len);
        self.ways.truncate(len);
    }

    /// Adds a neighbour that a function of the caller gave.
    pub(super) fn push(&mut self, node: u32, way: u16, rank: u32, budget: &Budget) -> Result<(), WalkError> {
        budget.make_room(&mut self.nodes, 1, &mut self.held)?;
        budget.make_room(&mut self.ranks, 1, &mut self.held)?;
        budget.make_room(&mut self.ways, 1, &mut self.held)?;
        self.nodes.push(node);
        self.ranks.push(rank);
        self.ways.push(way);
        Ok(())
    }

    /// Adds all neighbours along a way, with their ranks where edges are told from each other, and calls `read` with how
    /// many they are.
    pub(super) fn push_all(
        &mut self,
        plan: &Plan,
        way: u16,
        node: u32,
        budget: &Budget,
    ) -> Result<(), WalkError> {
        let before = self.nodes.len();
        match &plan.ways[way as usize].ranks {
            Some(ranks) => self.read_ranked(ranks, node, budget)?,
            None => {
                let (mut rest, mut has_more) = (ListRest::default(), true);
                while has_more {
                    has_more = self.read(plan, way, node, &mut rest, budget)?;
                }
                self.fill(before, u32::MAX, |pending| &mut pending.ranks, budget)?;
            }
        }
        self.fill(before, way, |pending| &mut pending.ways, budget)
    }

    fn fill<T: Copy>(
        &mut self,
        before: usize,
        item: T,
        items: impl Fn(&mut Self) -> &mut Vec<T>,
        budget: &Budget,
    ) -> Result<(), WalkError> {
        let (len, mut held) = (self.nodes.len(), self.held);
        budget.make_room(items(self), len - before, &mut held)?;
        self.held = held;
        items(self).resize(len, item);
        Ok(())
    }

    /// Reads some of the neighbours that are left; true if there are more.
    #[inline]
    fn read(
        &mut self,
        plan: &Plan,
        way: u16,
        node: u32,
        rest: &mut ListRest,
        budget: &Budget,
    ) -> Result<bool, WalkError> {
        budget.make_room(&mut self.nodes, PIECE, &mut self.held)?;
        Ok(plan.ways[way as usize].adjacency.append_rest(node, rest, PIECE, &mut self.nodes))
    }

    /// Reads all neighbours with the ranks of their edges.
    fn read_ranked(&mut self, ranks: &EdgeRanks, node: u32, budget: &Budget) -> Result<(), WalkError> {
        if let EdgeRanks::Paired(lists) = ranks {
            let bytes = PairedEntries::bytes(lists.in_.degree(node).max(PIECE).next_power_of_two());
            let bytes = bytes.max(self.paired_held);
            budget.hold(&mut self.paired_held, bytes)?;
        }
        let Self { nodes, ranks: all, paired, held, .. } = self;
        ranks.try_each(node, paired, |neighbor, rank| {
            budget.make_room(nodes, 1, held)?;
            budget.make_room(all, 1, held)?;
            nodes.push(neighbor);
            all.push(rank);
            Ok(())
        })
    }
}

impl Frame {
    /// The neighbours of a node along some ways, behind what is pending.
    #[inline]
    pub(super) fn begin(pending: &Pending, ways: Range<u32>) -> Self {
        let begin = pending.len();
        let ways = (ways.start, ways.end);
        Self { begin, next: begin, end: begin, way: NO_WAY, rest: ListRest::default(), has_more: false, ways }
    }

    /// Neighbours that a function of the caller gave, from a place on.
    pub(super) fn given(pending: &Pending, begin: usize) -> Self {
        Self { begin, next: begin, end: pending.len(), ..Self::begin(pending, 0..0) }
    }

    /// The next neighbour that was read.
    #[inline]
    pub(super) fn next(&mut self, pending: &Pending, parent: u32, depth: u32) -> Option<Arrival> {
        if self.next >= self.end {
            return None;
        }
        let at = self.next;
        self.next += 1;
        let way = pending.ways.get(at).copied().unwrap_or(self.way);
        let rank = pending.ranks.get(at).copied().unwrap_or(u32::MAX);
        Some(Arrival { node: pending.nodes[at], parent, depth, rank, way })
    }

    /// Reads some more neighbours of a node; false if there are none.
    #[inline]
    pub(super) fn read(
        &mut self,
        plan: &Plan,
        node: u32,
        pending: &mut Pending,
        budget: &Budget,
    ) -> Result<bool, WalkError> {
        pending.truncate(self.begin);
        while pending.nodes.len() == self.begin {
            if self.has_more {
                self.has_more = pending.read(plan, self.way, node, &mut self.rest, budget)?;
                continue;
            }
            if self.ways.0 == self.ways.1 {
                return Ok(false);
            }
            self.way = plan.way_numbers[self.ways.0 as usize];
            self.ways.0 += 1;
            match &plan.ways[self.way as usize].ranks {
                Some(ranks) => pending.read_ranked(ranks, node, budget)?,
                None => (self.rest, self.has_more) = (ListRest::default(), true),
            }
        }
        (self.next, self.end) = (self.begin, pending.nodes.len());
        Ok(true)
    }
}
