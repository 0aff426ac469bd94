//! [`TwoSidedRun`]: a running walk from both ends, whose sides advance level by level in turn.

use varvite_store::Task;

use super::level_ends::LevelEnds;
use super::{Meet, TwoSidedArena, TwoSidedPlan};
use crate::walk::branch::{Branch, NO_WAY, back_from};
use crate::walk::counts::Counts;
use crate::walk::error::{WalkError, WalkResult};
use crate::walk::path_step::PathStep;
use crate::walk::plan::Plan;
use crate::walk::run::Run;
use crate::walk::uniqueness::{Uniqueness, Within};
use varvite_graph::Direction;

/// A running walk from both ends: [`next`](Self::next) returns one path after another, shorter paths first.
#[derive(Debug)]
pub struct TwoSidedRun<'a> {
    plan: &'a TwoSidedPlan,
    sides: [Run<'a>; 2],
    ends: &'a mut [LevelEnds; 2],
    /// The depth of each side's current level; `None` before the first level.
    depths: [Option<u32>; 2],
    /// The side whose turn it is.
    turn: usize,
    /// Whether the current level of the side whose turn it is has any branch.
    is_any: bool,
    /// The branches of the other side that meet the last branch of the side whose turn it is, and are still
    /// to be returned: the next one and the last one.
    left: Option<(u32, u32)>,
    results: u64,
    /// The length of the shortest paths, once one was found.
    shortest: Option<u32>,
    is_ended: bool,
}

/// A path that was found, as two branches that meet, one of each side.
#[derive(Clone, Copy, Debug)]
pub struct Meeting<'a> {
    plan: &'a TwoSidedPlan,
    start: (&'a [Branch], u32),
    end: (&'a [Branch], u32),
}

impl TwoSidedPlan {
    /// Starts a walk from the nodes `starts` to the nodes `ends`.
    ///
    /// # Errors
    /// The errors of [`Plan::run`].
    pub fn run<'a>(
        &'a self,
        arena: &'a mut TwoSidedArena,
        starts: &[u32],
        ends: &[u32],
    ) -> Result<TwoSidedRun<'a>, WalkError> {
        let [start, end] = &mut arena.sides;
        arena.ends.iter_mut().for_each(|level| level.begin(0));
        Ok(TwoSidedRun {
            plan: self,
            sides: [self.start.run(start, starts)?, self.end.run(end, ends)?],
            ends: &mut arena.ends,
            depths: [None; 2],
            turn: 1,
            is_any: true,
            left: None,
            results: 0,
            shortest: None,
            is_ended: false,
        })
    }
}

impl TwoSidedRun<'_> {
    /// The same walk within the time limit of a task; the task's flag cancels the walk.
    #[must_use]
    pub fn task(self, task: &Task<'_>) -> Self {
        let sides = self.sides.map(|side| side.task(task));
        Self { sides, ..self }
    }

    /// The next path; `None` at the end.
    ///
    /// # Errors
    /// [`WalkError`]; the walk is then ended.
    #[expect(clippy::should_implement_trait, reason = "what it gives is borrowed from the walk")]
    pub fn next(&mut self) -> Result<Option<Meeting<'_>>, WalkError> {
        if self.is_ended {
            return Ok(None);
        }
        match self.advance() {
            Ok(Some([start, end])) => {
                self.results += 1;
                let [start_side, end_side] = &self.sides;
                let (start, end) = ((start_side.branches(), start), (end_side.branches(), end));
                Ok(Some(Meeting { plan: self.plan, start, end }))
            }
            Ok(None) => {
                self.is_ended = true;
                self.plan.start.damage.check()?;
                Ok(None)
            }
            Err(error) => {
                self.is_ended = true;
                Err(*error)
            }
        }
    }

    /// Counts the remaining paths.
    ///
    /// # Errors
    /// The errors of [`next`](Self::next).
    pub fn count(&mut self) -> Result<u64, WalkError> {
        let before = self.results;
        while self.next()?.is_some() {}
        Ok(self.results - before)
    }

    /// How much work each side has done so far: first the start side, then the end side.
    pub fn counts(&self) -> [Counts; 2] {
        [self.sides[0].counts(), self.sides[1].counts()]
    }

    /// The next pair of branches that meet: first the branch of the start side, then the branch of the end
    /// side.
    fn advance(&mut self) -> WalkResult<Option<[u32; 2]>> {
        if self.results >= self.plan.start.results_max {
            return Ok(None);
        }
        loop {
            if let Some(pair) = self.next_pair()? {
                return Ok(Some(pair));
            }
            let (turn, other) = (self.turn, 1 - self.turn);
            let depth = self.depths[turn].unwrap_or(0);
            if self.depths[turn].is_some() && self.sides[turn].step_breadth_first(depth)? {
                self.meet_last(other)?;
            } else if !self.turn_over() {
                return Ok(None);
            }
        }
    }

    /// Finds the branches of the other side that meet the last branch of the side whose turn it is.
    fn meet_last(&mut self, other: usize) -> WalkResult<()> {
        self.is_any = true;
        let side = &self.sides[self.turn];
        let last = side.branches().len() - 1;
        let branch = &side.branches()[last];
        let ends = branch.evaluation.includes().then_some(branch.node);
        self.ends[self.turn].add(last as u32, ends, side.budget())?;
        let length = self.length();
        if length.is_some_and(|length| length >= self.plan.lengths.0) {
            self.left = ends.and_then(|node| self.ends[other].at(node));
        }
        Ok(())
    }

    /// Passes the turn to the other side, which starts its next level. Returns false if there can be no more
    /// paths.
    fn turn_over(&mut self) -> bool {
        // A side cannot continue from an empty level, and the other side cannot meet any branch of that
        // level.
        if !std::mem::take(&mut self.is_any) || self.shortest.is_some() {
            return false;
        }
        self.turn = 1 - self.turn;
        let depth = self.depths[self.turn].map_or(0, |depth| depth + 1);
        self.depths[self.turn] = Some(depth);
        self.ends[self.turn].begin(self.sides[self.turn].branches().len() as u32);
        self.length().is_none_or(|length| length <= self.plan.lengths.1)
    }

    /// The length of the paths that meet at the current levels of both sides.
    fn length(&self) -> Option<u32> {
        self.depths[0]?.checked_add(self.depths[1]?)
    }

    /// The next pair of branches among the meetings that were already found.
    fn next_pair(&mut self) -> WalkResult<Option<[u32; 2]>> {
        while let Some((next, last)) = self.left {
            self.sides[self.turn].tick()?;
            let other = 1 - self.turn;
            self.left = (next != last).then(|| (self.ends[other].after(next), last));
            let here = self.sides[self.turn].branches().len() as u32 - 1;
            let pair = if self.turn == 0 { [here, next] } else { [next, here] };
            if self.is_path(pair) {
                if self.plan.meet == Meet::Shortest {
                    self.shortest = self.length();
                }
                return Ok(Some(pair));
            }
        }
        Ok(None)
    }

    /// Whether the whole path that two branches form satisfies the uniqueness of the start side.
    fn is_path(&self, [start, end]: [u32; 2]) -> bool {
        let plan = &self.plan.start;
        let branches = [self.sides[0].branches(), self.sides[1].branches()];
        let [first, second] = [&branches[0][start as usize], &branches[1][end as usize]];
        if plan.skips_arriving_edge && is_same_edge(self.plan, first, second) {
            return false;
        }
        let on_end = |is_same: &dyn Fn(&Branch) -> bool| back_from(branches[1], end).any(is_same);
        match plan.uniqueness {
            // Both branches contain the node where they meet, so the comparison leaves this node of the start
            // side out.
            Uniqueness::Nodes(Within::Path) => back_from(branches[0], first.parent)
                .all(|branch| !on_end(&|other: &Branch| other.node == branch.node)),
            Uniqueness::Edges(Within::Path) => back_from(branches[0], start)
                .all(|branch| !on_end(&|other: &Branch| is_same_edge(self.plan, branch, other))),
            _ => true,
        }
    }
}

fn is_same_edge(plan: &TwoSidedPlan, of_start: &Branch, of_end: &Branch) -> bool {
    let label = |plan: &Plan, branch: &Branch| plan.edge_of(branch.way).map(|(label, _)| label);
    of_start.way != NO_WAY
        && of_start.rank == of_end.rank
        && label(&plan.start, of_start) == label(&plan.end, of_end)
}

impl Meeting<'_> {
    /// The number of edges of the path.
    pub fn length(&self) -> u32 {
        self.start.0[self.start.1 as usize].depth + self.end.0[self.end.1 as usize].depth
    }

    /// The node where the sides met.
    pub fn node(&self) -> u32 {
        self.start.0[self.start.1 as usize].node
    }

    /// Sets `path` to the nodes and edges from start to end.
    pub fn path(&self, path: &mut Vec<PathStep>) {
        path.clear();
        let start = back_from(self.start.0, self.start.1);
        let edge = |branch: &Branch| self.plan.start.edge_of(branch.way);
        path.extend(start.map(|branch| PathStep { node: branch.node, edge: edge(branch) }));
        path.reverse();
        // On the end side, the edge of a branch comes after the branch's node on the path.
        let end = back_from(self.end.0, self.end.1);
        let plan = &self.plan.end;
        let step = |(from, to): (&Branch, &Branch)| {
            let edge = plan.edge_of(from.way).map(|(label, direction)| {
                // Both sides follow an edge from a node to itself as an out-edge.
                let is_out = from.node == to.node && plan.meets_loops_out(label);
                (label, if is_out { Direction::Out } else { direction.reversed() })
            });
            PathStep { node: to.node, edge }
        };
        path.extend(end.clone().zip(end.skip(1)).map(step));
    }
}
