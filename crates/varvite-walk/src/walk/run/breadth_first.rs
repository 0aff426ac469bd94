//! Breadth first: branches are stored level by level, and are expanded in the order in which they are stored.

use super::{Reached, Run};
use crate::walk::error::WalkResult;
use crate::walk::guide::Guide;
use crate::walk::visited::OpenPath;

impl<G: Guide> Run<'_, G> {
    /// The next result of a breadth-first walk.
    #[inline]
    pub(super) fn next_breadth_first(&mut self) -> WalkResult<Option<u32>> {
        while self.step_breadth_first(u32::MAX)? {
            let last = self.arena.branches.len() - 1;
            if self.arena.branches[last].evaluation.includes() {
                return Ok(Some(last as u32));
            }
        }
        Ok(None)
    }

    /// The next result of a breadth-first walk whose deepest level is returned first.
    pub(super) fn next_of_levels(&mut self) -> WalkResult<Option<u32>> {
        if self.at.level_end == 0 {
            while self.step_breadth_first(u32::MAX)? {}
            let len = self.arena.branches.len() as u32;
            (self.at.level_end, self.at.next) = (len, len);
            self.begin_level_before(len);
        }
        loop {
            if self.at.next == self.at.level_end {
                let begin = self.level_begin(self.at.level_end);
                if begin == 0 {
                    return Ok(None);
                }
                self.begin_level_before(begin);
            }
            let number = self.at.next;
            self.at.next += 1;
            if self.arena.branches[number as usize].evaluation.includes() {
                return Ok(Some(number));
            }
        }
    }

    /// Moves to the level that ends before branch number `end`.
    fn begin_level_before(&mut self, end: u32) {
        (self.at.next, self.at.level_end) = (self.level_begin(end), end);
    }

    /// The first branch of the level that ends before branch number `end`.
    fn level_begin(&self, end: u32) -> u32 {
        let branches = &self.arena.branches[..end as usize];
        let depth = branches.last().map_or(0, |branch| branch.depth);
        branches.partition_point(|branch| branch.depth < depth) as u32
    }

    /// Visits one more branch of at most `depth_max` edges, and stores it as the last branch. Returns false
    /// if there is none.
    #[inline]
    pub(in crate::walk) fn step_breadth_first(&mut self, depth_max: u32) -> WalkResult<bool> {
        loop {
            let arena = &mut *self.arena;
            if arena.pending.is_closed() {
                if let Some(Reached { branch, state }) = self.start(OpenPath::Many) {
                    self.arena.push_branch(branch, state)?;
                    return Ok(true);
                }
                if !self.expand_next(depth_max)? {
                    return Ok(false);
                }
                continue;
            }
            let branch = &arena.branches[self.at.branch as usize];
            let (node, depth) = (branch.node, branch.depth + 1);
            if let Some(arrival) = arena.pending.next(self.at.branch, depth) {
                if let Some(Reached { branch, state }) = self.arrive(arrival, OpenPath::Many)? {
                    self.arena.push_branch(branch, state)?;
                    return Ok(true);
                }
            } else {
                arena.pending.read_more(self.plan, node, &arena.budget)?;
            }
        }
    }

    /// Expands the next branch that has fewer than `depth_max` edges and has neighbours. Returns false if
    /// there is none.
    #[inline]
    fn expand_next(&mut self, depth_max: u32) -> WalkResult<bool> {
        while let Some(branch) = self.arena.branches.get(self.at.next as usize)
            && branch.depth < depth_max
        {
            let number = self.at.next;
            self.at.next += 1;
            if !branch.evaluation.continues() {
                continue;
            }
            self.meter.tick(1)?;
            if self.expand_held(number)? {
                self.at.branch = number;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
