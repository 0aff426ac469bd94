//! [`ChangedLists`]: neighbours of which some were appended and removed since the columns were written.
//!
//! The base, which is one of the other forms, is read as if nothing had changed; its removed entries are left out, and
//! the appended edges follow. A bit for each node says whether any of its edges changed, so that a node without costs
//! one test.

use std::ops::Range;
use std::sync::Arc;

use super::Adjacency;
use super::touched::Touched;
use crate::adjacency::change_columns::{ChangeColumns, EntryAt};
use crate::adjacency::stored::{ListRest, StoredLists};
use crate::damage::Damage;

/// The neighbours of every node along an edge label with changes, in one direction.
#[derive(Clone, Debug)]
pub(crate) struct ChangedLists {
    base: Adjacency,
    columns: ChangeColumns,
    touched: Arc<Touched>,
    damage: Damage,
}

/// A piece of the list of a node.
enum Run<'a> {
    Positions(&'a StoredLists, Range<usize>),
    One(u32),
}

impl ChangedLists {
    pub(crate) fn new(
        base: Adjacency,
        columns: ChangeColumns,
        touched: Arc<Touched>,
        damage: Damage,
    ) -> Self {
        Self { base, columns, touched, damage }
    }

    /// The neighbours before anything changed.
    #[inline]
    pub(super) fn base(&self) -> &Adjacency {
        &self.base
    }

    pub(crate) fn columns(&self) -> &ChangeColumns {
        &self.columns
    }

    /// Whether any of the edges of `node` were appended or removed.
    #[inline]
    pub(crate) fn is_touched(&self, node: u32) -> bool {
        self.touched.contains(node)
    }

    /// Not inlined, as everything here that hops come to: graphs without changes would carry its registers.
    #[inline(never)]
    pub(super) fn append(&self, node: u32, output: &mut Vec<u32>) {
        match self.is_touched(node) {
            true => self.each(node, ListRest::default(), |neighbor| output.push(neighbor)),
            false => self.base.append(node, output),
        }
    }

    #[inline(never)]
    pub(super) fn first(&self, node: u32) -> Option<u32> {
        match self.is_touched(node) {
            true => Some(self.step(node, &mut ListRest::default())?.0),
            false => self.base.first(node),
        }
    }

    #[inline(never)]
    pub(super) fn degree(&self, node: u32) -> usize {
        if !self.is_touched(node) {
            return self.base.degree(node);
        }
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

    /// The next neighbour of `node` that is left in `rest`, which begins with all of them, and which edge leads there.
    #[inline(never)]
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
    #[inline(never)]
    pub(super) fn each(&self, node: u32, mut rest: ListRest, mut visit: impl FnMut(u32)) {
        if !rest.is_begun() && !self.is_touched(node) {
            return self.base.each(node, visit);
        }
        while let Some(run) = self.next_run(node, &mut rest, usize::MAX) {
            match run {
                Run::Positions(lists, positions) => lists.each(positions, node, &mut visit),
                Run::One(neighbor) => visit(neighbor),
            }
        }
    }

    /// Appends at most `room` of the neighbours of `node` that are left in `rest`; true if there are more.
    #[inline(never)]
    pub(super) fn append_rest(
        &self,
        node: u32,
        rest: &mut ListRest,
        room: usize,
        output: &mut Vec<u32>,
    ) -> bool {
        if !self.is_touched(node) {
            return self.base.append_rest(node, rest, room, output);
        }
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

    /// What comes next of what is left of the list of `node`, in the largest piece that nothing was removed from.
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

    /// As [`Adjacency::append_many`].
    pub(super) fn append_many(&self, nodes: &[u32], limit: usize, output: &mut Vec<u32>) -> usize {
        let mut done = 0;
        while done < nodes.len() && output.len() < limit {
            let left = &nodes[done..];
            let left = &left[..left.len().min(limit - output.len())];
            let same = left.iter().take_while(|node| !self.is_touched(**node)).count();
            if same > 0 {
                let taken = self.base.append_many(&left[..same], limit, output);
                done += taken;
                if taken < same {
                    break;
                }
            } else if self.degree(nodes[done]) <= limit {
                self.append(nodes[done], output);
                done += 1;
            } else {
                break;
            }
        }
        done
    }

    /// As [`Adjacency::for_each_edge`].
    pub(super) fn for_each_edge(&self, visit: &mut dyn FnMut(u32, u32)) {
        let appended = self.columns.appended.as_ref();
        let mut owners = appended.map(StoredLists::owners).into_iter().flatten().peekable();
        let append = |node, visit: &mut dyn FnMut(u32, u32)| {
            self.each(node, ListRest::of_appended(self.appended_range(node)), |neighbor| {
                visit(node, neighbor)
            });
        };
        let is_forest = self.base.as_lists().is_none();
        let (mut position, mut next_hole, mut last) = (0, self.columns.next_hole(0), 0);
        let mut visit_base = |node, neighbor| {
            if node != last {
                while let Some(owner) = owners.next_if(|owner| *owner < node) {
                    append(owner, visit);
                }
                last = node;
            }
            let is_removed = match is_forest {
                true => self.columns.is_hole(self.base.target(node, neighbor) as usize),
                false => position == next_hole,
            };
            position += 1;
            if !is_removed {
                visit(node, neighbor);
            } else if !is_forest {
                next_hole = self.columns.next_hole(position);
            }
        };
        self.base.for_each_edge(&mut visit_base as &mut dyn FnMut(u32, u32));
        owners.for_each(|owner| append(owner, visit));
    }

    /// Positions of the list of appended edges of `node`.
    fn appended_range(&self, node: u32) -> Range<usize> {
        self.columns.appended.as_ref().map_or(0..0, |lists| lists.range(node))
    }

    /// The rank of the appended edge at a position of the list of `node`, unless it was removed again.
    fn living_rank(&self, position: usize, node: u32) -> Option<u64> {
        let rank = self.columns.rank_at(position);
        if rank.is_none() {
            self.damage.note("ranks of appended edges", node);
        }
        rank.filter(|rank| !self.columns.is_removed(*rank))
    }
}
