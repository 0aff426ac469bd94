//! All results of a walk at once, for who does not stop between them: the same as one after another, with what the loop keeps in
//! mind where it is fastest.
//!
//! Not for all walks: functions that expand, states of branches, edges that are told from each other and hops to some labels are
//! left to the loop that stops.

use super::{Before, Run, evaluate};
use crate::budget::Budget;
use crate::walk::arena::{Arena, push_branch};
use crate::walk::branch::{Arrival, Branch, NO_BRANCH, NO_WAY};
use crate::walk::counts::Counts;
use crate::walk::error::Walked;
use crate::walk::guide::Guide;
use crate::walk::meter::{Meter, TICKS};
use crate::walk::order::Order;
use crate::walk::pending::Pending;
use crate::walk::plan::Plan;
use crate::walk::uniqueness::{Uniqueness, Within};
use crate::walk::visit::Visit;
use crate::walk::visited::Visited;

impl<G: Guide> Run<'_, G> {
    /// Whether [`sweep`](Self::sweep) does what is left: a whole walk.
    pub(super) fn may_sweep(&self) -> bool {
        let plan = self.plan;
        let is_plain = !G::EXPANDS && size_of::<G::State>() == 0;
        let is_once = matches!(plan.uniqueness, Uniqueness::None | Uniqueness::Nodes(Within::Walk));
        let is_in_order = matches!(plan.order, Order::DepthFirst | Order::BreadthFirst);
        let has_others = plan.has_ranks || plan.has_targets || plan.keeps_direction;
        let is_new = self.started == 0 && !self.is_ended && plan.results_max > 0;
        is_plain && is_once && is_in_order && !has_others && is_new
    }

    /// Gives all results.
    pub(super) fn sweep(&mut self, give: impl FnMut(&Visit<'_>)) -> Walked<()> {
        let Self { plan, arena, guide, meter, .. } = self;
        let Arena { starts, branches, pending, visited, budget, held, .. } = &mut **arena;
        let is_once = plan.uniqueness != Uniqueness::None;
        let mut sweep = Sweep { plan, guide, meter, branches, visited, budget, held, is_once };
        let mut counts = Counts::default();
        let swept = match pending.open_starts(starts, budget) {
            Ok(()) if plan.order == Order::DepthFirst => sweep.depth_first(pending, &mut counts, give),
            Ok(()) => sweep.breadth_first(pending, &mut counts, give),
            Err(error) => Err(error),
        };
        self.counts = counts;
        match swept {
            Ok(()) => self.end().map(drop),
            Err(error) => self.stop(error).map(drop),
        }
    }
}

/// A walk while nobody looks at it but through the function that is given its results.
struct Sweep<'a, G> {
    plan: &'a Plan,
    guide: &'a mut G,
    meter: &'a mut Meter,
    branches: &'a mut Vec<Branch>,
    visited: &'a mut Visited,
    budget: &'a Budget,
    held: &'a mut usize,
    /// Nodes are come to once.
    is_once: bool,
}

impl<G: Guide> Sweep<'_, G> {
    /// The neighbours that are pending are those of one path, and so are the branches. One that has nothing behind it is never
    /// held.
    fn depth_first(
        &mut self,
        pending: &mut Pending,
        told: &mut Counts,
        mut give: impl FnMut(&Visit<'_>),
    ) -> Walked<()> {
        let plan = self.plan;
        let (mut counts, mut depth, mut level) = (Counts::default(), 0u32, pending.level());
        let mut ticks = TICKS;
        let swept = loop {
            let Some(node) = pending.at(&mut level) else {
                let node = self.branches.last().map_or(0, |branch| branch.node);
                match pending.read_more(plan, node, self.budget) {
                    Ok(true) => {}
                    Ok(false) if depth == 0 => break Ok(()),
                    Ok(false) => {
                        self.branches.pop();
                        depth -= 1;
                    }
                    Err(error) => break Err(error),
                }
                level = pending.level();
                continue;
            };
            let parent = depth.wrapping_sub(1);
            let arrival = Arrival { node, parent, depth, rank: u32::MAX, way: level.way };
            let Some(branch) = self.arrive(arrival, &mut counts, &mut give) else { continue };
            if counts.results >= plan.results_max {
                break Ok(());
            }
            ticks -= 1;
            if ticks == 0 {
                ticks = TICKS;
                if let Err(error) = self.meter.look() {
                    break Err(error);
                }
            }
            if !branch.evaluation.continues() {
                continue;
            }
            counts.expansions += 1;
            let ways = plan.ways_from(branch.code, NO_WAY);
            if !plan.may_lead_on(node, ways.clone()) {
                continue;
            }
            pending.park(level);
            match pending.open(plan, node, ways, self.budget) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => break Err(error),
            }
            if let Err(error) = push_branch(self.branches, branch, self.budget, self.held) {
                break Err(error.into());
            }
            (depth, level) = (depth + 1, pending.level());
        };
        *told = counts;
        swept
    }

    /// All branches are held, in the order in which they are come to and then expanded.
    fn breadth_first(
        &mut self,
        pending: &mut Pending,
        told: &mut Counts,
        mut give: impl FnMut(&Visit<'_>),
    ) -> Walked<()> {
        let plan = self.plan;
        let (mut counts, mut next) = (Counts::default(), 0u32);
        let (mut before, mut depth, mut level) = (NO_BRANCH, 0u32, pending.level());
        let mut ticks = TICKS;
        let swept = 'walk: loop {
            while let Some(node) = pending.at(&mut level) {
                let arrival = Arrival { node, parent: before, depth, rank: u32::MAX, way: level.way };
                let Some(branch) = self.arrive(arrival, &mut counts, &mut give) else { continue };
                if let Err(error) = push_branch(self.branches, branch, self.budget, self.held) {
                    break 'walk Err(error.into());
                }
                if counts.results >= plan.results_max {
                    break 'walk Ok(());
                }
            }
            let node = self.branches.get(before as usize).map_or(0, |branch| branch.node);
            match pending.read_more(plan, node, self.budget) {
                Ok(true) => {
                    level = pending.level();
                    continue;
                }
                Ok(false) => {}
                Err(error) => break Err(error),
            }
            // The next branch that has anything behind it.
            loop {
                let Some(branch) = self.branches.get(next as usize) else { break 'walk Ok(()) };
                let (node, code) = (branch.node, branch.code);
                (before, depth, next) = (next, branch.depth + 1, next + 1);
                ticks -= 1;
                if ticks == 0 {
                    ticks = TICKS;
                    if let Err(error) = self.meter.look() {
                        break 'walk Err(error);
                    }
                }
                if !branch.evaluation.continues() {
                    continue;
                }
                counts.expansions += 1;
                let ways = plan.ways_from(code, NO_WAY);
                if !plan.may_lead_on(node, ways.clone()) {
                    continue;
                }
                match pending.open(plan, node, ways, self.budget) {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(error) => break 'walk Err(error),
                }
            }
            level = pending.level();
        };
        *told = counts;
        swept
    }

    /// Comes to a node, if the walk may, and gives it if it is a result.
    #[inline(always)]
    fn arrive(
        &mut self,
        arrival: Arrival,
        counts: &mut Counts,
        give: &mut impl FnMut(&Visit<'_>),
    ) -> Option<Branch> {
        let plan = self.plan;
        // Starts were held against each other before.
        if arrival.depth > 0 {
            counts.edges += 1;
            if self.is_once && !self.visited.insert(arrival.node) {
                return None;
            }
        }
        counts.label_reads += 1;
        let code = plan.labels.known_code(arrival.node)?;
        let mut branch = arrival.branch(code);
        counts.branches += 1;
        let (branches, number) = (&self.branches[..], self.branches.len() as u32);
        let before = Before { branches, costs: &[], state: G::State::default() };
        evaluate(plan, self.guide, before, &mut branch, number, &mut counts.value_reads);
        if branch.evaluation.includes() {
            counts.results += 1;
            give(&Visit { plan, branches, branch: &branch, number, costs: &[] });
        }
        Some(branch)
    }
}
