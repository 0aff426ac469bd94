//! Sweeps: loops that return many results at once, for callers that do not stop between them. The results are
//! the same as those of repeated calls of `next`, but the loop can keep its state in registers and on the
//! stack.
//!
//! A sweep cannot run all walks. The loop that stops after each result is needed for guides that expand
//! branches or keep states, for walks that identify edges or keep their direction, and for hops that lead
//! only to some labels. A sweep does not put a branch into the arena if the walk does not continue from it;
//! the path to such a branch is read from its parent branch.

use super::{Before, Run, evaluate};
use crate::walk::arena::{Arena, push_branch};
use crate::walk::branch::{Arrival, Branch, NO_BRANCH};
use crate::walk::counts::Counts;
use crate::walk::error::WalkResult;
use crate::walk::evaluation::Evaluation;
use crate::walk::guide::Guide;
use crate::walk::meter::Meter;
use crate::walk::open_lists::{DirectWays, OpenColumns, OpenLists, PendingLists};
use crate::walk::order::Order;
use crate::walk::plan::Plan;
use crate::walk::skipped_nodes::SkippedNodes;
use crate::walk::uniqueness::{Uniqueness, Within};
use crate::walk::visit::Visit;
use crate::walk::visited::Visited;
use varvite_graph::Budget;
use varvite_graph::internal::CodeReader;

/// The end of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SweepEnd {
    /// The walk is complete.
    All,
    /// The caller requested a stop, or the limit of results is reached.
    Some,
}

impl<G: Guide> Run<'_, G> {
    /// Whether [`sweep`](Self::sweep) can do the rest of the walk. This requires that the walk has not
    /// started yet, or that a sweep began it.
    pub(in crate::walk) fn may_sweep(&self) -> bool {
        if self.is_ended || self.counts.results >= self.plan.results_max {
            return false;
        }
        self.is_swept || self.started == 0 && self.is_swept_whole()
    }

    fn is_swept_whole(&self) -> bool {
        let plan = self.plan;
        let is_plain = !G::EXPANDS && size_of::<G::State>() == 0;
        let is_once = matches!(plan.uniqueness, Uniqueness::None | Uniqueness::Nodes(Within::Walk));
        let is_in_order = match plan.order {
            Order::DepthFirst => true,
            // A sweep expands every branch that it visits, which a breadth-first walk with a limit would not
            // do.
            Order::BreadthFirst => plan.results_max == u64::MAX,
            _ => false,
        };
        let has_others = plan.has_ranks || plan.has_targets || plan.keeps_direction;
        is_plain && is_once && is_in_order && !has_others
    }

    /// Passes results to `give` until `give` returns false or there are no more results. If there are no
    /// more, ends the walk.
    pub(in crate::walk) fn sweep(&mut self, give: impl FnMut(&Visit<'_>) -> bool) -> WalkResult<()> {
        let is_new = !std::mem::replace(&mut self.is_swept, true);
        match self.sweep_lists(is_new, give) {
            Ok(SweepEnd::All) => self.end().map(drop),
            Ok(SweepEnd::Some) => Ok(()),
            Err(error) => self.stop(error).map(drop),
        }
    }

    fn sweep_lists(&mut self, is_new: bool, give: impl FnMut(&Visit<'_>) -> bool) -> WalkResult<SweepEnd> {
        let Self { plan, arena, guide, meter, counts, at, .. } = self;
        let Arena { starts, branches, pending, open, visited, budget, held, .. } = &mut **arena;
        let (is_once, codes) = (plan.uniqueness != Uniqueness::None, plan.labels.code_reader());
        let (next, before) = (at.next, at.branch);
        let ways = DirectWays::of(plan);
        let passed =
            if G::IS_ASKED || is_once { SkippedNodes::NOBODY } else { SkippedNodes::of(plan, &codes) };
        let mut sweep = Sweep {
            plan,
            guide,
            meter,
            codes,
            passed,
            branches,
            visited,
            budget,
            held,
            is_once,
            next,
            before,
        };
        let swept = if let Some(ways) = ways {
            let mut lists = OpenColumns { plan, ways, starts, open, budget };
            if is_new {
                lists.open_starts()?;
            }
            sweep.in_order(&mut lists, counts, give)
        } else {
            if is_new {
                pending.open_starts(starts, budget)?;
            }
            sweep.in_order(&mut PendingLists { plan, pending, budget }, counts, give)
        };
        (at.next, at.branch) = (sweep.next, sweep.before);
        swept
    }
}

/// The state of a sweep.
struct Sweep<'a, G> {
    plan: &'a Plan,
    guide: &'a mut G,
    meter: &'a mut Meter,
    codes: CodeReader<'a>,
    passed: SkippedNodes<'a>,
    branches: &'a mut Vec<Branch>,
    visited: &'a mut Visited,
    budget: &'a Budget,
    held: &'a mut usize,
    /// Whether the walk visits each node once.
    is_once: bool,
    /// In a breadth-first walk, the next branch to expand; and, in `before`, the branch whose list is open.
    next: u32,
    before: u32,
}

/// The data that all branches of one list share.
#[derive(Clone, Copy)]
struct Place {
    parent: u32,
    depth: u32,
    /// The evaluation that follows from the depth.
    of_depth: Evaluation,
}

/// The outcome of the visit of a node.
struct Arrived {
    branch: Branch,
    /// Whether the walk continues from the node and the node may have neighbours.
    leads_on: bool,
    /// Whether the caller requested a stop.
    is_enough: bool,
}

impl<G: Guide> Sweep<'_, G> {
    fn in_order<L: OpenLists>(
        &mut self,
        lists: &mut L,
        told: &mut Counts,
        give: impl FnMut(&Visit<'_>) -> bool,
    ) -> WalkResult<SweepEnd> {
        // A local copy of the counts is faster while the loop runs.
        let mut counts = *told;
        let swept = match self.plan.order {
            Order::DepthFirst => self.depth_first(lists, &mut counts, give),
            _ => self.breadth_first(lists, &mut counts, give),
        };
        *told = counts;
        swept
    }

    /// Visits depth first. The open lists and the branches are those of the nodes on one path.
    fn depth_first<L: OpenLists>(
        &mut self,
        lists: &mut L,
        counts: &mut Counts,
        mut give: impl FnMut(&Visit<'_>) -> bool,
    ) -> WalkResult<SweepEnd> {
        let (mut place, mut owner) = self.place_below_last();
        let mut level = lists.level();
        let swept = loop {
            if let Err(error) = self.pass(lists, &mut level, place, counts) {
                break Err(error);
            }
            let Some(node) = lists.next(&mut level, owner) else {
                match lists.read_more(owner) {
                    Ok(true) => {}
                    Ok(false) if place.depth == 0 => return Ok(SweepEnd::All),
                    Ok(false) => {
                        self.branches.pop();
                        (place, owner) = self.place_below_last();
                    }
                    Err(error) => break Err(error),
                }
                level = lists.level();
                continue;
            };
            let arrived = match self.arrive(lists, node, L::way(&level), place, counts, &mut give) {
                Ok(Some(arrived)) => arrived,
                Ok(None) => continue,
                Err(error) => break Err(error),
            };
            let Arrived { branch, leads_on, is_enough } = arrived;
            if leads_on {
                lists.park(level);
                let below = self.place(place.depth, place.depth + 1);
                let passed = self.passed_in(below, is_enough);
                let (is_open, count) = match lists.open(node, self.ways_from(&branch), passed) {
                    Ok(opened) => opened,
                    Err(error) => break Err(error),
                };
                if is_open {
                    if let Err(error) = push_branch(self.branches, branch, self.budget, self.held) {
                        return Err(error.into());
                    }
                    (place, owner) = (below, node);
                    level = lists.level();
                }
                if let Err(error) = self.count_passed(count, counts) {
                    break Err(error);
                }
            }
            if is_enough {
                break Ok(SweepEnd::Some);
            }
        };
        lists.park(level);
        swept
    }

    /// The [`Place`] of the branches that extend the last branch of a depth-first walk, and the node at which
    /// the last branch ends. In such a walk, the number of a branch is its depth.
    #[inline(always)]
    fn place_below_last(&self) -> (Place, u32) {
        let depth = self.branches.len() as u32;
        (self.place(depth.wrapping_sub(1), depth), self.branches.last().map_or(0, |branch| branch.node))
    }

    #[inline(always)]
    fn place(&self, parent: u32, depth: u32) -> Place {
        Place { parent, depth, of_depth: self.plan.depths.evaluate(depth) }
    }

    /// Visits breadth first. The arena holds the branches that may have neighbours. They are expanded in the
    /// order in which they were visited.
    fn breadth_first<L: OpenLists>(
        &mut self,
        lists: &mut L,
        counts: &mut Counts,
        mut give: impl FnMut(&Visit<'_>) -> bool,
    ) -> WalkResult<SweepEnd> {
        let (mut place, mut owner) = self.place_below(self.before);
        let mut level = lists.level();
        loop {
            loop {
                self.pass(lists, &mut level, place, counts)?;
                let Some(node) = lists.next(&mut level, owner) else { break };
                let arrived = self.arrive(lists, node, L::way(&level), place, counts, &mut give);
                let Some(Arrived { branch, leads_on, is_enough }) = arrived? else { continue };
                if leads_on {
                    push_branch(self.branches, branch, self.budget, self.held)?;
                }
                if is_enough {
                    lists.park(level);
                    return Ok(SweepEnd::Some);
                }
            }
            if !lists.read_more(owner)? {
                match self.expand_next(lists, counts)? {
                    Some(below) => (place, owner) = below,
                    None => return Ok(SweepEnd::All),
                }
            }
            level = lists.level();
        }
    }

    /// Opens the list of the next branch that has one. Returns the data that the branches of the list share,
    /// and the owner of the list.
    #[inline(always)]
    fn expand_next<L: OpenLists>(
        &mut self,
        lists: &mut L,
        counts: &mut Counts,
    ) -> WalkResult<Option<(Place, u32)>> {
        while let Some(branch) = self.branches.get(self.next as usize) {
            self.before = self.next;
            self.next += 1;
            self.meter.tick(1)?;
            let below = self.place(self.before, branch.depth + 1);
            let (node, ways) = (branch.node, self.ways_from(branch));
            let (is_open, count) = lists.open(node, ways, self.passed_in(below, false))?;
            self.count_passed(count, counts)?;
            if is_open {
                return Ok(Some((below, node)));
            }
        }
        Ok(None)
    }

    #[inline(always)]
    fn place_below(&self, before: u32) -> (Place, u32) {
        match self.branches.get(before as usize) {
            Some(branch) => (self.place(before, branch.depth + 1), branch.node),
            None => (self.place(NO_BRANCH, 0), 0),
        }
    }

    #[inline(always)]
    fn ways_from(&self, branch: &Branch) -> (u32, u32) {
        self.plan.rule(branch.code).map_or((0, 0), |rule| rule.ways)
    }

    /// Takes the nodes at the start of a list that need no visit, and counts them.
    #[inline(always)]
    fn pass<L: OpenLists>(
        &mut self,
        lists: &L,
        level: &mut L::Level,
        place: Place,
        counts: &mut Counts,
    ) -> WalkResult<()> {
        if place.depth == 0 || !Self::may_pass(place) {
            return Ok(());
        }
        let count = lists.pass(level, &self.passed);
        self.count_passed(count, counts)
    }

    /// Whether nodes of a list may be counted without a visit. They may not if a guide tests each node, or if
    /// the walk does not continue from this depth.
    #[inline(always)]
    fn may_pass(place: Place) -> bool {
        !G::IS_ASKED && place.of_depth.continues()
    }

    /// The nodes that may be counted without a visit in the list at this place; none if the caller has
    /// requested a stop (`is_enough`).
    #[inline(always)]
    fn passed_in(&self, place: Place, is_enough: bool) -> &SkippedNodes<'_> {
        if is_enough || !Self::may_pass(place) { &SkippedNodes::NOBODY } else { &self.passed }
    }

    /// Counts nodes that are not visited.
    #[inline(always)]
    fn count_passed(&mut self, count: u32, counts: &mut Counts) -> WalkResult<()> {
        counts.edges += u64::from(count);
        counts.label_reads += u64::from(count);
        counts.branches += u64::from(count);
        counts.expansions += u64::from(count);
        self.meter.tick(count)
    }

    /// If `node` is in its own list and the way leaves out such edges, subtracts the edge from the counts: a
    /// list that is read in place still contains the edge.
    #[inline(always)]
    fn forget_loop<L: OpenLists>(&self, node: u32, way: u16, place: Place, counts: &mut Counts) {
        if L::LEAVES_LOOPS && self.plan.meets_loops_twice {
            let owner = self.branches.get(place.parent as usize).map(|branch| branch.node);
            counts.edges -= u64::from(owner == Some(node) && !self.plan.follows_loops(way, node));
        }
    }

    /// Visits a node if uniqueness allows that, and passes the node to the caller if it is a result.
    #[inline(always)]
    fn arrive<L: OpenLists>(
        &mut self,
        lists: &L,
        node: u32,
        way: u16,
        place: Place,
        counts: &mut Counts,
        give: &mut impl FnMut(&Visit<'_>) -> bool,
    ) -> WalkResult<Option<Arrived>> {
        let plan = self.plan;
        // A start node is not reached by an edge, and has already been checked for uniqueness.
        let is_start = place.depth == 0;
        counts.edges += u64::from(!is_start);
        self.meter.tick(1)?;
        if self.is_once && !is_start && !self.visited.insert(node) {
            self.forget_loop::<L>(node, way, place, counts);
            return Ok(None);
        }
        counts.label_reads += 1;
        let Some(code) = self.codes.known_code(node) else { return Ok(None) };
        let Some(rule) = plan.rule(code) else { return Ok(None) };
        let rank = if is_start { 0 } else { u32::MAX };
        let arrival = Arrival { node, parent: place.parent, depth: place.depth, rank, way };
        let mut branch = arrival.branch(code);
        counts.branches += 1;
        let (branches, number) = (&self.branches[..], self.branches.len() as u32);
        let before = Before { branches, costs: &[], state: G::State::default() };
        let known = rule.evaluation.and(place.of_depth);
        evaluate(plan, self.guide, before, known, &mut branch, number, &mut counts.value_reads);
        let mut is_enough = false;
        if branch.evaluation.includes() {
            counts.results += 1;
            let is_last = !give(&Visit { plan, branches, branch: &branch, number, costs: &[] });
            is_enough = is_last || counts.results >= plan.results_max;
            if counts.results >= plan.results_max {
                return Ok(Some(Arrived { branch, leads_on: false, is_enough }));
            }
        }
        let continues = branch.evaluation.continues();
        counts.expansions += u64::from(continues);
        let leads_on = continues && lists.may_lead_on(node, rule.ways);
        Ok(Some(Arrived { branch, leads_on, is_enough }))
    }
}
