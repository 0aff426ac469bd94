//! [`MergedLists`]: neighbours merged from the base and from the edges that were appended and removed since
//! the base was written.
//!
//! The reader first returns the entries of the base that were not removed, and then the appended edges that
//! were not removed. The base may have any of the stored forms of a graph without changes.

use std::ops::Range;

use super::Adjacency;
use crate::cursor::adjacency::change_columns::{ChangeColumns, EntryAt};
use crate::cursor::adjacency::stored::{ListRest, StoredLists};
use crate::cursor::damage::Damage;

/// The neighbours of nodes with changed edges, along one edge label in one direction.
#[derive(Clone, Debug)]
pub(crate) struct MergedLists {
    pub(super) base: Adjacency,
    pub(super) columns: ChangeColumns,
    damage: Damage,
}

/// A part of a node's list: consecutive positions of stored lists, or one neighbour.
enum Run<'a> {
    Positions(&'a StoredLists, Range<usize>),
    One(u32),
}

impl MergedLists {
    pub(crate) fn new(base: Adjacency, columns: ChangeColumns, damage: Damage) -> Self {
        Self { base, columns, damage }
    }

    /// Whether `read` found damage on this thread.
    pub(super) fn is_damaged(&self, read: impl FnOnce()) -> bool {
        self.damage.watch(read).is_err()
    }

    pub(super) fn degree(&self, node: u32) -> usize {
        let Some(lists) = self.base.as_lists() else {
            let mut count = 0;
            self.each(node, ListRest::default(), |_| count += 1);
            return count;
        };
        let base = lists.range(node);
        let removed = self.columns.holes_between(base.start, base.end);
        let appended = self.appended_range(node);
        let appended = match self.columns.removed {
            None => appended.len(),
            Some(_) => appended.filter(|position| self.living_rank(*position, node).is_some()).count(),
        };
        base.len() - removed.min(base.len()) + appended
    }

    /// Takes the next neighbour of `node` from `rest`, and returns the neighbour and the edge that leads to
    /// it. `ListRest::default()` holds all neighbours.
    pub(super) fn step(&self, node: u32, rest: &mut ListRest) -> Option<(u32, EntryAt)> {
        while !rest.is_appended() {
            match self.base.step(node, rest) {
                Some((_, EntryAt::Base(position))) if self.columns.is_hole(position) => {}
                Some(entry) => return Some(entry),
                None => *rest = ListRest::of_appended(self.appended_range(node)),
            }
        }
        for position in rest.left() {
            rest.move_to(position + 1);
            if let Some(rank) = self.living_rank(position, node) {
                let neighbor = self.columns.appended.as_ref()?.neighbor_at(position, node);
                return Some((neighbor?, EntryAt::Appended(rank)));
            }
        }
        None
    }

    /// Calls `visit` with all neighbours of `node` that are left in `rest`.
    pub(super) fn each(&self, node: u32, mut rest: ListRest, mut visit: impl FnMut(u32)) {
        while let Some(run) = self.next_run(node, &mut rest, usize::MAX) {
            match run {
                Run::Positions(lists, positions) => lists.each(positions, node, &mut visit),
                Run::One(neighbor) => visit(neighbor),
            }
        }
    }

    /// Appends at most `room` of the neighbours of `node` that are left in `rest`. Returns true if more are
    /// left.
    pub(super) fn append_rest(
        &self,
        node: u32,
        rest: &mut ListRest,
        room: usize,
        output: &mut Vec<u32>,
    ) -> bool {
        let full = output.len().saturating_add(room);
        while output.len() < full {
            match self.next_run(node, rest, full - output.len()) {
                Some(Run::Positions(lists, positions)) => {
                    lists.append(positions, node, output);
                }
                Some(Run::One(neighbor)) => output.push(neighbor),
                None => return false,
            }
        }
        let mut after = *rest;
        self.step(node, &mut after).is_some()
    }

    /// Takes from `rest` the longest run that contains no removed entry, but at most `room` entries.
    fn next_run(&self, node: u32, rest: &mut ListRest, room: usize) -> Option<Run<'_>> {
        if !rest.is_begun() {
            *rest = self.base.begin(node);
        }
        if let Some(lists) = self.base.as_lists().filter(|_| !rest.is_appended()) {
            let left = rest.left();
            let start = self.columns.first_kept(left.clone());
            let most = left.end.min(start.saturating_add(room));
            let end = self.columns.next_hole(start).min(most);
            if start < end {
                rest.move_to(end);
                return Some(Run::Positions(lists, start..end));
            }
            *rest = ListRest::of_appended(self.appended_range(node));
        }
        if let (true, Some(lists), None) = (rest.is_appended(), &self.columns.appended, &self.columns.removed)
        {
            let left = rest.left();
            let end = left.end.min(left.start.saturating_add(room));
            rest.move_to(end);
            return (left.start < end).then_some(Run::Positions(lists, left.start..end));
        }
        self.step(node, rest).map(|(neighbor, _)| Run::One(neighbor))
    }

    /// Positions of the appended edges of `node` in the appended lists.
    fn appended_range(&self, node: u32) -> Range<usize> {
        self.columns.appended.as_ref().map_or(0..0, |lists| lists.range(node))
    }

    /// The rank of the appended edge of `node` at a position; `None` if the edge was removed later.
    fn living_rank(&self, position: usize, node: u32) -> Option<u64> {
        let rank = self.columns.rank_at(position);
        if rank.is_none() {
            self.damage.note("ranks of appended edges", node);
        }
        rank.filter(|rank| !self.columns.is_removed(*rank))
    }
}
